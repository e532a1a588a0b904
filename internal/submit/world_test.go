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

// A world contains all servers for a submission: sites and a search engine. It answers requests
// inside the process, so that tests can use a fake clock.
type world struct {
	t      *testing.T
	dir    string
	sites  map[string]*webSite
	engine *searchEngine
	env    map[string]string
}

// A webSite contains the files that a host serves.
type webSite struct {
	files   map[string]string // by path
	headers map[string]string // by path: a line of a header
	status  map[string]int    // by path, in place of 200
	before  map[string]string // by path, until then
	until   time.Time
}

// RoundTrip answers a request to the sites or to the search engine.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	var h http.Handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { w.t.Errorf("a request to %s", r.URL) })
	if s := w.sites[r.URL.Host]; s != nil {
		h = s
	} else if strings.HasSuffix(r.URL.Path, "/indexnow") {
		h = w.engine
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

func (s *webSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if line := s.headers[r.URL.Path]; line != "" {
		name, value, _ := strings.Cut(line, ": ")
		w.Header().Set(name, value)
	}
	text, ok := s.files[r.URL.Path]
	if old := s.before[r.URL.Path]; time.Now().Before(s.until) && old != "" {
		text = old
	}
	switch {
	case s.status[r.URL.Path] != 0:
		w.WriteHeader(s.status[r.URL.Path])
	case !ok:
		w.WriteHeader(http.StatusNotFound)
	}
	io.WriteString(w, text)
}

// A searchEngine implements the IndexNow protocol. It requests the key files of the sites.
// See https://www.indexnow.org/documentation
type searchEngine struct {
	world    *world
	answers  []func(http.ResponseWriter, *http.Request) // to the next requests, in place of its own
	got      []payload
	raw      []string // the requests as they came
	at       []time.Time
	received func(n int) // is told of each request
}

func (e *searchEngine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.at = append(e.at, time.Now())
	e.raw = append(e.raw, fmt.Sprintf("%s %s\nContent-Type: %s\n%s", r.Method, r.URL.Path, r.Header.Get("Content-Type"), body))
	if e.received != nil {
		e.received(len(e.raw))
	}
	if len(e.answers) > 0 {
		next := e.answers[0]
		e.answers = e.answers[1:]
		if next != nil {
			next(w, r)
			return
		}
	}
	code, p := e.judge(r, body)
	if code == http.StatusOK {
		e.got = append(e.got, p)
	}
	w.WriteHeader(code)
}

// judge returns the status for a request according to the protocol.
func (e *searchEngine) judge(r *http.Request, body []byte) (int, payload) {
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
	site := e.world.sites[p.Host]
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

// sent returns the URLs that the engine accepted, sorted.
func (e *searchEngine) sent() (all []string) {
	for _, p := range e.got {
		all = append(all, p.URLs...)
	}
	slices.Sort(all)
	return all
}

func newWorld(t *testing.T) *world {
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, t.TempDir())
	}
	w := &world{t: t, dir: t.TempDir(), sites: map[string]*webSite{}, env: map[string]string{}}
	w.engine = &searchEngine{world: w}
	w.write("sitemap.yaml", "output: {indexnow: "+testKey+"}\n")
	return w
}

func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(name string) []byte {
	w.t.Helper()
	src, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		w.t.Fatal(err)
	}
	return src
}

// publish adds pages and a sitemap that lists them to a host.
func (w *world) publish(base string, pages ...string) *webSite {
	u, err := url.Parse(base)
	if err != nil {
		w.t.Fatal(err)
	}
	s := &webSite{files: map[string]string{u.Path + testKey + ".txt": testKey}, headers: map[string]string{}, status: map[string]int{}}
	var b strings.Builder
	b.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, p := range pages {
		fmt.Fprintf(&b, "<url><loc>%s%s</loc><lastmod>2026-01-02</lastmod></url>", base, p)
		s.files[u.Path+p] = "<!doctype html><title>A page</title><p>Text"
	}
	s.files[u.Path+"sitemap.xml"] = b.String() + "</urlset>"
	w.sites[u.Host] = s
	return s
}

// changes returns a list of changes in the format of "sitewalk diff". Each argument is a class
// and a URL, such as "added URL".
func (w *world) changes(base string, lines ...string) {
	type change map[string]string
	list := []change{}
	for _, line := range lines {
		class, loc, _ := strings.Cut(line, " ")
		c := change{"class": strings.ReplaceAll(class, "_", " "), "url": loc, "level": "note"}
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
		w.t.Fatal(err)
	}
	w.write("changes.json", string(doc))
}

// submit runs a submission of changes.json.
func (w *world) submit(set func(*Options)) (*Submission, error) {
	o := w.options()
	if set != nil {
		set(&o)
	}
	return Run(w.t.Context(), o)
}

// options returns the options for a submission of changes.json.
func (w *world) options() Options {
	o := Options{
		Changes: "changes.json", Client: &http.Client{Transport: w}, Print: io.Discard,
		Input: config.Input{Dir: w.dir, Getenv: func(name string) string { return w.env[name] }, Flags: config.Flags{}, Now: time.Now()},
	}
	o.Build.Dir, o.Build.MaxKept = w.dir, -1
	return o
}

// codes returns the codes of the findings.
func codes(s *Submission) string {
	var out []string
	for _, k := range s.Findings.Kinds() {
		out = append(out, fmt.Sprintf("%s*%d", k.Code, k.Count))
	}
	return strings.Join(out, " ")
}
