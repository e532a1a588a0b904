package page

import (
	"strings"
	"testing"
)

func TestLead(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"the first paragraph", "<h1>Title</h1><p>One <em>fine</em> day\n it rained. Then not.</p><p>More of the same thing.</p>", "One fine day it rained."},
		{"of the content", "<p>Text around what matters here.</p><main><p>Home</p><p>What matters is &lt;this&gt; text</p></main><p>And so on and on.</p>", "What matters is <this> text"},
		{"not of what is around it", "<nav><p>Go to the next page.</p></nav><p hidden>No word of it counts.</p><p>Yes this one it is!</p>", "Yes this one it is!"},
		{"abbreviations", "<p>See e.g. No and p. 5 of v1. 2 is fine here. Next.</p>", "See e.g. No and p. 5 of v1. 2 is fine here."},
		{"quotes", "<p>Read \"How to sail\". Then set off.</p>", `Read "How to sail".`},
		{"without end tags", "<p>One two three four<p>Five six seven eight", "One two three four"},
		{"no point", "<p>一つ目の文 です と 言う。二つ目。</p>", "一つ目の文 です と 言う。"},
		{"no paragraph", "<div>Some words that are no paragraph.</div>", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := NewReader(Options{Lead: true})
			var f Facts
			for range 2 {
				if err := r.ReadHTML(strings.NewReader("<!doctype html><title>x</title><body>"+tt.body), &f); err != nil || f.Lead != tt.want {
					t.Errorf("got %q, error %v, want %q", f.Lead, err, tt.want)
				}
			}
		})
	}
}
