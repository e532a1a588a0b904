package site

import (
	"reflect"
	"testing"
)

// TestPagesAreSmall checks that 100,000 values of type Page need at most 20 MiB.
func TestPagesAreSmall(t *testing.T) {
	if size := 100_000 * reflect.TypeFor[Page]().Size(); size > 20<<20 {
		t.Errorf("100,000 pages take %d bytes", size)
	}
}
