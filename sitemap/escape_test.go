package sitemap

import (
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	m.Run()
}

// escapeBytewise is a simple implementation of appendEscaped.
func escapeBytewise(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		escaped, size := "", 1
		if mustEscape[s[i]] {
			escaped, size = escapeFirstChar(s[i:])
		}
		if escaped == "" {
			escaped = s[i : i+size]
		}
		b.WriteString(escaped)
		i += size
	}
	return b.String()
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "https://example.com/a/b?c=d&e=f", "0123456&", "01234567'", "<>&'\"", "\x1f\x7f\x80\xff", "ü€😀\ufffe", "!#%(:;=?\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, want := string(appendEscaped(nil, s)), escapeBytewise(s)
		if got != want {
			t.Errorf("%q is escaped as %q, want %q", s, got, want)
		}
	})
}

func TestEscapeEachByteEverywhere(t *testing.T) {
	for c := range 256 {
		for at := range 20 {
			s := strings.Repeat("a", at) + string([]byte{byte(c)}) + strings.Repeat("b", 19-at)
			if got := string(appendEscaped(nil, s)); got != escapeBytewise(s) {
				t.Fatalf("%q is escaped as %q, want %q", s, got, escapeBytewise(s))
			}
		}
	}
}
