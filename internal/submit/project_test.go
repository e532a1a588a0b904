package submit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/writer"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	m.Run()
}

const testKey = "7e3f6e8bc47b4f2380ba54aab6088521"

// A testProject is a project with a settings file, whose sites and search engine are fakes. It
// answers requests inside the process, so that tests can use a fake clock.
type testProject struct {
	t      *testing.T
	dir    string
	sites  map[string]*fakeSite
	engine *fakeEngine
	env    map[string]string
}

// A fakeSite serves the files of a host.
type fakeSite struct {
	files      map[string]string // by path
	oldFiles   map[string]string // content by path before deployTime
	deployTime time.Time
}

// RoundTrip answers a request to one of the sites or to the search engine.
func (p *testProject) RoundTrip(r *http.Request) (*http.Response, error) {
	var h http.Handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { p.t.Errorf("unexpected request to %s", r.URL) })
	if s := p.sites[r.URL.Host]; s != nil {
		h = s
	} else if strings.HasSuffix(r.URL.Path, "/indexnow") {
		h = p.engine
	}
	rec := httptest.NewRecorder()
	broken := func() (broken bool) {
		defer func() { broken = recover() != nil }()
		h.ServeHTTP(rec, r)
		return false
	}()
	switch {
	case broken:
		return nil, io.ErrUnexpectedEOF
	case r.Context().Err() != nil:
		return nil, r.Context().Err()
	}
	out := rec.Result()
	out.Request = r
	return out, nil
}

func (s *fakeSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, ok := s.files[r.URL.Path]
	if old := s.oldFiles[r.URL.Path]; time.Now().Before(s.deployTime) && old != "" {
		text = old
	}
	if !ok {
		w.WriteHeader(http.StatusNotFound)
	}
	io.WriteString(w, text)
}

// A fakeEngine implements the IndexNow protocol. It looks up the key files of the sites. See
// https://www.indexnow.org/documentation
type fakeEngine struct {
	project   *testProject
	answers   []func(http.ResponseWriter, *http.Request) // answers to the next requests, instead of checkRequest; nil for checkRequest
	accepted  []payload
	requests  []string    // method, path, content type and body of each request
	onRequest func(n int) // called with the number of requests; or nil
}

func (e *fakeEngine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.requests = append(e.requests, fmt.Sprintf("%s %s\nContent-Type: %s\n%s", r.Method, r.URL.Path, r.Header.Get("Content-Type"), body))
	if e.onRequest != nil {
		e.onRequest(len(e.requests))
	}
	if len(e.answers) > 0 {
		next := e.answers[0]
		e.answers = e.answers[1:]
		if next != nil {
			next(w, r)
			return
		}
	}
	code, p := e.checkRequest(r, body)
	if code == http.StatusOK {
		e.accepted = append(e.accepted, p)
	}
	w.WriteHeader(code)
}

// checkRequest returns the status for a request according to the protocol.
func (e *fakeEngine) checkRequest(r *http.Request, body []byte) (int, payload) {
	var p payload
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case r.Method != http.MethodPost:
		return http.StatusMethodNotAllowed, p
	case err != nil || media != "application/json" || params["charset"] != "utf-8" || d.Decode(&p) != nil:
		return http.StatusBadRequest, p
	case writer.CheckKey(p.Key) != nil || len(p.URLs) == 0 || len(p.URLs) > 10_000 || strings.ContainsAny(p.Host, "/"):
		return http.StatusUnprocessableEntity, p
	}
	location := "https://" + p.Host + "/" + p.Key + ".txt"
	if p.KeyLocation != "" {
		location = p.KeyLocation
	}
	at, err := url.Parse(location)
	if err != nil || at.Host != p.Host {
		return http.StatusUnprocessableEntity, p
	}
	site := e.project.sites[p.Host]
	if site == nil || strings.TrimSpace(site.files[at.Path]) != p.Key {
		return http.StatusForbidden, p
	}
	for _, loc := range p.URLs {
		u, err := url.Parse(loc)
		if err != nil || u.Host != p.Host || u.Fragment != "" || !strings.HasPrefix(u.Path, strings.TrimSuffix(path.Dir(at.Path), "/")+"/") {
			return http.StatusUnprocessableEntity, p
		}
	}
	return http.StatusOK, p
}

// acceptedURLs returns the URLs that the engine accepted, sorted.
func (e *fakeEngine) acceptedURLs() (all []string) {
	for _, p := range e.accepted {
		all = append(all, p.URLs...)
	}
	slices.Sort(all)
	return all
}

// newTestProject returns a project without sites, whose settings file sets the IndexNow key
// testKey.
func newTestProject(t *testing.T) *testProject {
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, t.TempDir())
	}
	p := &testProject{t: t, dir: t.TempDir(), sites: map[string]*fakeSite{}, env: map[string]string{}}
	p.engine = &fakeEngine{project: p}
	p.writeFile("sitemap.yaml", "output: {indexnow: "+testKey+"}\n")
	return p
}

func (p *testProject) writeFile(name, text string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *testProject) readFile(name string) []byte {
	p.t.Helper()
	src, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return src
}

// publish adds a site that serves the key file, the pages, and a sitemap that lists them. The
// pages are paths relative to base.
func (p *testProject) publish(base string, pages ...string) *fakeSite {
	u, err := url.Parse(base)
	if err != nil {
		p.t.Fatal(err)
	}
	s := &fakeSite{files: map[string]string{u.Path + testKey + ".txt": testKey}}
	var b strings.Builder
	b.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, page := range pages {
		fmt.Fprintf(&b, "<url><loc>%s%s</loc><lastmod>2026-01-02</lastmod></url>", base, page)
		s.files[u.Path+page] = "<!doctype html><title>A page</title><p>Text"
	}
	s.files[u.Path+"sitemap.xml"] = b.String() + "</urlset>"
	p.sites[u.Host] = s
	return s
}

// writeChanges writes changes.json, a list of changes in the format of "sitewalk diff". Each line
// is a class and a URL, such as "added URL".
func (p *testProject) writeChanges(base string, lines ...string) {
	type change map[string]string
	list := []change{}
	for _, line := range lines {
		class, loc, _ := strings.Cut(line, " ")
		c := change{"class": class, "url": loc, "level": "note"}
		if class == "added" || class == "changed" {
			c["is"] = "2026-01-02"
		}
		list = append(list, c)
	}
	doc, err := json.MarshalIndent(map[string]any{
		"version": 1, "command": "diff", "verdict": "passed", "base_url": base, "findings": []int{},
		"changes": map[string]any{"old": "x", "new": "", "was": 9, "is": 9, "same": 0, "list": list},
	}, "", "  ")
	if err != nil {
		p.t.Fatal(err)
	}
	p.writeFile("changes.json", string(doc))
}

// submit runs a submission of changes.json. set may change the options, or is nil.
func (p *testProject) submit(set func(*Options)) (*Submission, error) {
	o := p.options()
	if set != nil {
		set(&o)
	}
	return Run(p.t.Context(), o)
}

// options returns the options for a submission of changes.json.
func (p *testProject) options() Options {
	o := Options{
		Changes: "changes.json", Client: &http.Client{Transport: p}, Print: io.Discard, Logf: p.t.Logf,
		Input: config.Input{Dir: p.dir, Getenv: func(name string) string { return p.env[name] }, Flags: config.Flags{}, Now: time.Now()},
	}
	o.Build.Dir, o.Build.MaxKept = p.dir, -1
	return o
}

// formatCodes returns the codes of the findings and the number of findings with each code.
func formatCodes(s *Submission) string {
	var out []string
	for _, k := range s.Build.Findings.Kinds() {
		out = append(out, fmt.Sprintf("%s*%d", k.Code, k.Count))
	}
	return strings.Join(out, " ")
}
