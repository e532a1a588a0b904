package hosting

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// The strengths of evidence for a host.
const (
	weakFile       = iota + 1 // a file that other hosts or tools know as well
	buildFile                 // a file that makes a host build a repository, which may be published elsewhere too
	deployWorkflow            // a file of CI that publishes a site
	siteAddress               // the site's address, on a domain of the host
	ownFile                   // a file that only this host reads
	ownBuild                  // the host itself runs the build
)

// A clue points to a host.
type clue struct {
	host     string
	what     string // "netlify.toml", "NETLIFY=true"
	file     string // "" for the environment
	strength int
}

// detect sets the host that the strongest clue points to. It reports clues
// that contradict each other.
func (l *loader) detect() {
	clues := l.clues()
	if len(clues) == 0 {
		l.site.host, l.site.why = hostByName("none"), "no file or variable points to a host"
		return
	}
	slices.SortStableFunc(clues, func(a, b clue) int { return b.strength - a.strength })
	best := clues[0]
	l.site.host, l.site.why, l.site.isKnown = hostByName(best.host), best.what, true
	l.site.isGuessed = best.strength == weakFile && path.Base(best.file) == ".nojekyll"
	l.reportConflicts(best, clues[1:])
}

// reportConflicts reports clues to another host. Weak clues contradict nothing:
// many tools write .nojekyll for any host, and Read the Docs often has the manual
// of a project whose site is on GitHub Pages. A file of CI does not contradict the
// site's address: the repository may be a mirror.
func (l *loader) reportConflicts(best clue, others []clue) {
	hint := "write host: " + best.host + " in sitemap.yaml, or remove what does not belong to the site"
	for _, c := range others {
		if c.host == best.host || c.strength < deployWorkflow || c.strength == deployWorkflow && best.strength == siteAddress {
			continue
		}
		pos := diag.Pos{File: c.file}
		if best.strength == ownBuild {
			l.diags.Notef(pos, "conflicting-hosts", hint, "%s points to %s, but the build runs on %s (%s)", c.what, c.host, best.host, best.what)
			continue
		}
		l.diags.Warnf(pos, "conflicting-hosts", hint, "%s points to %s, and %s to %s; %[4]s is used", c.what, c.host, best.what, best.host)
	}
}

// clues returns all evidence for hosts. Evidence of equal strength is in order of precedence. The
// hosts' build machines set the variables.
// https://docs.netlify.com/build/configure-builds/environment-variables/
// https://vercel.com/docs/environment-variables/system-environment-variables
// https://developers.cloudflare.com/pages/configuration/build-configuration/
// https://render.com/docs/environment-variables
// https://docs.aws.amazon.com/amplify/latest/userguide/amplify-console-environment-variables.html
func (l *loader) clues() (clues []clue) {
	for _, m := range buildMachines {
		if m.serves && isSet(l.Getenv, m.variable) {
			clues = append(clues, clue{m.host, m.variable + "=" + l.Getenv(m.variable), "", ownBuild})
		}
	}
	if isGitLabPagesJob(l.Getenv) {
		clues = append(clues, clue{"gitlab", "CI_JOB_NAME=pages", "", ownBuild})
	}
	for _, s := range fileClues {
		trees := l.trees[:]
		if s.strength == weakFile {
			trees = trees[2:]
		}
		for _, t := range trees {
			if !isFile(t.files, s.file) {
				continue
			}
			if s.isSite == nil || s.isSite(l) {
				name := path.Join(t.name, s.file)
				clues = append(clues, clue{s.host, name, name, s.strength})
			}
			break
		}
	}
	if host := platformOfDomain(l.Base.Host()); host != "" {
		clues = append(clues, clue{host, "the base URL " + l.Base.String(), "", siteAddress})
	}
	return append(clues, l.workflowClue()...)
}

// platformOfDomain returns the platform that gives sites such a domain, or "" for any other domain.
func platformOfDomain(name string) (host string) {
	name, _, _ = strings.Cut(name, ":")
	for _, d := range domains {
		if strings.HasSuffix(name, d.suffix) {
			return d.host
		}
	}
	if strings.Contains(name, ".s3-website") && strings.HasSuffix(name, ".amazonaws.com") {
		return "s3"
	}
	return ""
}

// IsPlatformDomain reports whether a platform gives sites such a domain. Most sites have it until
// they get a custom domain.
func IsPlatformDomain(name string) bool { return platformOfDomain(name) != "" }

const maxWorkflows = 100

// workflowClue returns the first GitHub workflow that publishes the site.
func (l *loader) workflowClue() []clue {
	const dir = ".github/workflows"
	for _, t := range l.trees[:2] {
		entries, _ := fs.ReadDir(t.files, dir)
		for _, e := range entries[:min(len(entries), maxWorkflows)] {
			name := dir + "/" + e.Name()
			if !slices.Contains([]string{".yml", ".yaml"}, path.Ext(name)) || !isFile(t.files, name) {
				continue
			}
			src, _ := readUpTo(t.files, name, 1<<20)
			for _, d := range deployActions {
				if bytes.Contains(src, []byte(d.action)) {
					file := path.Join(t.name, name)
					return []clue{{d.host, file, file, deployWorkflow}}
				}
			}
		}
	}
	return nil
}
