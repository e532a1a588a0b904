package site

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/thorough"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// TestPassesManual compares the table of docs/architecture.md with the passes.
func TestPassesManual(t *testing.T) {
	manual, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(manual), "| pass | file | what it does |\n|---|---|---|\n")
	var got, want []string
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "| ") {
			break
		}
		got = append(got, strings.Split(strings.Split(line, " | ")[0][len("| "):], ", ")...)
	}
	for _, p := range passes {
		want = append(want, p.name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the manual has the passes %v, and the code %v", got, want)
	}
}

// TestPasses runs each pass once with all that is known, and once without what it
// does not say that it reads. It writes the same both times, and nothing but what it
// says. Over all sites, it writes each thing that it says.
func TestPasses(t *testing.T) {
	written := map[string]bool{}
	for seed := range uint64(thorough.Or(16, 64)) {
		w := anyWorld(t, seed)
		for i, p := range passes {
			f, blind := upTo(w, i), upTo(w, i)
			all, some := rows(f), rows(blind)
			was, known := parts(f, all), slices.Concat(p.reads, p.writes)
			for name := range was {
				if !slices.Contains(known, name) {
					forget(blind, some, name)
				}
			}
			wanted := p.wanted == nil || p.wanted(f)
			said := fmt.Sprint(f.Findings.Kinds(), f.clock.next)
			p.run(f)
			p.run(blind)
			if now := fmt.Sprint(f.Findings.Kinds(), f.clock.next); !wanted && (now != said || !maps.Equal(parts(f, all), was)) {
				t.Errorf("seed %d: %s is not wanted, and does something", seed, p.name)
			}
			if slices.Contains(p.writes, "pages") { // it makes the rows
				all, some = rows(f), rows(blind)
			}
			is, got := parts(f, all), parts(blind, some)
			for name := range is {
				changed := was[name] != is[name]
				if changed && !slices.Contains(p.writes, name) {
					t.Errorf("seed %d: %s writes %s and does not say so: it was\n%s\nand is\n%s", seed, p.name, name, was[name], is[name])
				}
				if changed {
					written[p.name+" "+name] = true
				}
				if slices.Contains(p.writes, name) && got[name] != is[name] {
					t.Errorf("seed %d: %s reads more than %v, as %s is\n%s\nand without the rest\n%s", seed, p.name, p.reads, name, is[name], got[name])
				}
			}
			if a, b := fmt.Sprint(f.Findings.Kinds(), f.clock.next), fmt.Sprint(blind.Findings.Kinds(), blind.clock.next); a != b {
				t.Errorf("seed %d: %s reads more than %v, as it reports\n%s\nand without the rest\n%s", seed, p.name, p.reads, a, b)
			}
		}
	}
	for _, p := range passes {
		for _, name := range p.writes {
			if !written[p.name+" "+name] {
				t.Errorf("%s says that it writes %s, and never does", p.name, name)
			}
		}
	}
}

// anyWorld is one of many kinds of site.
func anyWorld(t *testing.T, seed uint64) *World {
	e := &editor{seed: seed, rnd: rand.New(rand.NewPCG(seed, 4)), pages: fstest.MapFS{}, content: fstest.MapFS{}}
	e.edit(40)
	if seed%4 == 0 {
		for name, text := range multilingual(e.rnd) {
			e.pages[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	e.remember(t)
	o := e.options(t, true)
	if seed%3 == 0 {
		rules, err := mapping.NewRules([]mapping.Rule{
			{Match: "a/**", Set: sitemap.URL{Loc: "/a/"}},
			{Match: "*.html", Set: sitemap.URL{News: &sitemap.News{Title: "n", PublicationDate: sitemap.DateOf(noon.Add(time.Second-time.Duration(48+seed%2)*time.Hour), sitemap.Second)}}},
			{Match: "b/**", Set: sitemap.URL{Videos: []sitemap.Video{{Title: "bad"}}, News: &sitemap.News{Title: "n"}, Images: []sitemap.Image{{Loc: "i.png"}, {Loc: "i.png"}}}},
			{Match: "b/**", Set: sitemap.URL{Alternates: []sitemap.Alternate{{Lang: "de", Href: "https://a.example/"}, {Lang: "de", Href: "https://b.example/"}}}},
			{Match: "c/x*", Set: sitemap.URL{Loc: "https://elsewhere.example/"}},
			{Match: "/app/"},
			{Match: "nowhere/**"},
		})
		if err != nil {
			t.Fatal(err)
		}
		o.Rules = rules
		o.Extra = append(o.Extra, Extra{URL: sitemap.URL{Loc: "/app/"}}, Extra{URL: sitemap.URL{Loc: "https://elsewhere.example/"}})
		e.pages["soon.html"] = &fstest.MapFile{Data: []byte(`<meta name=robots content="unavailable_after: 2030-01-01">`)}
	}
	if seed%4 == 1 {
		o.Languages = []Language{{Dir: "en", Code: "en"}, {Dir: "de", Code: "de"}}
		for _, dir := range []string{"en", "de"} {
			e.pages[dir+"/only.html"] = &fstest.MapFile{Data: []byte("<title>only</title><p>a")}
		}
	}
	if seed%5 == 0 { // nearly all pages have one date, and may belong to another host
		head := `<meta property="article:modified_time" content="2024-05-01">`
		if seed%10 == 0 {
			head += `<link rel=canonical href="https://elsewhere.example/">`
		}
		for i := range 100 {
			e.pages[fmt.Sprintf("d/%02d.html", i)] = &fstest.MapFile{Data: []byte(head)}
		}
	}
	return known(t, o)
}

// upTo returns what is known after n passes.
func upTo(w *World, n int) *fold {
	f := newFold(w, noon)
	for _, p := range passes[:n] {
		p.run(f)
	}
	return f
}

// rows are all pages of a fold.
func rows(f *fold) (all []*Page) {
	for i := range f.pages {
		all = append(all, &f.pages[i])
	}
	for _, r := range slices.Concat(f.Strays, f.List) {
		if r.Said.File == "" {
			all = append(all, r)
		}
	}
	return all
}

var entryFields = []string{"Loc", "LastMod", "ChangeFreq", "Priority", "Alternates", "Images", "Videos", "News"}

// parts returns each thing that is known in a fold, and of some rows, as a text.
func parts(f *fold, rows []*Page) map[string]string {
	all := map[string]string{
		"pages": fmt.Sprint(len(f.pages)), "Strays": names(rows, f.Strays), "List": names(rows, f.List), "taken": fmt.Sprint(f.taken), "Hits": fmt.Sprint(f.Hits),
		"Canonicals": canonicalNames(rows, &f.Canonicals), "Gaps": gapNames(f.Gaps), "days": fmt.Sprintf("%+v", f.days),
		"Dates": fmt.Sprint(f.Dates), "Ledger": "",
	}
	if f.Ledger != nil {
		all["Ledger"] = string(f.Ledger.AppendTo(nil))
	}
	for _, r := range rows {
		v := reflect.ValueOf(*r)
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "Entry" {
				all[name] += show(v.Field(i))
			}
		}
		for _, name := range entryFields {
			all[name] += show(reflect.ValueOf(r.Entry).FieldByName(name))
		}
	}
	return all
}

func show(v reflect.Value) string {
	if v.IsZero() {
		return ""
	}
	if v.Kind() == reflect.Pointer && !v.IsNil() && v.Type() != reflect.TypeFor[*RuleSet]() {
		v = v.Elem()
	} else if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem().FieldByName("rules")
	}
	return fmt.Sprintf("%v\n", v)
}

// names names pages by their numbers among rows, new ones by their addresses.
func names(rows, pages []*Page) (all string) {
	for _, r := range pages {
		if i := slices.Index(rows, r); i >= 0 {
			all += fmt.Sprint(i, " ")
		} else {
			all += r.Entry.Loc + " "
		}
	}
	return all
}

func canonicalNames(rows []*Page, c *Canonicals) string {
	all := fmt.Sprint(gapNames(&c.Ignored), names(rows, c.Astray))
	for i, r := range rows {
		if to := c.Targets[r]; to != nil {
			all += fmt.Sprint(i, "->", names(rows, []*Page{to}))
		}
	}
	for _, host := range slices.Sorted(maps.Keys(c.Foreign)) {
		all += host + names(rows, c.Foreign[host])
	}
	return all
}

func gapNames(g *Gaps) string {
	report := new(diag.Report)
	if g != nil {
		g.Report(report)
	}
	return fmt.Sprint(report.Kinds())
}

// forget takes one thing from what is known.
func forget(f *fold, rows []*Page, name string) {
	switch name {
	case "pages":
		f.pages = nil
	case "Strays":
		f.Strays = nil
	case "List":
		f.List = nil
	case "taken":
		f.taken = nil
	case "Hits":
		f.Hits = nil
	case "Canonicals":
		f.Canonicals = Canonicals{}
	case "Gaps":
		f.Gaps = nil
	case "days":
		f.days = days{}
	case "Dates":
		f.Dates = nil
	case "Ledger":
		f.Ledger = (*ledger.Ledger)(nil)
	default:
		for _, r := range rows {
			v := reflect.ValueOf(r).Elem()
			if slices.Contains(entryFields, name) {
				v = v.FieldByName("Entry")
			}
			v.FieldByName(name).SetZero()
		}
	}
}

// TestRowsAreSmall keeps 100,000 rows below 20 MiB.
func TestRowsAreSmall(t *testing.T) {
	if size := 100_000 * reflect.TypeFor[Page]().Size(); size > 20<<20 {
		t.Errorf("100,000 rows take %d bytes", size)
	}
}
