package sitemap

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/thorough"
)

func TestMain(m *testing.M) {
	thorough.Quick()
	m.Run()
}

// naive escapes one byte at a time.
func naive(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		ref, size := "", 1
		if special[s[i]] {
			ref, size = reference(s[i:])
		}
		if ref == "" {
			ref = s[i : i+size]
		}
		b.WriteString(ref)
		i += size
	}
	return b.String()
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "https://example.com/a/b?c=d&e=f", "0123456&", "01234567'", "<>&'\"", "\x1f\x7f\x80\xff", "ü€😀\ufffe", "!#%(:;=?\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, want := string(appendEscaped(nil, s)), naive(s)
		if got != want {
			t.Errorf("%q is escaped as %q, want %q", s, got, want)
		}
		if _, asIs := PlainSize(&URL{Loc: s}); asIs && s != want {
			t.Errorf("%q may not stand as it is", s)
		}
		if n := escapedLen(s); n != len(want) {
			t.Errorf("%q has %d bytes escaped, not %d", s, len(want), n)
		}
	})
}

func TestEscapeEachByteEverywhere(t *testing.T) {
	for c := range 256 {
		for at := range 20 {
			s := strings.Repeat("a", at) + string([]byte{byte(c)}) + strings.Repeat("b", 19-at)
			if got := string(appendEscaped(nil, s)); got != naive(s) {
				t.Fatalf("%q is escaped as %q, want %q", s, got, naive(s))
			}
		}
	}
}

func TestPlainSize(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		u := URL{Loc: "https://example.com/" + strings.Repeat("a&", r.IntN(9)), ChangeFreq: ChangeFreq(r.IntN(8)), Priority: Priority(r.IntN(1002))}
		zone := time.FixedZone("", (r.IntN(3)-1)*r.IntN(800)*60)
		u.LastMod = DateOf(time.Unix(r.Int64N(4e9), r.Int64N(3)*r.Int64N(1e9)).In(zone), Precision(r.IntN(int(Fraction)+1)))
		u.Alternates = some(r, r.IntN(4), randomAlternate)
		want := AppendURL(nil, &u)
		got, asIs := PlainSize(&u)
		if same := string(AppendAsIs(nil, &u)) == string(want); asIs && !same || !asIs && naive(u.Loc) == u.Loc && !strings.Contains(u.Loc, "#") {
			t.Errorf("%+v: as it is %v, the same %v", u, asIs, same)
		}
		if want := len(want); got != want {
			t.Fatalf("%d bytes, want %d: %s", got, want, AppendURL(nil, &u))
		}
	}
}
