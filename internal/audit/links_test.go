package audit

import (
	"cmp"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/walker"
)

// linkFindings returns the findings about the links of the site in dir, which is served at base. An
// empty host means that the host is detected.
func linkFindings(t *testing.T, dir, base, host string, fragments bool) []diag.Diagnostic {
	t.Helper()
	filter, err := walker.NewFilter(walker.HTMLFiles, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := mapping.ParseBase(base)
	if err != nil {
		t.Fatal(err)
	}
	h, _ := hosting.Load(hosting.Input{Name: cmp.Or(host, hosting.Auto), Publish: os.DirFS(dir), Root: os.DirFS(dir)})
	s := site.Options{Hosting: h, Options: facts.Options{
		Pages: &facts.Tree{Files: walker.Dir(dir), Filter: filter, Name: "public", Dir: dir},
		Base:  b, Style: h.Style(), MaxKept: -1,
	}}
	l := newLinkCollector(fragments, &s.Options)
	s.Bodies = l.CollectPage
	set, err := facts.Learn(t.Context(), s.FactsOptions())
	if err != nil {
		t.Fatal(err)
	}
	world, err := site.Relate(t.Context(), set, s)
	if err != nil {
		t.Fatal(err)
	}
	found := &diag.Report{MaxKept: -1}
	none, _ := mapping.NewRules(nil)
	result := site.ListPages(world, time.Unix(0, 0))
	c := &CheckRun{
		Build: &engine.Build{Result: result, Findings: found, Settings: &config.Settings{Site: s, ServedByCode: none, Archives: none}}, explainer: explain.New(result),
	}
	if err := l.Report(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	var all []diag.Diagnostic
	for _, k := range found.Kinds() {
		all = append(all, k.List...)
	}
	return all
}

// findingPaths returns the decoded URL paths that findings with the given code are about, sorted.
func findingPaths(t *testing.T, ds []diag.Diagnostic, code string) (out []string) {
	t.Helper()
	for _, d := range ds {
		if d.Code != code {
			continue
		}
		u, err := url.Parse(strings.Split(d.Subject, "#")[0])
		if err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexByte(d.Subject, '#'); i >= 0 {
			u.Path += d.Subject[i:]
		}
		out = append(out, u.Path)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// newTree writes files into a new folder and returns it. The keys of files are slash-separated
// paths.
func newTree(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	writeFiles(t, dir, files)
	return dir
}

// requireOracleAgrees checks that sitewalk and the oracle find the same problems in the site in
// dir. It returns the oracle.
func requireOracleAgrees(t *testing.T, dir, base string) *oracle {
	t.Helper()
	found := linkFindings(t, dir, base, "nginx", true)
	o := newOracle(t, dir, base)
	dead, fragments, orphans := o.findProblems()
	for _, w := range []struct {
		code string
		want []string
	}{{"dead-link", dead}, {"dead-fragment", fragments}, {"orphan-page", orphans}} {
		got := findingPaths(t, found, w.code)
		for _, s := range got {
			if !slices.Contains(w.want, s) {
				t.Errorf("%s: got %s, want no finding as in the oracle", w.code, s)
			}
		}
		for _, s := range w.want {
			if !slices.Contains(got, s) {
				t.Errorf("%s: got no finding about %s, want one as in the oracle", w.code, s)
			}
		}
	}
	t.Logf("%d links on %d pages: %d dead links, %d dead fragments, %d orphan pages, %d invalid URLs",
		len(o.links), len(o.pages), len(dead), len(fragments), len(orphans), len(o.invalid))
	for _, s := range o.invalid {
		t.Log(s)
	}
	return o
}
