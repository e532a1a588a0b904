package config

import (
	"cmp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // for systems without a time zone database

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
)

// resolveDates sets the sources of page dates, such as git and front matter, in the order of their
// precedence. It also sets the options of these sources, and the time zone of dates that have no
// zone.
func (r *resolver) resolveDates() {
	o := &r.settings.Site
	o.Zone = cmp.Or(r.project.Zone, time.UTC)
	if r.project.Zone != nil || r.file.Timezone.IsSet() {
		r.resolveZone()
	}
	if r.settings.File != "" {
		r.diags = append(r.diags, r.file.decodeDates(o.Zone)...)
	}
	o.Front = frontmatter.Options{Conventions: r.project.Front, Zone: o.Zone}
	o.Page.Zone = o.Zone
	o.Git.Committer = r.resolveWord("git_date", r.file.GitDate) == "committer"
	o.Git.DeepenHint = hosting.FullHistoryAdvice(r.input.Getenv)
	o.LastMod = site.SourceNames()
	if r.lookUpSetting("lastmod", text{Pos: r.file.LastMod.Pos}).by != "" {
		r.namedSources = r.resolveDateSources()
		o.LastMod = r.namedSources
	} else if len(r.project.Sources) > 0 {
		o.LastMod = r.sortDateSources(o.LastMod)
	}
	o.WhyUnused = map[string]string{}
	for _, src := range site.Sources {
		if src.WhyOptIn != nil && !slices.Contains(r.namedSources, src.Name) {
			o.WhyUnused[src.Name] = src.WhyOptIn(r.input.Getenv)
		}
	}
}

// resolveZone sets the time zone of dates that have no zone. A zone in the settings file overrides
// the zone in the generator's configuration.
func (r *resolver) resolveZone() {
	c := r.resolveText("timezone", r.file.Timezone)
	if c.by == "" {
		r.recordOrigin("timezone", r.project.Zone.String(), "detected", diag.Pos{}, "as "+r.project.Name+" is told")
		return
	}
	z, err := time.LoadLocation(c.V)
	if err != nil || c.V == "Local" {
		r.rejectValue(c, "bad-value", "%q is not a time zone; write UTC or a name such as Europe/Berlin", c.V)
		return
	}
	r.settings.Site.Zone = z
}

// resolveDateSources returns the date sources that the lastmod setting names. It rejects unknown and
// repeated names. If the only name is "none", the result is empty.
func (r *resolver) resolveDateSources() []string {
	items, c := r.resolveList("lastmod", r.file.LastMod)
	words := keySettings["lastmod"].words
	if len(items) != 1 {
		words = site.SourceNames()
	}
	out := r.checkWords(items, c, words)
	return slices.DeleteFunc(append([]string{}, out...), func(name string) bool { return name == noSources })
}

// sortDateSources returns a copy of usual, the date sources in their usual order. If the
// generator's configuration defines an order for some of them, these sources are in that order.
func (r *resolver) sortDateSources(usual []string) []string {
	out := slices.Clone(usual)
	order := r.project.Sources
	for i := len(order) - 2; i >= 0; i-- {
		from, to := slices.Index(out, order[i]), slices.Index(out, order[i+1])
		if from > to {
			out = slices.Insert(slices.Delete(out, from, from+1), to, order[i])
		}
	}
	if !slices.Equal(out, usual) {
		r.recordOrigin("lastmod", strings.Join(out, ", "), "detected", diag.Pos{}, "the order that "+r.project.Name+" has for them")
	}
	return out
}

// resolveLedger sets the paths and the options of the ledger. The ledger is a file that records the
// fingerprint and the date of each page.
func (r *resolver) resolveLedger() {
	read, write := r.ledgerChoices()
	if read.by == "" {
		if slices.Contains(r.namedSources, site.SourceLedger) {
			r.diags.Warnf(diag.Pos{}, "idle-ledger", "add ledger: sitemap.ledger to sitemap.yaml",
				"lastmod names ledger, but no ledger is set")
		}
		return
	}
	if r.settings.Site.Pages == nil {
		r.diags.Warnf(read.Pos, "idle-ledger", "name the folder of the built site, or remove the ledger",
			"the ledger records built pages, but only content files are read")
	}
	remote := strings.HasPrefix(read.V, "http://") || strings.HasPrefix(read.V, "https://")
	switch {
	case strings.Contains(write.V, "://"):
		r.rejectValue(write, "bad-path", "%q is not a path", write.V)
	case remote && write.V == "":
		r.rejectValue(read, "bad-value", "is a URL, to which nothing can be written; add write: PATH")
	case strings.Contains(read.V, "://") && !remote:
		r.rejectValue(read, "bad-url", "%q is neither a path nor an http or https URL", read.V)
	}
	if write.V == "" {
		write = read
	}
	r.settings.LedgerFrom, r.settings.LedgerTo = read.V, r.choicePath(write)
	if !remote {
		r.settings.LedgerFrom = r.choicePath(read)
	}
	v := r.file.Ledger.V
	r.settings.LedgerOptions.Continue = r.resolveWord("ledger.on_error", v.OnError) == "continue"
	newPages := r.resolveWord("ledger.new", v.New)
	r.settings.Site.Page.ContentHash = true
	r.settings.Site.Page.Fingerprint = r.resolveFingerprint(v.Fingerprint)
	r.settings.Site.LedgerUpdate = ledger.UpdateOptions{
		FingerprintVersion: r.settings.Site.Page.Fingerprint.Version(), NewUndated: newPages == "none",
	}
}

// ledgerChoices returns where to read the ledger, a path or a URL, and where to write it. The
// --ledger flag and its environment variable set both results. In the settings file, ledger.write
// sets both if ledger.read is not set. With ledger.read alone, write has no value. Both results are
// zero if no ledger is set.
func (r *resolver) ledgerChoices() (read, write choice) {
	if c := r.resolveText("ledger", text{}); c.by != "" {
		if c.V == "" {
			r.rejectValue(c, "bad-path", "is empty; name a file")
		}
		return c, c
	}
	l := r.file.Ledger
	if !l.IsSet() || !l.V.Read.IsSet() && !l.V.Write.IsSet() {
		return choice{}, choice{}
	}
	if !l.V.Read.IsSet() {
		l.V.Read = l.V.Write
	}
	return r.resolveText("ledger.read", l.V.Read), r.resolveText("ledger.write", l.V.Write)
}

// resolveFingerprint returns the valid CSS selectors in f: Include for content that a fingerprint
// covers, and Exclude for content that it ignores. It rejects invalid selectors. If f has too many
// selectors, it rejects f and returns no selectors.
func (r *resolver) resolveFingerprint(f Fingerprint) (o page.FingerprintOptions) {
	add := func(key string, list texts) (out []string) {
		selectors, _ := r.resolveList(key, list)
		for _, s := range selectors {
			if err := (page.FingerprintOptions{Include: []string{s.V}}).Check(); err != nil {
				r.rejectValue(fileChoice(key, s), "bad-value", "%v", err)
				continue
			}
			out = append(out, s.V)
		}
		return out
	}
	o.Include = add("ledger.fingerprint.include", f.Include)
	o.Exclude = add("ledger.fingerprint.exclude", f.Exclude)
	if err := o.Check(); err != nil { // there are too many selectors
		r.rejectValue(fileChoice("ledger.fingerprint", slices.Concat(f.Include.V, f.Exclude.V)[0]), "bad-value", "%v", err)
		return page.FingerprintOptions{}
	}
	return o
}
