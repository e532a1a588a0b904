package writer

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/mark"
)

// The protocol's bounds of a key, https://www.indexnow.org/documentation.
const minKey, maxKey = 8, 128

// CheckKey returns an error when a text cannot be a key for IndexNow.
func CheckKey(key string) error {
	odd := strings.ContainsFunc(key, func(c rune) bool {
		return c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	})
	if odd || len(key) < minKey || len(key) > maxKey {
		return fmt.Errorf("%q is no key for IndexNow; it has %d to %d letters a to z, digits and hyphens", key, minKey, maxKey)
	}
	return nil
}

// keyFile is where the protocol looks for the proof of a key.
func keyFile(key string) string { return key + ".txt" }

// key drafts the file by which search engines know that the site knows its key:
// at the top of what is published, since it speaks only for what lies below its
// own folder.
func (r *job) key(context.Context) error {
	if r.publishErr != nil {
		return r.publishErr
	}
	name, dir := keyFile(r.Key), r.publish
	if err := dir.check(name); err != nil {
		return err
	}
	switch info, err := dir.stat(name); {
	case err != nil:
		return err
	case info == nil || dir.holds(name, r.Key, false):
		return r.putPlain(dir, name, []byte(r.Key), 0)
	case dir.holds(name, r.Key, true):
		return nil // somebody keeps it himself
	}
	return fmt.Errorf("output %q is in the way and does not hold the key; remove it, or choose another key", name)
}

// holds reports whether a file holds the key; with spaces around it, too, when
// that will do.
func (d *folder) holds(name, key string, spaced bool) bool {
	f, err := d.open(name)
	if f == nil || err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxKey+mark.HeadSize))
	if spaced {
		text = bytes.TrimSpace(text)
	}
	return err == nil && string(text) == key
}

// findStaleKeys finds the files of keys that earlier runs wrote, and that are not
// this one's: a sitemap of ours names the key, and the file holds nothing else.
func (r *job) findStaleKeys(context.Context) error {
	for _, key := range slices.Sorted(maps.Keys(r.past.keys)) {
		switch {
		case key == r.Key:
		case r.publishErr != nil:
			return r.publishErr
		case r.publish.holds(keyFile(key), key, false):
			r.oldKeys = append(r.oldKeys, keyFile(key))
		}
	}
	return nil
}
