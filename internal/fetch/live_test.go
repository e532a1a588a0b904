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

// TestReadListOfHosts reads lists from valid and broken sites.
func TestReadListOfHosts(t *testing.T) {
	done := make(chan struct{})
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	defer close(done) // before Close, which waits for the answers
	text := func(path string, status int, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		})
	}
	own := server.URL
	text("/good.xml", 200, set("https://example.com/a"))
	text("/good.xml.gz", 200, zipped(set("https://example.com/b")))
	text("/index.xml", 200, index(own+"/good.xml", own+"/good.xml.gz", own+"/gone.xml", "https://elsewhere.invalid/x.xml", own+"/index.xml"))
	text("/deep.xml", 200, index(own+"/deep1.xml"))
	text("/deep1.xml", 200, index(own+"/deep2.xml"))
	text("/deep2.xml", 200, index(own+"/deep3.xml"))
	text("/deep3.xml", 200, index(own+"/good.xml"))
	text("/feed.xml", 200, `<rss><channel><item><title>T</title><link>https://example.com/f</link></item></channel></rss>`)
	text("/list.txt", 200, "https://example.com/t\n")
	text("/report.json", 200, `{"version": 1, "urls": 2, "pages": [{"url": "https://example.com/j", "listed": true, "lastmod": "2024-01-02"}, {"url": "https://example.com/out", "listed": false}]}`)
	text("/array.json", 200, `["https://example.com/k", {"loc": "https://example.com/l"}]`)
	text("/other.json", 200, `{"a": 1}`)
	text("/html.xml", 200, "<!doctype html><html><head><title>Page not found</title>")
	text("/login.xml", 401, "who are you")
	text("/forbidden.xml", 403, "no")
	text("/sorry.xml", 503, "sorry")
	text("/entity.xml", 200, `<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>https://example.com/&x;</loc></url></urlset>`)
	text("/lol.xml", 200, `<!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><urlset><url><loc>https://example.com/&b;</loc></url></urlset>`)
	text("/bomb.xml.gz", 200, zipped("<urlset>"+strings.Repeat(" ", 8<<20)))
	text("/children.xml", 200, index(slices.Repeat([]string{own + "/good.xml"}, 60_000)...))
	mux.HandleFunc("/to-good", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/good.xml", http.StatusFound) })
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://elsewhere.invalid/sitemap.xml", http.StatusFound)
	})
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	mux.HandleFunc("/slow", func(http.ResponseWriter, *http.Request) { <-done })
	endless := func(path, head, more string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, head)
			for more := strings.Repeat(more, 64<<10); r.Context().Err() == nil; {
				if _, err := fmt.Fprint(w, more); err != nil {
					return
				}
			}
		})
	}
	endless("/string.json", `{"findings": "`, "x")
	endless("/url.json", `["https://example.com/`, "x")
	endless("/nested.json", `{"findings": `, "[")
	endless("/spaces.json", `{"findings": `, " ")
	endless("/bytes.xml", "<urlset>", "<!-- -->")
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<urlset>")
		for i := 0; r.Context().Err() == nil; i++ {
			if _, err := fmt.Fprintf(w, "<url><loc>https://example.com/%d</loc></url>\n", i); err != nil {
				return
			}
		}
	})
	for path, want := range map[string]struct{ urls, fails, codes string }{
		"/good.xml":      {urls: "a"},
		"/good.xml.gz":   {urls: "b"},
		"/index.xml":     {urls: "a b", codes: "missing-sitemap*3"},
		"/deep.xml":      {codes: "missing-sitemap*1"},
		"/feed.xml":      {urls: "f"},
		"/list.txt":      {urls: "t"},
		"/report.json":   {urls: "j"},
		"/array.json":    {urls: "k l"},
		"/to-good":       {urls: "a"},
		"/other.json":    {fails: `JSON without "pages" or "urls"`},
		"/html.xml":      {fails: "it is a web page, not a sitemap"},
		"/login.xml":     {fails: "401 Unauthorized: it wants a login"},
		"/forbidden.xml": {fails: "403 Forbidden: it wants a login, or keeps programs out"},
		"/sorry.xml":     {fails: "the site answers 503"},
		"/none.xml":      {fails: "the site answers 404"},
		"/away":          {fails: "redirects to http://elsewhere.invalid/sitemap.xml, which is on another host"},
		"/loop":          {fails: "redirects again and again"},
		"/slow":          {fails: "no complete answer within 50ms"},
		"/endless":       {fails: "the URLs take more than 384 MiB"},
		"/string.json":   {fails: "more than"},
		"/url.json":      {fails: "more than"},
		"/nested.json":   {fails: "exceeded max depth"},
		"/spaces.json":   {fails: "more than"},
		"/bytes.xml":     {fails: "more than 2 GiB of sitemaps"},
		"/entity.xml":    {fails: "has declarations"},
		"/lol.xml":       {fails: "has declarations"},
		"/bomb.xml.gz":   {fails: "bytes without an end"},
		"/children.xml":  {urls: "a", fails: "an index names more than 50000 sitemaps"},
	} {
		t.Run(path[1:], func(t *testing.T) {
			o := ListOptions{AllowRequests: true, Fetch: Options{Timeout: 30 * time.Second}, Budget: &Budget{16 << 20, 16 << 20}}
			if strings.Contains(want.fails, "50ms") {
				o.Fetch.Timeout = 50 * time.Millisecond
			}
			var got []string
			var found diag.Report
			err := ReadList(t.Context(), own+path, o, &found, func(e Entry) {
				if len(got) < 10 {
					got = append(got, strings.TrimPrefix(e.Loc, "https://example.com/"))
				}
			})
			if want.fails == "" && err != nil || want.fails != "" && (err == nil || !strings.Contains(err.Error(), want.fails)) {
				t.Errorf("error %v, want %q", err, want.fails)
			}
			if want.fails == "" && strings.Join(got, " ") != want.urls {
				t.Errorf("URLs %q, want %q", got, want.urls)
			}
			var codes []string
			for _, k := range found.Kinds() {
				codes = append(codes, fmt.Sprintf("%s*%d", k.Code, k.Count))
			}
			if c := strings.Join(codes, " "); c != want.codes && path != "/children.xml" && want.fails == "" {
				t.Errorf("findings %s, want %s: %v", c, want.codes, found.Kinds())
			}
		})
	}
}

// TestReadListKeepsOrderAndBudgetOfChildren checks that the children of an index are read in
// their order, and that reading stops when the budget is exceeded.
func TestReadListKeepsOrderAndBudgetOfChildren(t *testing.T) {
	const children = 20
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	asked := 0
	var all []string
	for i := range children {
		all = append(all, fmt.Sprintf("%s/%d.xml", server.URL, i))
	}
	mux.HandleFunc("/index.xml", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, index(all...)) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		asked++
		name := strings.TrimSuffix(r.URL.Path[1:], ".xml")
		fmt.Fprint(w, set("https://example.com/"+name+"a", "https://example.com/"+name+"b"))
	})
	read := func(budget int64) (got []string, err error) {
		var found diag.Report
		err = ReadList(t.Context(), server.URL+"/index.xml", ListOptions{AllowRequests: true, Budget: &Budget{maxRead, budget}}, &found, func(e Entry) {
			got = append(got, strings.TrimPrefix(e.Loc, "https://example.com/"))
		})
		return got, err
	}
	got, err := read(maxKept)
	if err != nil || len(got) != 2*children || asked != children {
		t.Fatalf("%d URLs, %d requests, %v", len(got), asked, err)
	}
	for i, loc := range got {
		if want := fmt.Sprintf("%d%c", i/2, 'a'+i%2); loc != want {
			t.Errorf("URL %d is %s, want %s", i, loc, want)
		}
	}
	asked = 0
	named := int64(children * (urlOverhead + len(all[children-1])))
	if got, err := read(named + 5*(urlOverhead+30)); err == nil || len(got) != 5 || asked != 3 {
		t.Errorf("%d URLs, %d requests, %v", len(got), asked, err)
	}
}
