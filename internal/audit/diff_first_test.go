package audit

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/config"
)

// A fakeSite sends the same response to every request.
type fakeSite struct {
	status int
	body   string
	err    error
}

func (s fakeSite) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.err != nil {
		return nil, s.err
	}
	return &http.Response{StatusCode: s.status, Request: r, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(s.body))}, nil
}

// TestDiffAcceptsFirstDeploy checks that a diff accepts a live site without a sitemap if
// Options.First is set, and returns an error if the live site fails.
func TestDiffAcceptsFirstDeploy(t *testing.T) {
	for name, tt := range map[string]struct {
		site fakeSite
		note string // expected note; "" means that the diff fails
	}{
		"status 404":        {fakeSite{status: 404}, "the site has no such file yet"},
		"unknown host":      {fakeSite{err: &net.DNSError{Err: "no such host", Name: "example.com", IsNotFound: true}}, "no name server knows the host yet"},
		"no name server":    {fakeSite{err: &net.DNSError{Err: "server misbehaving", Name: "example.com", IsTemporary: true}}, ""},
		"empty file":        {fakeSite{status: 200, body: "\n"}, "the site answers with an empty file"},
		"web page":          {fakeSite{status: 200, body: "<!DOCTYPE html><title>For sale</title>"}, "the site answers with a web page, and not with a sitemap"},
		"XHTML page":        {fakeSite{status: 200, body: "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>"}, "the site answers with a web page, and not with a sitemap"},
		"server error":      {fakeSite{status: 503}, ""},
		"truncated sitemap": {fakeSite{status: 200, body: "<urlset><url>"}, ""},
		"plain text":        {fakeSite{status: 200, body: "Dear reader,"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newTree(t, map[string]string{"public/index.html": "<!doctype html><title>x</title>", "sitemap.yaml": "base_url: https://example.com/\npages: {dir: public}\n"})
			o := Options{Client: &http.Client{Transport: tt.site}, First: true, Input: config.Input{Getenv: func(string) string { return "" }, Dir: dir}}
			d, err := RunDiff(t.Context(), o, "", "")
			text := fmt.Sprint(d.Findings.Kinds())
			if (err == nil) != (tt.note != "") || !strings.Contains(text, tt.note) || tt.note != "" && d.Changes.OldCount != 0 {
				t.Errorf("got error %v and findings %s, want note %q", err, text, tt.note)
			}
		})
	}
}
