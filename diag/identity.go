package diag

import (
	"crypto/sha256"
	"encoding/hex"
)

// An Identity identifies a finding across edits.
type Identity struct {
	Code, File, Subject string
}

// Identity returns the identity of a finding. name converts the file name. The file is "" if
// Anywhere is set. The identity of a finding does not change if the problem moves to another line.
func (d Diagnostic) Identity(name func(file string) string) Identity {
	id := Identity{Code: d.Code, Subject: d.Subject}
	if d.Pos.File != "" && !d.Anywhere {
		id.File = name(d.Pos.File)
	}
	return id
}

// Fingerprint returns the identity as 32 hexadecimal digits. nth is the number of earlier findings
// with the same identity.
func (id Identity) Fingerprint(nth int) string {
	h := sha256.New()
	for _, s := range []string{id.Code, id.File, id.Subject} {
		h.Write(append([]byte(s), 0))
	}
	h.Write([]byte{byte(nth), byte(nth >> 8), byte(nth >> 16)})
	return hex.EncodeToString(h.Sum(nil)[:16])
}
