//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

const indexNowKey = "7e3f6e8bc47b4f2380ba54aab6088521"

// A publisher is a Hugo site at https://example.internal/ that is deployed several times and
// submits its changes.
type publisher struct {
	*testing.T
	*testsite.Web
	dir, live string
	clock     time.Time
}

func newPublisher(t *testing.T) *publisher {
	p := &publisher{t, testsite.NewWeb(t), t.TempDir(), t.TempDir(), time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)}
	p.Sites["example.internal"] = testsite.ServeFolder(p.live)
	p.write("hugo.toml", "baseURL = 'https://example.internal/'\ntitle = 'Site'\ndisableKinds = ['taxonomy', 'term', 'RSS', 'sitemap']\n")
	p.write("sitemap.yaml", "ledger: .cache/ledger\noutput: {indexnow: "+indexNowKey+"}\n")
	p.writeTemplates("", "2026")
	p.write("content/_index.md", "---\ntitle: Home\n---\nWelcome.\n")
	p.write("content/posts/_index.md", "---\ntitle: Posts\n---\n")
	for _, name := range []string{"about", "contact", "posts/lakes", "posts/rivers", "posts/seas"} {
		p.write("content/"+name+".md", "---\ntitle: "+filepath.Base(name)+"\n---\nThe text of "+name+".\n")
	}
	return p
}

// writeTemplates writes the templates with a class and a year in the footer. They print the time of
// the build on each page.
func (p *publisher) writeTemplates(class, year string) {
	p.write("layouts/_default/baseof.html", `<!doctype html><html><head><title>{{ .Title }}</title><link rel=stylesheet href="/style.css?{{ now.Unix }}"></head><body class="`+class+`"><nav><a href=/>Home</a> `+class+`</nav><main><h1>{{ .Title }}</h1>{{ block "main" . }}{{ end }}</main><footer>Built {{ now }} © `+year+`</footer></body></html>`)
	p.write("layouts/_default/single.html", `{{ define "main" }}{{ .Content }}{{ end }}`)
	p.write("layouts/_default/list.html", `{{ define "main" }}{{ .Content }}<ul>{{ range .RegularPages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul>{{ end }}`)
}

func (p *publisher) write(name, text string) { writeFile(p.T, p.dir, name, text) }

// build removes the publish directory and builds the site and its sitemap.
func (p *publisher) build() {
	p.Helper()
	if err := os.RemoveAll(filepath.Join(p.dir, "public")); err != nil {
		p.Fatal(err)
	}
	run(p.T, p.dir, toolPath(p.T, "hugo"), "--quiet")
	p.run("build", "--report", "json=built.json")
}

// run runs sitewalk, which must succeed.
func (p *publisher) run(args ...string) (out, stderr string) {
	p.Helper()
	out, stderr, err := tryRun(p.T, p.dir, append(p.Env(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", p.clock.Unix())), sitewalk, args...)
	if err != nil {
		p.Fatalf("%s: %v\n%s%s", strings.Join(args, " "), err, out, stderr)
	}
	return out, stderr
}

// deploy replaces the live site with the built site.
func (p *publisher) deploy() {
	p.Helper()
	old, err := os.ReadDir(p.live)
	for _, e := range old {
		if err == nil {
			err = os.RemoveAll(filepath.Join(p.live, e.Name()))
		}
	}
	if err == nil {
		err = os.CopyFS(p.live, os.DirFS(filepath.Join(p.dir, "public")))
	}
	if err != nil {
		p.Fatal(err)
	}
}

var urlList = regexp.MustCompile(`"urlList":(\[[^\]]*\])`)

// dryRunURLs returns the URLs of the requests that a dry run of submit prints.
func (p *publisher) dryRunURLs(args ...string) (urls []string) {
	p.Helper()
	out, _ := p.run(append([]string{"submit", "--dry-run"}, args...)...)
	for _, m := range urlList.FindAllStringSubmatch(out, -1) {
		var part []string
		if err := json.Unmarshal([]byte(m[1]), &part); err != nil {
			p.Fatal(err)
		}
		urls = append(urls, part...)
	}
	return urls
}

// A workday is a day with one change and one deploy.
type workday struct {
	name, change string
	edit         func(*publisher)
	wantPaths    string // of the submitted URLs
}

var week = []workday{
	{"Tuesday", "a new post, which the list of posts links to", func(p *publisher) {
		p.write("content/posts/ponds.md", "---\ntitle: ponds\n---\nThe text of ponds.\n")
	}, "/posts/ /posts/ponds/"},
	{"Wednesday", "no change", func(*publisher) {}, ""},
	{"Thursday", "a new design", func(p *publisher) { p.writeTemplates("new", "2026, the makers") }, ""},
	{"Friday", "an edited page, and a deleted page that the home page links to", func(p *publisher) {
		p.write("content/about.md", "---\ntitle: about\n---\nAnother text.\n")
		if err := os.Remove(filepath.Join(p.dir, "content/contact.md")); err != nil {
			p.Fatal(err)
		}
	}, "/ /about/ /contact/"},
	{"Saturday", "a moved post with an alias, whose link in the list of posts changes", func(p *publisher) {
		p.write("content/posts/oceans.md", "---\ntitle: seas\naliases: [/posts/seas/]\n---\nThe text of posts/seas.\n")
		if err := os.Remove(filepath.Join(p.dir, "content/posts/seas.md")); err != nil {
			p.Fatal(err)
		}
	}, "/posts/ /posts/oceans/ /posts/seas/"},
	{"Sunday", "a front matter change without effect on the page", func(p *publisher) {
		p.write("content/posts/lakes.md", "---\ntitle: lakes\nweight: 0\nnote: to do\n---\nThe text of posts/lakes.\n")
	}, ""},
}

// TestSubmitWeek deploys a Hugo site with one change a day. It checks that submit sends the URLs
// whose content changed, for each kind of file that it can compare with.
func TestSubmitWeek(t *testing.T) {
	p := newPublisher(t)
	p.build()
	p.deploy()
	if _, stderr := p.run("submit"); !strings.Contains(stderr, "nothing is sent: there is no list to compare with") {
		t.Errorf("on the first day, submit prints %s", stderr)
	}
	for _, day := range week {
		p.clock = p.clock.AddDate(0, 0, 1)
		for _, name := range []string{"public/sitemap.xml", "built.json"} {
			src, err := os.ReadFile(filepath.Join(p.dir, name))
			if err != nil {
				t.Fatal(err)
			}
			p.write("old-"+filepath.Base(name), string(src))
		}
		day.edit(p)
		p.build()
		p.run("diff", "https://example.internal/sitemap.xml", "--max-loss", "5", "--report", "json=changes.json")
		p.deploy()
		p.run("submit", "changes.json")
		got := testsite.RequestedURLs(p.TakeRequests())
		paths := make([]string, len(got))
		for i := range got {
			paths[i] = strings.TrimPrefix(got[i], "https://example.internal")
		}
		if s := strings.Join(paths, " "); s != day.wantPaths {
			t.Errorf("on %s (%s), submit sends %q, want %q", day.name, day.change, s, day.wantPaths)
		}
		for _, since := range []string{"old-built.json", "old-sitemap.xml"} {
			if urls := p.dryRunURLs("--since", since); !slices.Equal(urls, got) {
				t.Errorf("on %s, submit --since %s would send %q, want %q", day.name, since, urls, got)
			}
		}
		p.run("submit", "changes.json")
		if again := testsite.RequestedURLs(p.TakeRequests()); !slices.Equal(again, got) {
			t.Errorf("on %s, the second submit sends %q, want %q again", day.name, again, got)
		}
	}
}

// TestSubmitOverTLS submits to the default engine over TLS and a proxy. It checks that submit
// accepts only a certificate of an authority that the system trusts.
func TestSubmitOverTLS(t *testing.T) {
	p := newPublisher(t)
	p.build()
	p.deploy()
	out, stderr, err := tryRun(t, p.dir, p.ProxyEnv(), sitewalk, "submit", "--all", "--wait", "0s")
	if err == nil || !strings.Contains(stderr, "certificate") || len(p.TakeRequests()) > 0 {
		t.Errorf("submit without a trusted authority: %v, want a certificate error\n%s%s", err, out, stderr)
	}
	p.run("submit", "--all")
	requests := p.TakeRequests()
	if len(requests) != 1 || requests[0].Engine != "api.indexnow.org" || len(requests[0].URLs) != 7 {
		t.Errorf("requests %v, want one to api.indexnow.org with 7 URLs", requests)
	}
}
