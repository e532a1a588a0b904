package site

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/gitdates"
	"github.com/sitewalk/sitewalk/internal/parallel"
	"github.com/sitewalk/sitewalk/internal/versions"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// GitAnswers are what git said of files, by their paths for the operating
// system. They are never changed.
type GitAnswers struct {
	dates        map[string]gitdates.Result // nil before git was asked
	trouble      diag.List
	repositories []string
	deploys      bool // that built files were among them, whose deploys are counted
}

// Repositories returns the tops of the work trees that git was asked about,
// sorted, as the operating system names them.
func (g *GitAnswers) Repositories() []string { return slices.Clone(g.repositories) }

// Forget returns answers of which only the repositories are known, so that git is
// asked again.
func (g *GitAnswers) Forget() *GitAnswers { return &GitAnswers{repositories: g.repositories} }

// Without returns the answers but for files that changed. What is wrong with a repository is
// counted in files, and so are deploys: then git is asked again about all.
func (g *GitAnswers) Without(files []string) *GitAnswers {
	stale := slices.DeleteFunc(files, func(file string) bool { _, ok := g.dates[file]; return !ok })
	switch {
	case len(stale) == 0:
		return g
	case len(g.trouble) > 0 || g.deploys:
		return g.Forget()
	}
	rest := *g
	rest.dates = maps.Clone(g.dates)
	for _, file := range stale {
		delete(rest.dates, file)
	}
	return &rest
}

// Recovered reports whether git failed, and says something else when it is asked again.
func (g *GitAnswers) Recovered(ctx context.Context, o Options) bool {
	failed := false
	for _, got := range g.dates {
		failed = failed || got.Failed()
	}
	if !failed {
		return false
	}
	now, _ := gitdates.Read(ctx, slices.Collect(maps.Keys(g.dates)), gitdates.Options{Committer: o.Git.Committer})
	return ctx.Err() == nil && !maps.Equal(now, g.dates)
}

// askGit reads the dates of all content files whose pages no earlier source of dates
// speaks for; rules and the ledger, which are not known yet, are taken to be
// silent. A built page without a source may itself be tracked.
func askGit(ctx context.Context, w *World) error {
	files, count := w.gitFiles()
	again := w.git.dates != nil
	if again && (len(w.git.trouble) > 0 || w.git.deploys) && count != len(w.git.dates) {
		return w.askGitAgain(ctx)
	}
	if len(files) == 0 {
		return nil
	}
	asked := map[string]bool{}
	o := w.gitOptions()
	deploys := w.git.deploys
	o.Deployed = func(file string) (folder string, ok bool) {
		folder, ok = w.deployedIn(file)
		deploys = deploys || ok
		return folder, ok
	}
	o.Text = w.facts.Fingerprinter()
	o.Repository = func(root string) { asked[root] = true }
	dates, ds := gitdates.Read(ctx, files, o)
	if again && len(ds)+len(w.git.trouble) > 0 {
		return w.askGitAgain(ctx)
	}
	if again {
		for _, root := range w.git.repositories {
			asked[root] = true
		}
		all := maps.Clone(w.git.dates)
		maps.Copy(all, dates)
		dates = all
	}
	w.git = GitAnswers{dates, ds, slices.Sorted(maps.Keys(asked)), deploys}
	return ctx.Err()
}

// askGitAgain asks about all files, as some of them do not count for all.
func (w *World) askGitAgain(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.git.dates, w.git.trouble = nil, nil
	return askGit(ctx, w)
}

// gitFiles returns the files that git is to be asked about, and how many it is
// to know, those included that it was asked about before.
func (w *World) gitFiles() (files []string, count int) {
	at := slices.Index(w.o.LastMod, "git")
	earlier := slices.DeleteFunc(w.sources()[:at], func(src Source) bool { return src.Name == "rule" || src.Name == "ledger" || !src.heard(w) })
	all := make([]string, len(w.pages))
	parallel.Parts(len(all), func(from, to int) (_ struct{}) {
		d := newDating(w, w.o.Now, nil, days{builds: w.stamps.html})
		r := new(Page)
		for i := from; i < to; i++ {
			if *r = (Page{Said: w.pages[i], Content: w.contentOf(i)}); r.Said.Own != page.Listed {
				continue
			}
			if _, by := d.resolve(earlier, r, nil); by == "" {
				all[i] = w.historyFile(r)
			}
		}
		return
	})
	all = slices.DeleteFunc(all, func(file string) bool { return file == "" })
	count = len(all)
	return slices.DeleteFunc(all, func(file string) bool { _, known := w.git.dates[file]; return known }), count
}

// deployedIn returns the folder of the site that is deployed together with a built file: that
// of its version, or "". ok is false for a file that no generator built.
func (w *World) deployedIn(file string) (folder string, ok bool) {
	if w.o.Pages == nil || w.o.Pages.Dir == "" {
		return "", false
	}
	rel, err := filepath.Rel(w.o.Pages.Dir, file)
	if err != nil {
		return "", false
	}
	rel = filepath.ToSlash(rel)
	i, ok := findFact(w.pages, rel)
	if !ok || w.contentOf(i) != nil || w.EditFile(w.pages[i]) != "" {
		return "", false
	}
	set, name, _ := versions.Of(w.versions, rel)
	if set == nil {
		return "", true
	}
	return path.Join(set.Parent, name), true
}

// historyFile returns the file whose history is the page's, as the operating
// system names it, or "".
func (w *World) historyFile(r *Page) string {
	switch {
	case w.EditFile(r.Said) != "":
		return w.EditFile(r.Said)
	case r.Content != nil && w.o.Content.Dir != "":
		return w.o.Content.Path(r.Content.File)
	case r.Content == nil && w.o.Pages != nil && w.o.Pages.Dir != "":
		return w.o.Pages.Path(r.Said.File)
	}
	return ""
}

func gitDate(d *dating, r *Page) answer {
	file := d.world.historyFile(r)
	if file == "" {
		return answer{note: "the page has no file that git could know"}
	}
	got, ok := d.world.git.dates[file]
	switch {
	case !ok:
		return answer{note: "not asked: an earlier source speaks"}
	case got.Date.IsZero():
		return answer{note: got.Why, after: got.After}
	}
	a := answer{date: got.Date, tell: commitNote}
	if !got.New {
		a.after = got.Date
	}
	return a
}

func commitNote(d *dating, r *Page) (note string, pos diag.Pos) {
	note = "author date of the last commit"
	if d.world.o.Git.Committer {
		note = "committer date of the last commit"
	}
	switch {
	case r.Content != nil:
		return note, d.world.ContentPos(r)
	case d.world.EditFile(r.Said) == "":
		return note, d.world.Pos(r)
	}
	return note, diag.Pos{File: d.world.EditFile(r.Said)}
}

// deploy returns the date of the deploy that git would take for the page's last change,
// were it not known for one.
func (w *World) deploy(r *Page) sitemap.Date {
	if got := w.git.dates[w.historyFile(r)]; got.Date.IsZero() {
		return got.Deploy
	}
	return sitemap.Date{}
}

func (w *World) gitOptions() gitdates.Options {
	return gitdates.Options{Committer: w.o.Git.Committer, Deepen: w.o.Git.Deepen, Budget: w.gitTime}
}
