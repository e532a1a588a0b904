package hosting

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// The values of clue.strength, weakest first.
const (
	weakFile       = iota + 1 // a file that other hosts or tools also use: "_redirects"
	buildFile                 // a file that makes a host build the repository, but perhaps not the site
	deployWorkflow            // a CI workflow that publishes a site
	siteAddress               // the base URL is on a domain of the host
	ownFile                   // a file that only this host reads: "vercel.json"
	ownBuild                  // the host itself runs the build
)

// A clue is evidence that a host serves the site, such as a file netlify.toml.
type clue struct {
	host     string // name of the host: "netlify"
	what     string // the evidence as messages show it: "netlify.toml", "NETLIFY=true"
	file     string // the file that is the evidence; "" for other evidence
	strength int    // weakFile to ownBuild
}

// detectHost sets l.host.platform to the platform with the strongest clue. It also sets the
// evidence in l.host, and calls reportConflicts for the other clues. If there is no clue, the host
// is "none" or, if a top-level folder contains a .htaccess file, Apache. Such a file may come from
// another program. Therefore, the host still counts as unknown: only the rules in the .htaccess
// files apply, and the links of the site show whether a URL is /a or /a.html.
func (l *loader) detectHost() {
	clues := l.findClues()
	if len(clues) == 0 {
		l.host.platform, l.host.evidence = platformByName("none"), "no file or variable points to a host"
		if file := l.findInnerHTAccess(); file != "" {
			l.host.platform, l.host.evidence = platformByName("apache"), file
		}
		return
	}
	slices.SortStableFunc(clues, func(a, b clue) int { return b.strength - a.strength })
	best := clues[0]
	l.host.platform, l.host.evidence, l.host.isKnown = platformByName(best.host), best.what, true
	l.host.isWeaklyDetected = best.strength == weakFile && path.Base(best.file) == ".nojekyll" && !isEnvSet(l.Getenv, "GITHUB_ACTIONS")
	l.reportConflicts(best, clues[1:])
}

// reportConflicts adds a finding for each clue in others whose host is not the host of best. It
// ignores clues that are weaker than deployWorkflow: many tools write .nojekyll for any host, and a
// manual on Read the Docs often belongs to a project whose site is on GitHub Pages. It adds nothing
// if the base URL is on a domain of best.host: templates contain files for several hosts, and a
// repository may be a mirror.
func (l *loader) reportConflicts(best clue, others []clue) {
	if platformOfDomain(l.Base.Host()) == best.host {
		return
	}
	hint := "write host: " + best.host + " in sitemap.yaml, or remove what does not belong to the site"
	for _, c := range others {
		if c.host == best.host || c.strength < deployWorkflow {
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

// findClues returns the evidence for hosts: environment variables of build machines, files, the
// base URL, and a CI workflow. Of two clues with the same strength, detectHost prefers the clue
// that comes first.
//
// See https://docs.netlify.com/build/configure-builds/environment-variables/
// See https://vercel.com/docs/environment-variables/system-environment-variables
// See https://developers.cloudflare.com/pages/configuration/build-configuration/
// See https://render.com/docs/environment-variables
// See https://docs.aws.amazon.com/amplify/latest/userguide/amplify-console-environment-variables.html
func (l *loader) findClues() (clues []clue) {
	for _, m := range buildMachines {
		if m.serves && isEnvSet(l.Getenv, m.variable) {
			clues = append(clues, clue{host: m.host, what: m.variable + "=" + l.Getenv(m.variable), strength: ownBuild})
		}
	}
	if isGitLabPagesJob(l.Getenv) {
		clues = append(clues, clue{host: "gitlab", what: "CI_JOB_NAME=pages", strength: ownBuild})
	}
	for _, s := range fileClues {
		trees := l.trees[:]
		if s.publishOnly {
			trees = trees[2:]
		}
		for _, t := range trees {
			if !isFile(t.files, s.file) {
				continue
			}
			if s.isSite == nil || s.isSite(l) {
				name := path.Join(t.name, s.file)
				clues = append(clues, clue{host: s.host, what: name, file: name, strength: s.strength})
			}
			break
		}
	}
	if host := platformOfDomain(l.Base.Host()); host != "" {
		clues = append(clues, clue{host: host, what: "the base URL " + l.Base.String(), strength: siteAddress})
	}
	return append(clues, l.findWorkflowClue()...)
}

// platformOfDomain returns the hosting platform that gives the domain name to a site: "netlify" for
// "a.netlify.app". It returns "" if the domain belongs to no platform. name may end in a port.
func platformOfDomain(name string) (host string) {
	name, _, _ = strings.Cut(name, ":")
	for _, d := range domains {
		if strings.HasSuffix(name, d.suffix) {
			return d.host
		}
	}
	if s3Domain.MatchString(name) {
		return "s3"
	}
	return ""
}

// s3Domain matches the domains of S3. Group 1 is "-website" for a website endpoint, and "" for a
// REST endpoint, which does not serve index.html for a folder.
// See https://docs.aws.amazon.com/AmazonS3/latest/userguide/WebsiteEndpoints.html
var s3Domain = regexp.MustCompile(`(?:^|\.)s3(-website)?[.-](?:[a-z0-9-]+\.)*amazonaws\.com$`)

// IsPlatformDomain reports whether name is a domain that a hosting platform gives to a site, such
// as "a.netlify.app", and not a custom domain.
func IsPlatformDomain(name string) bool { return platformOfDomain(name) != "" }

// maxWorkflows is the maximum number of files in a folder .github/workflows that findWorkflowClue
// considers.
const maxWorkflows = 100

// findWorkflowClue returns a slice with one clue: the first GitHub workflow that contains the name
// of an action in deployActions. It reads only the first MiB of a workflow. It returns nil if there
// is no such workflow.
func (l *loader) findWorkflowClue() []clue {
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
					return []clue{{host: d.host, what: file, file: file, strength: deployWorkflow}}
				}
			}
		}
	}
	return nil
}
