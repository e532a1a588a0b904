package writer

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
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
func (r *job) key() error {
	if r.Key == "" {
		return nil
	}
	dir, err := r.robotsFolder()
	if err != nil {
		return err
	}
	name := keyFile(r.Key)
	if err := dir.check(name); err != nil {
		return err
	}
	switch info, err := dir.stat(name); {
	case err != nil:
		return err
	case info == nil || dir.holds(name, r.Key, false):
		return r.putPlain(dir, name, []byte(r.Key))
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
	text, err := io.ReadAll(io.LimitReader(f, maxKey+headSize))
	if spaced {
		text = bytes.TrimSpace(text)
	}
	return err == nil && string(text) == key
}

// recallKey remembers the key of an earlier run.
func (p *earlier) recallKey(key string) {
	if CheckKey(key) == nil {
		p.keys[key] = true
	}
}

// staleKeys returns the files of keys that earlier runs wrote, and that are not
// this one's: a sitemap of ours names the key, and the file holds nothing else.
func (r *job) staleKeys() ([]string, error) {
	keys := maps.Clone(r.past.keys)
	for _, before := range r.past.renamed {
		maps.Copy(keys, before.keys)
	}
	delete(keys, r.Key)
	if len(keys) == 0 {
		return nil, nil
	}
	dir, err := r.robotsFolder()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if name := keyFile(key); dir.holds(name, key, false) {
			names = append(names, name)
		}
	}
	return names, nil
}

// noteKeys are the lines of the journal for the files of keys.
func (r *job) noteKeys() (names []string) {
	if r.Key != "" && len(r.oldKeys) > 0 {
		names = []string{keyFile(r.Key)}
	}
	return append(names, r.oldKeys...)
}
