package mapping

import "testing"

func TestMove(t *testing.T) {
	tests := []struct{ name, base, loc, want string }{
		{"below the base", "https://example.com/", "https://example.com/a?b=1", "https://example.com/a?b=1"},
		{"another host", "https://example.com/", "http://old.example.org/a/b.html", "https://example.com/a/b.html"},
		{"another port", "https://example.com/", "https://example.com:8443/a", "https://example.com/a"},
		{"only a host", "https://example.com/", "https://old.example.org", "https://example.com/"},
		{"only a query", "https://example.com/", "https://old.example.org?a=b", "https://example.com/?a=b"},
		{"into a folder", "https://example.com/docs/", "https://old.example.org/a", "https://example.com/docs/a"},
		{"the folder is there", "https://example.com/docs/", "https://old.example.org/docs/a", "https://example.com/docs/a"},
		{"the folder alone", "https://example.com/docs/", "http://localhost:4000/docs", "https://example.com/docs/"},
		{"not a URL", "https://example.com/", "/a/b", "/a/b"},
		{"another scheme", "https://example.com/", "ftp://old.example.org/a", "ftp://old.example.org/a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base, err := ParseBase(tt.base)
			if err != nil {
				t.Fatal(err)
			}
			got := base.MoveToBase(tt.loc)
			if got != tt.want {
				t.Errorf("Move(%q) = %q, want %q", tt.loc, got, tt.want)
			}
			if again := base.MoveToBase(got); again != got {
				t.Errorf("moved twice it is %q", again)
			}
		})
	}
}
