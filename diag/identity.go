package diag

import (
	"crypto/sha256"
	"encoding/hex"
)

// An Identity tells a finding from others, today and after the next edit.
type Identity struct {
	Code, File, Subject string
}

// Identity returns that of a finding, with its file as name writes it, unless the
// trouble may turn up first in another file as soon as this one is fixed. A page
// that is rebuilt keeps it when the trouble moves to another line.
func (d Diagnostic) Identity(name func(file string) string) Identity {
	id := Identity{Code: d.Code, Subject: d.Subject}
	if d.Pos.File != "" && !d.Anywhere {
		id.File = name(d.Pos.File)
	}
	return id
}

// Fingerprint returns the identity in 32 hexadecimal digits; nth counts the
// findings before it that share the identity.
func (id Identity) Fingerprint(nth int) string {
	h := sha256.New()
	for _, s := range []string{id.Code, id.File, id.Subject} {
		h.Write(append([]byte(s), 0))
	}
	h.Write([]byte{byte(nth), byte(nth >> 8), byte(nth >> 16)})
	return hex.EncodeToString(h.Sum(nil)[:16])
}
