package fetch

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/diag"
)

// TestReadListOfHosts reads lists from a site with valid lists, errors, and files of hostile
// servers.
func TestReadListOfHosts(t *testing.T) {
	done := make(chan struct{})
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	defer close(done) // before Close, which waits for all handlers
	serve := func(path string, status int, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		})
	}
	base := server.URL
	serve("/good.xml", 200, formatURLSet("https://example.com/a"))
	serve("/good.xml.gz", 200, gzipText(formatURLSet("https://example.com/b")))
	serve("/index.xml", 200, formatIndex(base+"/good.xml", base+"/good.xml.gz", base+"/gone.xml", "https://elsewhere.invalid/x.xml", base+"/index.xml"))
	serve("/deep.xml", 200, formatIndex(base+"/deep1.xml"))
	serve("/deep1.xml", 200, formatIndex(base+"/deep2.xml"))
	serve("/deep2.xml", 200, formatIndex(base+"/deep3.xml"))
	serve("/deep3.xml", 200, formatIndex(base+"/good.xml"))
	serve("/feed.xml", 200, `<rss><channel><item><title>T</title><link>https://example.com/f</link></item></channel></rss>`)
	serve("/list.txt", 200, "https://example.com/t\n")
	serve("/report.json", 200, `{"version": 1, "urls": 2, "pages": [{"url": "https://example.com/j", "listed": true, "lastmod": "2024-01-02"}, {"url": "https://example.com/out", "listed": false}]}`)
	serve("/array.json", 200, `["https://example.com/k"]`)
	serve("/other.json", 200, `{"a": 1}`)
	serve("/html.xml", 200, "<!doctype html><html><head><title>Page not found</title>")
	serve("/login.xml", 401, "who are you")
	serve("/forbidden.xml", 403, "no")
	serve("/sorry.xml", 503, "sorry")
	serve("/entity.xml", 200, `<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>https://example.com/&x;</loc></url></urlset>`)
	serve("/lol.xml", 200, `<!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><urlset><url><loc>https://example.com/&b;</loc></url></urlset>`)
	serve("/bomb.xml.gz", 200, gzipText("<urlset>"+strings.Repeat(" ", 8<<20)))
	serve("/children.xml", 200, formatIndex(slices.Repeat([]string{base + "/good.xml"}, 60_000)...))
	mux.HandleFunc("/to-good", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/good.xml", http.StatusFound) })
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://elsewhere.invalid/sitemap.xml", http.StatusFound)
	})
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	mux.HandleFunc("/slow", func(http.ResponseWriter, *http.Request) { <-done })
	serveEndless := func(path, head, more string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, head)
			for more := strings.Repeat(more, 64<<10); r.Context().Err() == nil; {
				if _, err := fmt.Fprint(w, more); err != nil {
					return
				}
			}
		})
	}
	serveEndless("/string.json", `{"findings": "`, "x")
	serveEndless("/url.json", `{"pages": [{"url": "https://example.com/`, "x")
	serveEndless("/nested.json", `{"findings": `, "[")
	serveEndless("/spaces.json", `{"findings": `, " ")
	serveEndless("/bytes.xml", "<urlset>", "<!-- -->")
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<urlset>")
		for i := 0; r.Context().Err() == nil; i++ {
			if _, err := fmt.Fprintf(w, "<url><loc>https://example.com/%d</loc></url>\n", i); err != nil {
				return
			}
		}
	})
	for path, want := range map[string]struct{ urls, err, codes string }{
		"/good.xml":      {urls: "a"},
		"/good.xml.gz":   {urls: "b"},
		"/index.xml":     {urls: "a b", codes: "missing-sitemap*3"},
		"/deep.xml":      {codes: "missing-sitemap*1"},
		"/feed.xml":      {urls: "f"},
		"/list.txt":      {urls: "t"},
		"/report.json":   {urls: "j"},
		"/array.json":    {err: `JSON without an array "pages"`},
		"/to-good":       {urls: "a"},
		"/other.json":    {err: `JSON without an array "pages"`},
		"/html.xml":      {err: "it is a web page, not a sitemap"},
		"/login.xml":     {err: "401 Unauthorized: it requires a login"},
		"/forbidden.xml": {err: "403 Forbidden: it requires a login, or blocks programs"},
		"/sorry.xml":     {err: "the site answers 503"},
		"/none.xml":      {err: "the site answers 404"},
		"/away":          {err: "redirects to http://elsewhere.invalid/sitemap.xml, which is on another host"},
		"/loop":          {err: "redirects again and again"},
		"/slow":          {err: "no complete answer within 50ms"},
		"/endless":       {err: "the URLs take more than 384 MiB"},
		"/string.json":   {err: "more than"},
		"/url.json":      {err: "more than"},
		"/nested.json":   {err: "exceeded max depth"},
		"/spaces.json":   {err: "more than"},
		"/bytes.xml":     {err: "more than 2 GiB of sitemaps"},
		"/entity.xml":    {err: "has declarations"},
		"/lol.xml":       {err: "has declarations"},
		"/bomb.xml.gz":   {err: "bytes without an end"},
		"/children.xml":  {err: "an index names more than 50000 sitemaps"},
	} {
		t.Run(path[1:], func(t *testing.T) {
			o := ListOptions{AllowRequests: true, Fetch: Options{Timeout: 30 * time.Second}, Budget: &Budget{16 << 20, 16 << 20}}
			if strings.Contains(want.err, "50ms") {
				o.Fetch.Timeout = 50 * time.Millisecond
			}
			var got []string
			var report diag.Report
			err := ReadList(t.Context(), base+path, o, &report, func(e Entry) {
				if len(got) < 10 {
					got = append(got, strings.TrimPrefix(e.Loc, "https://example.com/"))
				}
			})
			if want.err == "" && err != nil || want.err != "" && (err == nil || !strings.Contains(err.Error(), want.err)) {
				t.Errorf("error: got %v, want %q", err, want.err)
			}
			if want.err == "" && strings.Join(got, " ") != want.urls {
				t.Errorf("URLs: got %q, want %q", got, want.urls)
			}
			var codes []string
			for _, k := range report.Kinds() {
				codes = append(codes, fmt.Sprintf("%s*%d", k.Code, k.Count))
			}
			if c := strings.Join(codes, " "); c != want.codes && want.err == "" {
				t.Errorf("findings: got %s, want %s: %v", c, want.codes, report.Kinds())
			}
		})
	}
}

// TestReadListReadsChildrenInOrder checks that ReadList reads the children of an index in their
// order, and stops when the budget is exceeded.
func TestReadListReadsChildrenInOrder(t *testing.T) {
	const children = 20
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	requests := 0
	var all []string
	for i := range children {
		all = append(all, fmt.Sprintf("%s/%d.xml", server.URL, i))
	}
	mux.HandleFunc("/index.xml", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, formatIndex(all...)) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		requests++
		name := strings.TrimSuffix(r.URL.Path[1:], ".xml")
		fmt.Fprint(w, formatURLSet("https://example.com/"+name+"a", "https://example.com/"+name+"b"))
	})
	read := func(budget int64) (got []string, err error) {
		var report diag.Report
		err = ReadList(t.Context(), server.URL+"/index.xml", ListOptions{AllowRequests: true, Budget: &Budget{maxRead, budget}}, &report, func(e Entry) {
			got = append(got, strings.TrimPrefix(e.Loc, "https://example.com/"))
		})
		return got, err
	}
	got, err := read(maxKept)
	if err != nil || len(got) != 2*children || requests != children {
		t.Fatalf("got %d URLs after %d requests, error %v, want %d after %d", len(got), requests, err, 2*children, children)
	}
	for i, loc := range got {
		if want := fmt.Sprintf("%d%c", i/2, 'a'+i%2); loc != want {
			t.Errorf("URL %d: got %s, want %s", i, loc, want)
		}
	}
	requests = 0
	indexCost := int64(children * (urlOverhead + len(all[children-1])))
	if got, err := read(indexCost + 5*(urlOverhead+30)); err == nil || len(got) != 5 || requests != 3 {
		t.Errorf("got %d URLs after %d requests, error %v, want 5 after 3", len(got), requests, err)
	}
}
