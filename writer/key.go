package writer

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// minKey and maxKey are the minimum and maximum length of an IndexNow key, and keyChars are its
// permitted characters.
// See https://www.indexnow.org/documentation.
const (
	minKey, maxKey = 8, 128
	keyChars       = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"
)

// CheckKey returns an error if key is not a valid IndexNow key: 8 to 128 letters, digits and
// hyphens.
func CheckKey(key string) error {
	if strings.Trim(key, keyChars) != "" || len(key) < minKey || len(key) > maxKey {
		return fmt.Errorf("%q is no key for IndexNow; it has %d to %d letters a to z, digits and hyphens", key, minKey, maxKey)
	}
	return nil
}

// keyFileName returns the name of the file for key. Search engines request this file to check that
// key belongs to the site.
func keyFileName(key string) string { return key + ".txt" }

// stageKey adds the file of the IndexNow key to the transaction. The file is in the root folder of
// the published site, because a key is valid only for URLs below the folder of its file. If the
// file exists with other content than the key and white space, stageKey returns an error.
func (j *job) stageKey(context.Context) error {
	p := place{j.publishDir, keyFileName(j.IndexNowKey)}
	if err := p.dir.CheckReplaceable(p.name); err != nil {
		return err
	}
	old, err := p.read(maxKey + MarkSize)
	switch {
	case old == nil && err == nil, string(old) == j.IndexNowKey:
		return j.stage(p, []byte(j.IndexNowKey), File{})
	case string(bytes.TrimSpace(old)) == j.IndexNowKey:
		return nil // the user maintains the file
	}
	return fmt.Errorf("output %q is in the way and does not hold the key; remove it, or choose another key", p.name)
}

// containsOnlyKey reports whether the content of the file p is exactly key.
func (p place) containsOnlyKey(key string) bool {
	text, err := p.read(maxKey)
	return err == nil && string(text) == key
}
