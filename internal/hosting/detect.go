package hosting

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// The strengths of evidence for a host.
const (
	weak   = iota + 1 // a file that other hosts or tools know as well
	strong            // a file that only this host reads, or the site's address
	sure              // the host itself runs the build
)

// A clue points to a host.
type clue struct {
	host     string
	what     string // "netlify.toml", "NETLIFY=true"
	file     string // where it stands; "" for the environment
	strength int
}

func fileClue(host, dir, name string, strength int) clue {
	name = path.Join(dir, name)
	return clue{host, name, name, strength}
}

// detect sets the host to the one that the strongest clue points to. Clues
// that contradict each other are a finding.
func (l *loader) detect() {
	clues := l.clues()
	defer func() {
		delete(l.others, l.site.host.name) // whose files are going to be read
		for _, host := range slices.Sorted(maps.Keys(l.others)) {
			l.diags = append(l.diags, l.others[host]...)
		}
	}()
	if len(clues) == 0 {
		l.site.host, l.site.why = hostByName("none"), "no file or variable points to a host"
		return
	}
	slices.SortStableFunc(clues, func(a, b clue) int { return b.strength - a.strength })
	best := clues[0]
	l.site.host, l.site.why, l.site.isKnown = hostByName(best.host), best.what, true
	l.conflicts(best, clues[1:])
}

// conflicts reports clues that point elsewhere. Weak ones contradict nothing:
// many tools write .nojekyll wherever the site goes.
func (l *loader) conflicts(best clue, others []clue) {
	hint := "write host: " + best.host + " in sitemap.yaml, or remove what does not belong to the site"
	for _, c := range others {
		if c.host == best.host || c.strength < strong {
			continue
		}
		pos := diag.Pos{File: c.file}
		if best.strength == sure {
			l.diags.Notef(pos, "conflicting-hosts", hint, "%s points to %s, but the build runs on %s (%s)", c.what, c.host, best.host, best.what)
			continue
		}
		l.diags.Warnf(pos, "conflicting-hosts", hint, "%s points to %s, and %s to %s; %[4]s is taken", c.what, c.host, best.what, best.host)
	}
	if best.strength == weak && best.host == "netlify" {
		l.diags.Notef(diag.Pos{File: best.file}, "ambiguous-host", "write host: netlify or host: cloudflare in sitemap.yaml",
			"Netlify and Cloudflare both read this file; it is read as Netlify reads it")
	}
}

// clues returns all evidence, that of one strength in the order in which it
// counts.
func (l *loader) clues() []clue {
	return slices.Concat(l.fromEnv(), l.fromFiles(), l.gitlabClue(), l.fromAddress(), l.fromWorkflows(), l.fromPublished())
}

// fromEnv looks at what the hosts' build machines set.
// https://docs.netlify.com/build/configure-builds/environment-variables/
// https://vercel.com/docs/environment-variables/system-environment-variables
// https://developers.cloudflare.com/pages/configuration/build-configuration/
// https://render.com/docs/environment-variables
// https://docs.aws.amazon.com/amplify/latest/userguide/amplify-console-environment-variables.html
func (l *loader) fromEnv() (clues []clue) {
	for _, m := range machines {
		if m.serves && isSet(l.Getenv, m.variable) {
			clues = append(clues, clue{m.host, m.variable + "=" + l.Getenv(m.variable), "", sure})
		}
	}
	return clues
}

func (l *loader) fromFiles() (clues []clue) {
	for _, v := range []struct{ name, host string }{
		{"netlify.toml", "netlify"},
		{"vercel.json", "vercel"},
		{".vercel/project.json", "vercel"},
		{"staticwebapp.config.json", "azure"},
		{"swa-cli.config.json", "azure"},
		{"customHttp.yml", "amplify"},
		{"amplify.yml", "amplify"},
	} {
		for _, t := range l.trees() {
			if isFile(t.files, v.name) {
				clues = append(clues, fileClue(v.host, t.name, v.name, strong))
				break
			}
		}
	}
	if name := outputDir + "/config.json"; l.publishesOutput() && isFile(l.Root, name) {
		clues = append(clues, fileClue("vercel", l.RootName, name, strong))
	}
	return append(clues, l.fromSettings()...)
}

// fromSettings looks at files that other products of a platform read too, and
// takes those that say something of a site.
func (l *loader) fromSettings() (clues []clue) {
	l.others = map[string]diag.List{}
	ask := func(host string, says func(quiet *loader) (file, bool)) {
		quiet := &loader{Input: l.Input, site: new(Site)} // the file is read again, and reported, once the host is known
		if f, ok := says(quiet); ok {
			clues = append(clues, clue{host, f.name, f.name, strong})
		}
		l.others[host] = quiet.diags
	}
	ask("cloudflare", func(quiet *loader) (file, bool) {
		w, ok := quiet.wrangler()
		return w.file, ok && w.static()
	})
	ask("firebase", func(quiet *loader) (file, bool) {
		f, c := quiet.firebaseFile()
		return f, len(c.Hosting) > 0
	})
	ask("render", func(quiet *loader) (file, bool) {
		f, sites := quiet.renderFile()
		return f, len(sites) > 0
	})
	return clues
}

// fromAddress looks at the base URL: a host's own domain says which it is.
func (l *loader) fromAddress() []clue {
	name, _, _ := strings.Cut(l.Base.Host(), ":")
	for _, v := range []struct{ suffix, host string }{
		{".netlify.app", "netlify"},
		{".vercel.app", "vercel"},
		{".pages.dev", "cloudflare"},
		{".workers.dev", "cloudflare"},
		{".github.io", "github"},
		{".web.app", "firebase"},
		{".firebaseapp.com", "firebase"},
		{".azurestaticapps.net", "azure"},
		{".gitlab.io", "gitlab"},
		{".onrender.com", "render"},
		{".amplifyapp.com", "amplify"},
		{".surge.sh", "surge"},
		{".deno.dev", "deno"},
		{".deno.net", "deno"},
	} {
		if strings.HasSuffix(name, v.suffix) {
			return []clue{{v.host, "the base URL " + l.Base.String(), "", strong}}
		}
	}
	if strings.Contains(name, ".s3-website") && strings.HasSuffix(name, ".amazonaws.com") {
		return []clue{{"s3", "the base URL " + l.Base.String(), "", strong}}
	}
	return nil
}

// deployers are the actions by which workflows publish a site.
var deployers = []struct{ action, host string }{
	{"actions/deploy-pages@", "github"},
	{"peaceiris/actions-gh-pages@", "github"},
	{"JamesIves/github-pages-deploy-action@", "github"},
	{"Azure/static-web-apps-deploy@", "azure"},
}

const maxWorkflows = 100

// fromWorkflows looks for a GitHub workflow that publishes the site.
func (l *loader) fromWorkflows() []clue {
	const dir = ".github/workflows"
	for _, t := range l.trees()[:2] {
		if t.files == nil {
			continue
		}
		entries, _ := fs.ReadDir(t.files, dir)
		for _, e := range entries[:min(len(entries), maxWorkflows)] {
			name := dir + "/" + e.Name()
			if ext := path.Ext(name); ext != ".yml" && ext != ".yaml" || !isFile(t.files, name) {
				continue
			}
			src, _ := readUpTo(t.files, name, 1<<20)
			for _, d := range deployers {
				if bytes.Contains(src, []byte(d.action)) {
					return []clue{fileClue(d.host, t.name, name, strong)}
				}
			}
		}
	}
	return nil
}

// fromPublished looks at files of the publish directory that more than one
// host or tool knows.
func (l *loader) fromPublished() (clues []clue) {
	for _, v := range []struct{ name, host string }{
		{"_worker.js", "cloudflare"},
		{"_routes.json", "cloudflare"},
		{"_redirects", "netlify"},
		{"_headers", "netlify"},
		{domainFile, "github"},
		{".nojekyll", "github"},
		{".htaccess", "apache"},
	} {
		if isFile(l.Publish, v.name) {
			clues = append(clues, fileClue(v.host, l.PublishName, v.name, weak))
		}
	}
	return clues
}
