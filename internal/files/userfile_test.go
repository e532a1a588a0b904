package files

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// TestContextReader checks that a reader returns all data, and stops waiting for more data when its
// context ends.
func TestContextReader(t *testing.T) {
	text := strings.Repeat("0123456789", 20_000)
	for name, r := range map[string]io.Reader{
		"at once": strings.NewReader(text), "in pieces": iotest.HalfReader(strings.NewReader(text)), "data with EOF": iotest.DataErrReader(strings.NewReader(text)),
	} {
		if got, err := io.ReadAll(NewContextReader(t.Context(), io.NopCloser(r))); err != nil || string(got) != text {
			t.Errorf("%s: got %d bytes, error %v, want all bytes", name, len(got), err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	never, w := io.Pipe()
	defer w.Close()
	why := errors.New("enough")
	go func() {
		_, _ = io.WriteString(w, "ab")
		cancel(why)
	}()
	if got, err := io.ReadAll(NewContextReader(ctx, io.NopCloser(never))); !errors.Is(err, why) || string(got) != "ab" && string(got) != "" {
		t.Errorf("got %q, error %v, want the error %v", got, err, why)
	}
}

// TestOpenUserFile opens a missing file and an existing file.
func TestOpenUserFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	if _, err := OpenUserFile(t.Context(), name); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if err := os.WriteFile(name, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := OpenUserFile(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := io.ReadAll(f); err != nil || string(got) != "text" {
		t.Errorf("got %q, error %v, want text", got, err)
	}
}
