// Package submit sends the changed URLs of a site to search engines with the IndexNow protocol
// (https://www.indexnow.org). It also submits the sitemap to Google Search Console. Before it sends
// anything, it waits until the deploy is live.
package submit

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Options are the options of Run. At most one of Changes, Since and All may be set. Without them,
// Run sends no URLs to IndexNow, but may submit the sitemaps to Google.
type Options struct {
	Build engine.Options // options for reading the built site
	Input config.Input

	Changes string // file with the JSON report of "sitewalk diff", as the user typed it; "-" means standard input
	Since   string // earlier list of URLs to compare the built site with, as the user typed it
	All     bool   // send every URL of the site
	Engine  string // URL of an IndexNow engine; "" means sharedEngine

	Wait   time.Duration                    // maximum time to wait until the deploy is live
	DryRun bool                             // print the requests instead of sending them
	Print  io.Writer                        // writer for the requests of a dry run
	Client *http.Client                     // nil means the default client
	Logf   func(format string, args ...any) // prints a progress message
}

// A Submission is the result of Run. If Run returned an error, the Submission describes the steps
// before the error.
type Submission struct {
	Build           *engine.Build // only Settings and Findings are set; Settings is nil if the settings could not be read
	Outcome         Outcome
	SubmitsToGoogle bool // the sitemaps are submitted to Google Search Console

	o       Options
	targets []target
	example string // first URL that Outside counts; "" if Outside is 0
}

// An Outcome contains the fields of a Submission for the JSON report.
// See docs/json.md.
type Outcome struct {
	Skipped string          `json:"skipped,omitempty"` // reason why no URL is sent to IndexNow; "" if URLs are sent
	Hosts   []Host          `json:"hosts"`
	Answers []EngineAnswer  `json:"answers"`
	Google  []GoogleSitemap `json:"google,omitempty"`
	Hidden  int             `json:"hidden"`  // number of pages that are served but no longer listed; they are not sent
	Outside int             `json:"outside"` // number of changed URLs that do not belong to the site; they are not sent
	Unsent  int             `json:"left"`    // number of URLs that were not sent because of a failure
}

// A Host contains the number of changed URLs of one target. Several targets may have the same host.
type Host struct {
	Name    string `json:"host"`
	Added   int    `json:"added"`
	Changed int    `json:"changed"`
	Removed int    `json:"removed"`
}

// NumURLs returns the number of changed URLs of the target.
func (h *Host) NumURLs() int { return h.Added + h.Changed + h.Removed }

// A StoppedError reports that Run was interrupted or timed out while it sent URLs to IndexNow.
type StoppedError struct{ error }

// Unwrap returns the cause of the interruption.
func (e StoppedError) Unwrap() error { return e.error }

// Run sends the changed URLs of a site to IndexNow, and submits its sitemaps to Google if that is
// configured. It sends nothing for a preview deployment, for a pull request, or for a site that is
// not public. If Run returns an error, the Submission describes the steps before the error.
func Run(ctx context.Context, o Options) (*Submission, error) {
	o.Engine = cmp.Or(o.Engine, sharedEngine)
	s := &Submission{o: o, Build: engine.New(o.Build)}
	s.Outcome.Hosts, s.Outcome.Answers = []Host{}, []EngineAnswer{} // empty JSON arrays instead of null
	if err := checkEngine(s.o.Engine); err != nil {
		return s, err
	}
	if why := previewReason(o.Input.Getenv); why != "" {
		s.Outcome.Skipped = why
		return s, nil
	}
	list, whyNoList, err := s.readChanges(ctx)
	s.Outcome.Skipped = whyNoList
	submitsToGoogle := o.Input.HasGoogleFlag() || s.Build.Settings != nil && s.Build.Settings.SubmitsToGoogle
	if whyNoList != "" && !submitsToGoogle && !s.hasMistakes() { // no request needs the settings
		s.Build.Findings = &diag.Report{MaxKept: o.Build.MaxKept}
		return s, nil
	}
	if err != nil {
		return s, err
	}
	s.Build.Findings.Levels, s.targets = s.Build.Settings.Findings, newTargets(s.Build.Settings)
	if why := privateReason(s.Build.Settings, list, o.Input.Getenv); why != "" {
		s.Outcome.Skipped = why
		return s, nil
	}
	s.SubmitsToGoogle = submitsToGoogle
	if list != nil {
		if s.Outcome.Skipped, err = s.assignChanges(list); err != nil {
			return s, err
		}
	}
	requests := s.newRequests()
	if o.DryRun {
		return s, s.printRequests(requests)
	}
	ctx, cancel := fetch.WithTimeout(ctx, cmp.Or(o.Build.Timeout, fetch.DefaultTotal)+o.Wait)
	defer cancel()
	if err := s.waitForDeployAndCheckKey(ctx); err != nil {
		return s, err
	}
	if err := s.sendAll(ctx, requests); err != nil || !s.SubmitsToGoogle {
		return s, err
	}
	s.Outcome.Google, err = s.newConsoleClient().processSitemaps(ctx, s.sitemapURLs(), s.Build.Findings)
	return s, err
}

// hasMistakes reports whether a finding is an error, such as a mistake in sitemap.yaml.
func (s *Submission) hasMistakes() bool {
	return slices.ContainsFunc(s.Build.Findings.Kinds(), func(k diag.Kind) bool { return k.CountAtLeast(diag.Error) > 0 })
}

// previewReason returns the reason to submit nothing from a preview deployment or a pull request in
// a CI system. It returns "" for any other run.
func previewReason(getenv func(string) string) string {
	if what, ok := hosting.IsPreview(getenv); ok {
		return "this is a preview deployment (" + what + ")"
	}
	if what, ok := hosting.IsPullRequest(getenv); ok {
		return "this is the run of a pull request (" + what + ")"
	}
	return ""
}

// privateReason returns the reason why the site is not public: a base URL on the local machine, a
// base URL of a single deployment, or no listed page. It returns "" for a public site. list may be
// nil.
func privateReason(s *config.Settings, list *changeList, getenv func(string) string) string {
	for _, p := range s.Site.Parts() {
		if mapping.IsLocalHost(p.Base.String()) {
			return fmt.Sprintf("%s is on this machine", p.Base)
		}
		if why, ok := hosting.IsSingleDeployment(p.Base.Host(), getenv); ok {
			return fmt.Sprintf("%s is the address of one deployment (%s)", p.Base, why)
		}
	}
	if list != nil && list.URLs == 0 {
		return "no page of the site may be indexed, so this build is not public"
	}
	return ""
}

// assignChanges assigns the changes to the targets. If nothing is sent to IndexNow, whySkipped is
// the reason. assignChanges returns an error if all changed URLs are outside of the site. It also
// returns an error if the site has no IndexNow key and the sitemaps are not submitted to Google.
func (s *Submission) assignChanges(l *changeList) (whySkipped string, err error) {
	s.Outcome.Hidden = l.Hidden
	s.groupByTarget(l.Changes)
	switch {
	case s.indexNowKey() == "" && !s.SubmitsToGoogle:
		return "", diag.Hintedf("make one with sitewalk init --indexnow, or write it as output.indexnow into sitemap.yaml; or use --key or INDEXNOW_KEY",
			"there is no key for IndexNow")
	case s.indexNowKey() == "":
		return "there is no key for IndexNow; sitewalk init --indexnow makes one", nil
	case len(s.Outcome.Hosts) == 0 && s.Outcome.Outside > 0:
		return "", fmt.Errorf("all changed URLs are outside of %s: %.200q", s.Build.Settings.Site.Base, s.example)
	case len(s.Outcome.Hosts) == 0:
		return "nothing changed", nil
	}
	return "", nil
}

// A target is a part of the site with its own base URL, key file and sitemap. The publish directory
// is one target, and each folder of the setting sites is a further target.
type target struct {
	base    string // base URL with a trailing slash
	host    string
	sitemap string // URL of the sitemap
	changes []Change
}

// newTargets returns the targets of the site, sorted by base URL.
func newTargets(s *config.Settings) (all []target) {
	outputs := s.Outputs()
	for i, part := range s.Site.Parts() {
		base := part.Base.String()
		all = append(all, target{base: base, host: sitemap.HostOf(base), sitemap: s.SitemapURL(&outputs[i])})
	}
	slices.SortFunc(all, func(a, b target) int { return strings.Compare(a.base, b.base) })
	return all
}

// keyURL returns the URL of the file that contains the IndexNow key.
func (t *target) keyURL(key string) string { return t.base + key + ".txt" }

// sendsChanges reports whether t has changes that are sent to IndexNow.
func (s *Submission) sendsChanges(t *target) bool { return s.indexNowKey() != "" && len(t.changes) > 0 }

// groupByTarget adds each change to its target, sorted by URL and without duplicates. In
// s.Outcome.Outside, it counts the changes with an invalid URL or a URL of no target. For each
// target with changes, it appends a Host to s.Outcome.Hosts, with the numbers of added, changed and
// removed URLs.
func (s *Submission) groupByTarget(changes []Change) {
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.URL, b.URL) })
	changes = slices.CompactFunc(changes, func(a, b Change) bool { return a.URL == b.URL })
	for _, c := range changes {
		t := s.targetOf(c.URL)
		if t == nil || sitemap.CheckLoc(c.URL) != nil {
			s.Outcome.Outside, s.example = s.Outcome.Outside+1, cmp.Or(s.example, c.URL)
			continue
		}
		t.changes = append(t.changes, c)
	}
	for i := range s.targets {
		if t := &s.targets[i]; len(t.changes) > 0 {
			s.Outcome.Hosts = append(s.Outcome.Hosts, t.countByKind())
		}
	}
}

// targetOf returns the target that contains the URL loc, or nil. If several targets contain loc,
// it returns the one with the longest base URL.
func (s *Submission) targetOf(loc string) (best *target) {
	for i := range s.targets {
		t := &s.targets[i]
		if strings.HasPrefix(loc, t.base) && (best == nil || len(t.base) > len(best.base)) {
			best = t
		}
	}
	return best
}

// countByKind returns the number of added, changed and removed URLs of the target.
func (t *target) countByKind() Host {
	h := Host{Name: t.host}
	for _, c := range t.changes {
		switch c.Kind {
		case Added:
			h.Added++
		case Changed:
			h.Changed++
		case Removed:
			h.Removed++
		}
	}
	return h
}

// newRequests returns the requests that send the changes of all targets. Each request contains at
// most maxURLs URLs.
func (s *Submission) newRequests() (all []request) {
	for i := range s.targets {
		t := &s.targets[i]
		if !s.sendsChanges(t) {
			continue
		}
		for part := range slices.Chunk(t.changes, maxURLs) {
			all = append(all, request{t, part})
		}
	}
	return all
}

// printRequests prints the requests that a dry run does not send, including the requests to Google.
func (s *Submission) printRequests(requests []request) error {
	w := bufio.NewWriter(s.o.Print)
	for _, r := range requests {
		fmt.Fprintf(w, "POST %s\nContent-Type: %s\n\n%s\n\n", s.o.Engine, contentType, r.jsonBody(s.indexNowKey()))
	}
	if s.SubmitsToGoogle {
		for _, loc := range s.sitemapURLs() {
			fmt.Fprintf(w, "%s\n\n", s.newConsoleClient().formatPlannedRequest(loc))
		}
	}
	return w.Flush()
}

// newConsoleClient returns a Search Console client that may submit sitemaps.
func (s *Submission) newConsoleClient() *consoleClient {
	return &consoleClient{scope: submitScope, GoogleOptions: GoogleOptions{
		Getenv: s.o.Input.Getenv, Dir: s.o.Input.Dir, Property: s.Build.Settings.Property, Client: s.o.Client, Logf: s.o.Logf,
	}}
}

// sitemapURLs returns the URL of the sitemap of each target.
func (s *Submission) sitemapURLs() (all []string) {
	for i := range s.targets {
		all = append(all, s.targets[i].sitemap)
	}
	return all
}

// UnsentReasons returns a line of text for each reason why URLs were not sent, with the number of
// these URLs.
func (s *Submission) UnsentReasons() (lines []string) {
	if s.Outcome.Hidden > 0 {
		lines = append(lines, diag.Count(s.Outcome.Hidden, "URL")+" hidden now and not submitted: the pages are still served")
	}
	if s.Outcome.Outside > 0 {
		lines = append(lines, fmt.Sprintf("%s not of the site and not submitted: %.200q", diag.Count(s.Outcome.Outside, "URL"), s.example))
	}
	if s.Outcome.Unsent > 0 {
		lines = append(lines, diag.Count(s.Outcome.Unsent, "URL")+" left; run it again later")
	}
	return lines
}

// indexNowKey returns the IndexNow key of the site, or "" if the site has none.
func (s *Submission) indexNowKey() string { return s.Build.Settings.Writer.IndexNowKey }
