//go:build !linux

package commit

// refusal returns err: no other system is asked why it refuses.
func (*Folder) refusal(_ string, err error) error { return err }
