package hosting

import (
	"slices"
	"strings"
)

// variables tell by one of them of which kind a build is.
type variables []struct {
	on      string // the variable by which the machine is known that has to set it; "" is any
	name    string
	is, not []string // its values; no value in is stands for all
}

// holds returns the first variable that has one of its values, with the value.
func (all variables) holds(getenv func(string) string) (what string, yes bool) {
	for _, v := range all {
		value := getenv(v.name)
		is := value != "" && (len(v.is) == 0 || slices.Contains(v.is, value)) && !slices.Contains(v.not, value)
		if is && (v.on == "" || isSet(getenv, v.on)) {
			return v.name + "=" + value, true
		}
	}
	return "", false
}

// previews are those of preview deployments. Which branch Cloudflare takes for production
// is a setting that no build sees: main, master and production are taken for it.
var previews = variables{
	{on: "NETLIFY", name: "CONTEXT", not: []string{"production"}},
	{name: "VERCEL_ENV", not: []string{"production"}},
	{name: "READTHEDOCS_VERSION_TYPE", is: []string{"external"}},
	{name: "CF_PAGES_BRANCH", not: []string{"main", "master", "production"}},
	{name: "WORKERS_CI_BRANCH", not: []string{"main", "master", "production"}},
}

// pullRequests are those of GitHub, GitLab, Render, AWS Amplify, Azure, and Read the Docs.
var pullRequests = variables{
	{name: "GITHUB_EVENT_NAME", is: []string{"pull_request", "pull_request_target"}},
	{name: "CI_PIPELINE_SOURCE", is: []string{"merge_request_event"}},
	{name: "CI_MERGE_REQUEST_IID"},
	{name: "IS_PULL_REQUEST", is: []string{"true"}},
	{name: "AWS_PULL_REQUEST_ID"},
	{name: "BUILD_REASON", is: []string{"PullRequest"}},
	{name: "READTHEDOCS_VERSION_TYPE", is: []string{"external"}},
}

// openPreviews are those of previews that search engines are not kept from. Vercel,
// Cloudflare, Read the Docs and, for deploy previews, Netlify send X-Robots-Tag: noindex
// themselves. https://docs.netlify.com/deploy/deploy-overview/
var openPreviews = variables{
	{on: "NETLIFY", name: "CONTEXT", not: []string{"production", "deploy-preview", "dev", "preview-server"}},
	{on: "RENDER", name: "IS_PULL_REQUEST", is: []string{"true"}},
	{on: "AWS_APP_ID", name: "AWS_PULL_REQUEST_ID"},
}

// Preview reports whether the build is one of a preview deployment, and names the variable
// that says so.
func Preview(getenv func(string) string) (what string, yes bool) { return previews.holds(getenv) }

// PullRequest reports whether the run is that of a pull or merge request, or of
// the preview that a host makes of one, and names the variable that says so.
func PullRequest(getenv func(string) string) (what string, yes bool) {
	return pullRequests.holds(getenv)
}

// OpenPreview reports whether the build is one of a preview that its host publishes without
// keeping search engines from it, and names the variable that says so.
func OpenPreview(getenv func(string) string) (what string, yes bool) {
	if gitlabRuns(getenv) {
		return variables{{name: "CI_MERGE_REQUEST_IID"}}.holds(getenv)
	}
	return openPreviews.holds(getenv)
}

// OneDeployment reports whether a host is that of one deployment, not of the site:
// by the variables that hold its address, and by the forms of Netlify
// (hash--site.netlify.app), Cloudflare Pages (hash.project.pages.dev) and Read the Docs
// (project--number.org.readthedocs.build).
func OneDeployment(host string, getenv func(string) string) (why string, yes bool) {
	for _, name := range []string{"DEPLOY_URL", "VERCEL_URL", "CF_PAGES_URL"} {
		own := strings.TrimSuffix(strings.TrimPrefix(getenv(name), "https://"), "/")
		if own != "" && strings.EqualFold(own, host) {
			return name, true
		}
	}
	if site, ok := strings.CutSuffix(host, ".netlify.app"); ok && strings.Contains(site, "--") {
		return "of Netlify", true
	}
	if site, ok := strings.CutSuffix(host, ".pages.dev"); ok && strings.Contains(site, ".") {
		return "of Cloudflare Pages", true
	}
	if strings.HasSuffix(host, ".readthedocs.build") {
		return "of Read the Docs", true
	}
	return "", false
}
