package writer

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// The protocol's bounds of a key, https://www.indexnow.org/documentation.
const (
	minKey, maxKey = 8, 128
	keyChars       = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"
)

// CheckKey returns an error when a text cannot be a key for IndexNow.
func CheckKey(key string) error {
	if strings.Trim(key, keyChars) != "" || len(key) < minKey || len(key) > maxKey {
		return fmt.Errorf("%q is no key for IndexNow; it has %d to %d letters a to z, digits and hyphens", key, minKey, maxKey)
	}
	return nil
}

// keyFile is where the protocol looks for the proof of a key.
func keyFile(key string) string { return key + ".txt" }

// stageKey drafts the file by which search engines know that the site knows its key:
// at the top of what is published, since it speaks only for what lies below its
// own folder.
func (r *job) stageKey(context.Context) error {
	p := place{r.publish, keyFile(r.Key)}
	if err := p.dir.Check(p.name); err != nil {
		return err
	}
	old, err := p.read(maxKey + MarkSize)
	switch {
	case old == nil && err == nil, string(old) == r.Key:
		return r.stage(p, []byte(r.Key), File{})
	case string(bytes.TrimSpace(old)) == r.Key:
		return nil // somebody keeps it himself
	}
	return fmt.Errorf("output %q is in the way and does not hold the key; remove it, or choose another key", p.name)
}

// isKeyFile reports whether the content of a file is a key.
func (p place) isKeyFile(key string) bool {
	text, err := p.read(maxKey)
	return err == nil && string(text) == key
}
