package diag

import (
	"crypto/sha256"
	"encoding/hex"
)

// An Identity identifies a finding in baselines and reports. It stays the same when the problem
// moves to another line.
type Identity struct {
	Code, File, Subject string
}

// Identity returns the identity of the finding. relativeName converts the name of the file, for
// example to a path relative to the folder of a baseline. If Anywhere is set, the identity has no
// file.
func (d Diagnostic) Identity(relativeName func(file string) string) Identity {
	id := Identity{Code: d.Code, Subject: d.Subject}
	if d.Pos.File != "" && !d.Anywhere {
		id.File = relativeName(d.Pos.File)
	}
	return id
}

// Fingerprint returns a hash of the identity as 32 hexadecimal digits. nth distinguishes findings
// with the same identity: it is 0 for the first of them.
func (i Identity) Fingerprint(nth int) string {
	h := sha256.New()
	for _, s := range []string{i.Code, i.File, i.Subject} {
		h.Write(append([]byte(s), 0))
	}
	h.Write([]byte{byte(nth), byte(nth >> 8), byte(nth >> 16)})
	return hex.EncodeToString(h.Sum(nil)[:16])
}
