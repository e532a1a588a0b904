package scripts

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sitewalk/sitewalk/internal/cli"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// An effect is a change of a setting that must change the output or the files of a command.
type effect struct {
	before, after string // sitemap.yaml of the two runs, without the keys of defaultYAML
	args          string // command line, "build" by default
	more          string // additional flags of the second run
	prior         string // sitemap.yaml of an additional build on the day before
	env           string // an environment variable of both runs, "NAME=VALUE"
	file          string // an additional file of both runs
	committed     bool   // both runs are in a git repository
}

// jsonSeconds matches the duration of a run in a JSON report.
var jsonSeconds = regexp.MustCompile(`"seconds": ?[0-9.e+-]+`)

const unreachableLedger = "ledger: {read: 'http://127.0.0.1:1/l', write: s.ledger, on_error: continue}\n"

const indexNowYAML = "output: {indexnow: 7e3f6e8bc47b4f2380ba54aab6088521}\n"

// defaultYAML contains the lines that withDefaults adds to a sitemap.yaml.
const defaultYAML = "base_url: https://example.org/\npages: {dir: public}\n"

// keyEffects has an effect for each key of sitemap.yaml that has no keys below it. fieldEffects
// returns the effects of the fields of an entry.
var keyEffects = map[string]effect{
	"base_url":                   {after: "base_url: https://example.net/\n"},
	"pages.dir":                  {after: "pages: {dir: other}\n"},
	"pages.include":              {after: "pages: {dir: public, include: ['a/**']}\n"},
	"pages.exclude":              {after: "pages: {dir: public, exclude: ['a/**']}\n"},
	"content.dir":                {after: "content: {dir: other}\n"},
	"content.edit_links":         {after: "content: {edit_links: true}\n"},
	"host":                       {after: "host: nginx\n"},
	"generator":                  {after: "generator: none\n"},
	"urls.html":                  {after: "urls: {html: strip}\n"},
	"urls.slash":                 {after: "urls: {slash: remove}\n"},
	"obey_robots":                {after: "obey_robots: false\n"},
	"lastmod":                    {after: "lastmod: []\n"},
	"timezone":                   {after: "timezone: America/New_York\n"},
	"git_date":                   {after: "git_date: committer\n", args: "list", committed: true},
	"ledger.read":                {before: "ledger: {write: s.ledger}\n", after: "ledger: {read: old.ledger, write: s.ledger}\n", prior: "ledger: old.ledger\n"},
	"ledger.write":               {after: "ledger: {write: s.ledger}\n"},
	"ledger.new":                 {before: "ledger: {write: s.ledger}\n", after: "ledger: {write: s.ledger, new: none}\n", prior: "ledger: s.ledger\npages: {dir: public, exclude: ['de/**']}\n"},
	"ledger.on_error":            {before: "ledger: {read: 'http://127.0.0.1:1/l', write: s.ledger}\n", after: unreachableLedger},
	"ledger.fingerprint.include": {before: "ledger: {write: s.ledger}\n", after: "ledger: {write: s.ledger, fingerprint: {include: [h1]}}\n"},
	"ledger.fingerprint.exclude": {before: "ledger: {write: s.ledger}\n", after: "ledger: {write: s.ledger, fingerprint: {exclude: [h1]}}\n"},
	"defaults.changefreq":        {after: "defaults: {changefreq: weekly}\n"},
	"defaults.priority":          {after: "defaults: {priority: 0.7}\n"},
	"rules.files":                {before: "rules: [{files: 'none/**', exclude: true}]\n", after: "rules: [{files: 'a/**', exclude: true}]\n"},
	"rules.urls":                 {before: "rules: [{urls: '/none/', exclude: true}]\n", after: "rules: [{urls: '/a/', exclude: true}]\n"},
	"rules.exclude":              {before: "rules: [{urls: '/a/', priority: 0.5}]\n", after: "rules: [{urls: '/a/', priority: 0.5, exclude: true}]\n"},
	"rules.url":                  {after: "rules: [{urls: '/a/', url: /x/}]\n"},
	"rules.section":              {before: "output: {formats: [llms, xml]}\n", after: "output: {formats: [llms, xml]}\nrules: [{urls: '/a/', section: Guides}]\n"},
	"rules.limit":                {before: "output: {formats: [llms, xml]}\nrules: [{urls: '/*/', section: Guides}]\n", after: "output: {formats: [llms, xml]}\nrules: [{urls: '/*/', section: Guides, limit: 1}]\n"},
	"rules.optional":             {before: "output: {formats: [llms, xml]}\n", after: "output: {formats: [llms, xml]}\nrules: [{urls: '/a/', optional: true}]\n"},
	"extra.loc":                  {before: "extra: [/x/]\n", after: "extra: [{loc: /y/}]\n"},
	"images":                     {after: "images: true\n"},
	"languages.dir":              {before: "languages: [{dir: '', code: en}, {dir: none, code: de}]\n", after: "languages: [{dir: '', code: en}, {dir: de, code: de}]\n"},
	"languages.code":             {before: "languages: [{dir: '', code: en}, {dir: de, code: de}]\n", after: "languages: [{dir: '', code: en}, {dir: de, code: de-CH}]\n"},
	"languages.x_default":        {before: "languages: [{dir: '', code: en}, {dir: de, code: de}]\n", after: "languages: [{dir: '', code: en, x_default: true}, {dir: de, code: de}]\n"},
	"sites.dir":                  {before: "sites: [{dir: a, base_url: 'https://example.net/'}]\n", after: "sites: [{dir: de, base_url: 'https://example.net/'}]\n"},
	"sites.base_url":             {before: "sites: [{dir: de, base_url: 'https://example.com/'}]\n", after: "sites: [{dir: de, base_url: 'https://example.net/'}]\n"},
	"versions":                   {after: "versions: latest\n"},
	"previews":                   {after: "previews: skip\n", env: "CF_PAGES_BRANCH=feature"},
	"output.name":                {after: "output: {name: pages.xml}\n"},
	"output.formats":             {after: "output: {formats: [xml, txt]}\n"},
	"output.gzip":                {after: "output: {gzip: also}\n"},
	"output.split":               {before: "output: {max_urls: 4}\n", after: "output: {max_urls: 4, split: none}\n"},
	"output.sitemaps.name":       {before: "output: {sitemaps: [{name: one, urls: '/a/'}]}\n", after: "output: {sitemaps: [{name: two, urls: '/a/'}]}\n"},
	"output.sitemaps.urls":       {before: "output: {sitemaps: [{name: one, urls: '/a/'}]}\n", after: "output: {sitemaps: [{name: one, urls: '/de/**'}]}\n"},
	"output.max_urls":            {after: "output: {max_urls: 4}\n"},
	"output.max_bytes":           {after: "output: {max_bytes: 600}\n"},
	"output.index":               {after: "output: {index: ['https://docs.example.org/sitemap.xml']}\n"},
	"output.robots":              {after: "output: {robots: true}\n"},
	"output.feed.items":          {before: "output: {formats: [xml, rss]}\n", after: "output: {formats: [xml, rss], feed: {items: 1}}\n", committed: true},
	"output.feed.title":          {before: "output: {formats: [xml, rss]}\n", after: "output: {formats: [xml, rss], feed: {title: News}}\n"},
	"output.llms.title":          {before: "output: {formats: [xml, llms]}\n", after: "output: {formats: [xml, llms], llms: {title: Pages}}\n"},
	"output.llms.summary":        {before: "output: {formats: [xml, llms]}\n", after: "output: {formats: [xml, llms], llms: {summary: All pages.}}\n"},
	"output.llms.first_sentence": {before: "output: {formats: [xml, llms]}\n", after: "output: {formats: [xml, llms], llms: {first_sentence: true}}\n"},
	"output.llms.copies":         {before: "output: {formats: [xml, llms]}\n", after: "output: {formats: [xml, llms], llms: {copies: off}}\n", file: "public/a/index.md"},
	"output.page":                {after: "output: {page: map.html}\n"},
	"output.stylesheet":          {after: "output: {stylesheet: true}\n"},
	"output.indexnow":            {after: indexNowYAML},
	"diff.gone":                  {after: "diff: {gone: [/gone/]}\n", args: "diff old.xml new.xml"},
	"links.ignore":               {after: "links: {ignore: [/dead/]}\n", args: "check --links"},
	"check.heads":                {after: "check: {heads: true}\n", args: "check"},
	"submit.google":              {before: indexNowYAML, after: indexNowYAML + "submit: {google: true}\n", args: "submit -n --since old.xml", prior: indexNowYAML},
	"findings":                   {after: "findings: {dead-link: note}\n", args: "check --links"},
	"max_loss":                   {after: "max_loss: 100%\n", args: "diff old.xml new.xml"},
}

// The fields of an entry, each with a value. innerFields has the fields of an alternate, an image,
// a video and a news article.
var (
	entryFields = map[string]string{"lastmod": "2024-05-01", "changefreq": "daily", "priority": "0.3"}
	innerFields = map[string]map[string]string{
		"alternates": {"lang": "fr", "href": "/fr/"},
		"images":     {"loc": "/i.png"},
		"videos": {
			"thumbnail_loc": "/v.jpg", "title": "Film", "description": "A film.", "content_loc": "/v.mp4", "player_loc": "/p/",
			"duration": "60", "expiration_date": "2030-01-01", "publication_date": "2024-01-01", "rating": "4.5", "view_count": "7",
			"tags": "[a]", "family_friendly": "false", "requires_subscription": "true", "live": "true",
			"restriction": "{allow: [DE]}", "platform": "{deny: [tv]}", "uploader": "Ann", "uploader_info": "/ann/",
		},
		"news": {"publication": "{name: Daily, language: en}", "publication_date": "2025-12-31", "title": "Headline"},
	}
)

// fieldEffects returns the effects of the fields of an entry in rules and extra. For an inner
// field, the first run has all other fields of its map, and the second run has all fields.
func fieldEffects() map[string]effect {
	all := map[string]effect{}
	for top, entry := range map[string]string{"rules": "rules: [{urls: /a/%s}]\n", "extra": "extra: [{loc: /x/%s}]\n"} {
		before := fmt.Sprintf(entry, ", priority: 0.9")
		for name, value := range entryFields {
			all[top+"."+name] = effect{before: before, after: fmt.Sprintf(entry, ", "+name+": "+value)}
		}
		for name, fields := range innerFields {
			write := func(without string) string {
				var pairs []string
				for _, field := range slices.Sorted(maps.Keys(fields)) {
					if field != without {
						pairs = append(pairs, field+": "+fields[field])
					}
				}
				return fmt.Sprintf(entry, ", "+name+": {"+strings.Join(pairs, ", ")+"}")
			}
			for field := range fields {
				e := effect{before: write(field), after: write("")}
				if len(fields) < 3 { // all fields of an alternate or an image are required
					e.before = before
				}
				all[top+"."+name+"."+field] = e
			}
		}
		for key, values := range map[string][2]string{
			"videos.restriction.allow": {"restriction: {allow: [DE]}", "restriction: {allow: [AT]}"}, "videos.restriction.deny": {"restriction: {allow: [DE]}", "restriction: {deny: [DE]}"},
			"videos.platform.allow": {"platform: {deny: [tv]}", "platform: {allow: [tv]}"}, "videos.platform.deny": {"platform: {deny: [tv]}", "platform: {deny: [web]}"},
		} {
			video := func(with string) string {
				return fmt.Sprintf(entry, ", videos: {thumbnail_loc: /v.jpg, title: F, description: D, content_loc: /v.mp4, "+with+"}")
			}
			all[top+"."+key] = effect{before: video(values[0]), after: video(values[1])}
		}
		for key, values := range map[string][2]string{
			"news.publication.name":     {"name: One, language: en", "name: Two, language: en"},
			"news.publication.language": {"name: One, language: en", "name: One, language: de"},
		} {
			article := func(publication string) string {
				return fmt.Sprintf(entry, ", news: {title: T, publication_date: 2025-12-31, publication: {"+publication+"}}")
			}
			all[top+"."+key] = effect{before: article(values[0]), after: article(values[1])}
		}
	}
	return all
}

// flagEffects has an effect for each flag. A flag of several commands has only one effect.
var flagEffects = map[string]effect{
	"config":         {more: "-c other.yaml"},
	"base-url":       {more: "-b https://example.net/"},
	"content":        {more: "--content other"},
	"include":        {more: "--include a/**"},
	"exclude":        {more: "--exclude a/**"},
	"host":           {more: "--host nginx"},
	"generator":      {more: "--generator none"},
	"lastmod":        {more: "--lastmod none"},
	"ledger":         {more: "--ledger s.ledger"},
	"level":          {args: "check --links", more: "--level dead-link=note"},
	"timeout":        {before: unreachableLedger, after: unreachableLedger, more: "--timeout 1ns"},
	"output":         {more: "-o out"},
	"format":         {more: "--format txt"},
	"gzip":           {more: "--gzip"},
	"max-loss":       {args: "diff old.xml new.xml", more: "--max-loss 100%"},
	"allow-empty":    {before: "pages: {dir: nothing}\n", after: "pages: {dir: nothing}\n", more: "--allow-empty"},
	"dry-run":        {more: "-n"},
	"force":          {args: "build --format xml,llms", more: "--force", file: "public/llms.txt"},
	"from":           {args: "build --format txt", more: "--from old.xml"},
	"quiet":          {more: "-q"},
	"verbose":        {more: "-v"},
	"json":           {more: "--json"},
	"report":         {args: "check --links", more: "--report sarif=r.sarif"},
	"strict":         {before: "rules: [{urls: /a/, exclude: false}]\n", after: "rules: [{urls: /a/, exclude: false}]\n", more: "--strict"},
	"write-baseline": {args: "check --links", more: "--write-baseline b.json"},
	"baseline":       {args: "check --links", more: "--baseline baseline.json"},
	"links":          {args: "check", more: "--links"},
	"fragments":      {args: "check --links", more: "--fragments"},
	"heads":          {args: "check", more: "--heads"},
	"in":             {args: "list", more: "--in"},
	"out":            {args: "list", more: "--out"},
	"reason":         {args: "list", more: "--reason noindex"},
	"dir":            {args: "explain /a/", more: "--dir other"},
	"since":          {before: indexNowYAML, after: indexNowYAML, args: "submit -n", more: "--since old.xml"},
	"key":            {args: "submit -n --since old.xml", more: "--key 7e3f6e8bc47b4f2380ba54aab6088521"},
	"all":            {before: indexNowYAML, after: indexNowYAML, args: "submit -n", more: "--all"},
	"engine":         {before: indexNowYAML, after: indexNowYAML, args: "submit -n --since old.xml", more: "--engine https://www.bing.com/indexnow"},
	"google":         {before: indexNowYAML, after: indexNowYAML, args: "submit -n --since old.xml", more: "--google"},
}

// flagsTestedElsewhere lists the flags that need a server, a clock or the cache of the user. A
// script or another test uses each of them.
var flagsTestedElsewhere = []string{
	"at-once", "exec", "help", "indexnow", "jobs", "live", "no-cache", "no-live-pages", "poll", "quiet-period", "rate", "sample", "version",
	"wait", "watch", "whole",
}

const effectsSite = `
-- hugo.toml --
baseURL = "https://example.org/"
-- other.yaml --
base_url: https://example.com/
pages: {dir: public}
-- public/index.html --
<html lang="en"><title>Home</title><main><h1>Home</h1><img src="/i.png" alt=""><p>Words. More words.</p></main>
<a href="/a/">a</a> <a href="/dead/">dead</a> <a href="/a/#none">fragment</a>
-- public/a/index.html --
<html lang="en"><title>A</title><main><h1>A</h1><p>Text of a page. More.</p><a href="/b.html">b</a> <a href="/e/">e</a></main>
-- public/b.html --
<html lang="en"><title>B</title><main><h1>B</h1>
-- public/de/index.html --
<html lang="de"><title>Haus</title>
-- public/de/a/index.html --
<html lang="de"><title>A auf Deutsch</title>
-- public/e/index.html --
<title>E</title><a href="https://github.com/o/r/edit/main/content/source-of-e.md">Edit this page</a>
-- public/git/index.html --
<title>Git</title>
-- public/hidden.html --
<title>Hidden</title><meta name="robots" content="noindex">
-- public/secret/index.html --
<title>Secret</title>
-- public/robots.txt --
User-agent: *
Disallow: /secret/
-- public/_redirects --
/b.html /a/ 301!
-- public/docs/v1.0/index.html --
<title>1</title>
-- public/docs/v1.0/more.html --
<title>1 more</title>
-- public/docs/v2.0/index.html --
<title>2</title>
-- public/docs/v2.0/more.html --
<title>2 more</title>
-- content/a.md --
---
lastmod: 2024-05-06T01:00:00
---
-- content/source-of-e.md --
---
lastmod: 2024-03-03
---
-- content/git.md --
---
title: Git
---
-- other/index.html --
<title>Other</title>
-- other/a.md --
---
lastmod: 2023-02-02
---
-- other/a/index.html --
<title>Other A</title>
-- nothing/x.html --
<meta name="robots" content="noindex">
-- old.xml --
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/</loc></url><url><loc>https://example.org/gone/</loc></url></urlset>
-- new.xml --
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/</loc></url></urlset>
`

// TestEveryKeyHasAnEffect checks that a change of each key of sitemap.yaml changes the output.
func TestEveryKeyHasAnEffect(t *testing.T) {
	testsite.ChdirToRoot(t)
	effects := fieldEffects()
	maps.Copy(effects, keyEffects)
	keys := config.Keys()
	for _, key := range keys {
		isParent := slices.ContainsFunc(keys, func(other string) bool { return strings.HasPrefix(other, key+".") })
		_, isKnown := effects[key]
		if !isKnown && !isParent {
			t.Errorf("the key %s has no effect; add one to keyEffects", key)
		}
	}
	for key := range effects {
		if !slices.Contains(keys, key) {
			t.Errorf("%s is not a key of sitemap.yaml", key)
		}
	}
	checkEffects(t, effects)
}

// TestEveryFlagHasAnEffect checks that each flag changes the output of a command.
func TestEveryFlagHasAnEffect(t *testing.T) {
	testsite.ChdirToRoot(t)
	flags := map[string]bool{}
	for _, cmd := range commandNames(t) {
		for _, m := range helpFlag.FindAllStringSubmatch(run(t, ".", cmd, "--help"), -1) {
			flags[m[1]] = true
		}
	}
	scripts := contents(t, "testdata/script/*.txtar") + contents(t, "testdata/manual/*.txtar") + contents(t, "internal/e2e/*_test.go") + contents(t, "internal/cli/*_test.go")
	for name := range flags {
		isTestedElsewhere := slices.Contains(flagsTestedElsewhere, name)
		if _, ok := flagEffects[name]; !ok && !isTestedElsewhere && name != "no-progress" { // its effect needs a terminal
			t.Errorf("the flag --%s has no effect; add one to flagEffects", name)
		}
		if isTestedElsewhere && !strings.Contains(scripts, "--"+name) {
			t.Errorf("no script or test uses --%s", name)
		}
	}
	for name := range flagEffects {
		if !flags[name] {
			t.Errorf("--%s is not a flag of a command", name)
		}
	}
	checkEffects(t, flagEffects)
}

// checkEffects runs both commands of each effect in copies of effectsSite and checks that their
// outcomes differ.
func checkEffects(t *testing.T, effects map[string]effect) {
	site := filepath.Join(t.TempDir(), "site")
	for _, f := range txtar.Parse([]byte(effectsSite)).Files {
		writeFile(t, filepath.Join(site, f.Name), string(f.Data))
	}
	firstOutcomes := map[effect]outcome{} // many effects share the first run
	for name, e := range effects {
		t.Run(name, func(t *testing.T) {
			first := e
			first.after, first.more = "", ""
			if _, ok := firstOutcomes[first]; !ok {
				firstOutcomes[first] = e.run(t, site, e.before, "")
			}
			before, after := firstOutcomes[first], e.run(t, site, e.after, e.more)
			if after.code == 2 {
				t.Fatalf("the second run ends with exit code 2:\n%s", after.files["output"])
			}
			if before.code == after.code && maps.Equal(before.files, after.files) {
				t.Errorf("the outcomes of both runs are equal:\n%s", after.files["output"])
			}
		})
	}
}

// An outcome is the exit code of a command and the files after its run.
type outcome struct {
	code  int
	files map[string]string // by name; "output" is the output of the command
}

// run runs a command in a copy of a site and returns its outcome.
func (e effect) run(t *testing.T, site, settings, more string) outcome {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "site")
	if err := os.CopyFS(dir, os.DirFS(site)); err != nil {
		t.Fatal(err)
	}
	if e.committed {
		commitSite(t, dir)
	}
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	if e.prior != "" {
		writeFile(t, filepath.Join(dir, "sitemap.yaml"), withDefaults(e.prior))
		runIn(dir, now.AddDate(0, 0, -1), "", "build")
	}
	writeFile(t, filepath.Join(dir, "sitemap.yaml"), withDefaults(settings))
	if strings.Contains(more, "--baseline") {
		runIn(dir, now, "", "check", "--links", "--write-baseline", "baseline.json")
	}
	if e.file != "" {
		writeFile(t, filepath.Join(dir, e.file), "Text of a person.\n")
	}
	args := append(strings.Fields(cmp.Or(e.args, "build")), strings.Fields(more)...)
	output, code := runIn(dir, now, e.env, args...)
	result := map[string]string{"output": strings.ReplaceAll(output, dir, "DIR")}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == "sitemap.yaml" || strings.HasPrefix(name, ".git/") {
			return err
		}
		src, err := os.ReadFile(filepath.Join(dir, name))
		result[name] = string(src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return outcome{code, result}
}

// withDefaults returns settings with the lines of defaultYAML whose keys the settings do not have.
func withDefaults(settings string) string {
	for line := range strings.Lines(defaultYAML) {
		key, _, _ := strings.Cut(line, ":")
		if !strings.Contains("\n"+settings, "\n"+key+":") {
			settings = line + settings
		}
	}
	return settings
}

// runIn runs a command in a folder at the time now. It returns the output without durations.
func runIn(dir string, now time.Time, env string, args ...string) (string, int) {
	var out bytes.Buffer
	name, value, _ := strings.Cut(env, "=")
	code := cli.Run(context.Background(), cli.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: dir, Now: func() time.Time { return now },
		Getenv: func(key string) string {
			if env != "" && key == name {
				return value
			}
			return ""
		},
	})
	return jsonSeconds.ReplaceAllString(buildTime.ReplaceAllString(out.String(), ""), ""), code
}

// commitSite makes a git repository of a site. The author and committer dates of its commits differ.
func commitSite(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{
		{"init", "-q", "--template="}, {"add", ".", ":!content/git.md"}, {"commit", "-qm", "all but one"}, {"add", "."}, {"commit", "-qm", "one"},
	} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2025-01-01T12:00:00Z", "GIT_COMMITTER_DATE=2025-02-02T12:00:00Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
