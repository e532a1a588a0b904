package page

import (
	"math/rand/v2"
	"net/url"
	"testing"
)

// What isPlainURL takes for an address package net/url takes for one, too.
func TestPlainURL(t *testing.T) {
	const chars = "/ab9-._~:%?"
	r := rand.New(rand.NewPCG(1, 2))
	plain := 0
	for range 100_000 {
		ref := []byte([]string{"", "/", "//", "http://", "https://"}[r.IntN(5)])
		for range r.IntN(6) {
			ref = append(ref, chars[r.IntN(len(chars))])
		}
		if len(ref) == 0 || !isPlainURL(ref) {
			continue
		}
		plain++
		if u, err := url.Parse(string(ref)); err != nil || u.Scheme != "" && u.Host == "" {
			t.Errorf("%q: %v, %v", ref, u, err)
		}
	}
	if plain < 1000 {
		t.Errorf("only %d addresses were plain", plain)
	}
}
