package hosting

import (
	"testing"
	"testing/fstest"
)

// TestGitLabMatching contains the test cases of GitLab Pages for matching rules, from
// internal/redirects/matching_test.go.
func TestGitLabMatching(t *testing.T) {
	for _, c := range []struct{ rule, path, to string }{
		{"/foo/ /bar/", "/foo/", "/bar/"},
		{"/foo/ /bar/", "/foo", "/bar/"},
		{"/foo /bar/", "/foo/", "/bar/"},
		{"/foo /bar/", "/foo/bar", ""},
		{"/foo/ /bar/", "/foo//", "/bar/"},
		{"/foo/ /bar/", "//foo", "/bar/"},
		{"/foo/bar /baz/", "/foo//bar", "/baz/"},
		{"/foo/*/bar /foo/:splat/qux", "/foo/baz/bar", "/foo/baz/qux"},
		{"/foo/*/bar /foo/:splat/qux", "/foo/hello/world/bar", "/foo/hello/world/qux"},
		{"/foo/*/bar /foo/:splat/qux", "/foo/baz/bar/", "/foo/baz/qux"},
		{"/foo/* /qux/:splat", "/foo/baz/bar", "/qux/baz/bar"},
		{"/foo/* /qux/:splat", "/foo/baz/bar/", "/qux/baz/bar/"},
		{"/*/baz/bar /qux/:splat", "/foo/baz/bar", "/qux/foo"},
		{"/foo/* /qux/:splat", "/foo/", "/qux/"},
		{"/foo/* /qux/:splat", "/foo", "/qux/"},
		{"/*/foo /qux/:splat", "/foo", "/qux/"},
		{"/foo*bar /qux/:splat", "/foobazbar", ""},
		{"/foo*bar /qux/:splat", "/foobar", ""},
		{"/* /qux/:splat", "/foo/bar", "/qux/foo/bar"},
		{"/foo/*/bar/*/baz /qux/:splat", "/foo/hello/bar/world/baz", "/qux/hello"},
		{"/foo/* /qux/:splat/:splat", "/foo/hello", "/qux/hello/hello"},
		{"/foo/*/bar /foo/:splat/qux", "/foo/bar", "/foo/qux"},
		{"/foo/ /qux/:splat", "/foo/", "/qux/"},
		{"/foo/:year/:month/:day/bar /qux/:year-:month-:day", "/foo/2021/08/16/bar", "/qux/2021-08-16"},
		{"/foo/:placeholder /qux/:placeholder", "/foo/bar", "/qux/bar"},
		{"/:placeholder/foo /qux/:placeholder", "/baz/foo", "/qux/baz"},
		{"/foo/:placeholder/bar /foo/:placeholder/qux", "/foo/hello/world/bar", ""},
		{"/:placeholder/foo /qux/:placeholder", "/foo", ""},
		{"/foo/:placeholder /qux/:placeholder", "/foo/", ""},
		{"/foo:placeholder /qux/:placeholder", "/foorbar", ""},
		{"/foo/:placeholder /qux/bar:placeholder", "/foo/baz", "/qux/barbaz"},
		{"/:foo /:foobar", "/baz", "/"},
		{"/foo:placeholder /qux/:splat", "/foo", ""},
		{"/foo/:foo/:foobar /qux/:foo/:foobar", "/foo/baz/quux", "/qux/baz/quux"},
		{"/:placeholder /qux/:placeholder", "/foo", "/qux/foo"},
		{"/foo/:placeholder/bar/:placeholder/baz /qux/:placeholder", "/foo/hello/bar/world/baz", "/qux/hello"},
		{"/foo/:placeholder /qux/:placeholder/:placeholder", "/foo/hello", "/qux/hello/hello"},
		{"/foo/*/bar/:splat /qux/:splat", "/foo/hello/bar/world", "/qux/hello"},
		{"/foo/:splat/bar/* /qux/:splat", "/foo/hello/bar/world", "/qux/hello"},
		{"/foo/ /qux/:placeholder", "/foo/", "/qux/"},
		{"/foo/:placeholderA /qux/:placeholderB", "/foo/bar", "/qux/"},
	} {
		h, diags := Load(Input{Name: "gitlab", Publish: fstest.MapFS{"_redirects": {Data: []byte(c.rule)}}})
		if len(diags) > 0 {
			t.Fatal(c.rule, diags)
		}
		if a := h.Answer(c.path, func(string) bool { return false }); a.To != c.to {
			t.Errorf("%q leads %s to %q, not to %q", c.rule, c.path, a.To, c.to)
		}
	}
}
