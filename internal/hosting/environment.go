package hosting

import (
	"io/fs"
	"slices"
	"strings"
)

// isSet reports whether a variable has a value other than 0 and false.
func isSet(getenv func(string) string, variable string) bool {
	v := getenv(variable)
	return v != "" && v != "0" && v != "false"
}

// Builder returns the name of the host whose machine runs the build, or "".
func Builder(getenv func(string) string) string {
	for _, m := range buildMachines {
		if m.host != "" && isSet(getenv, m.variable) {
			return m.host
		}
	}
	return ""
}

// FullHistoryAdvice returns how to make the build machine fetch the whole history of a
// repository. It returns "" for an unknown machine.
func FullHistoryAdvice(getenv func(string) string) string {
	for _, m := range buildMachines {
		if m.advice != "" && isSet(getenv, m.variable) {
			return m.advice
		}
	}
	return ""
}

// An Address is the published address of the site by a variable of a platform.
type Address struct {
	URL string
	Who string // the variable, for an error
	Why string // the variable, for a reason
}

// Addresses returns the addresses in the variables of the platforms. The host and https are
// certain, the path is not.
func Addresses(getenv func(string) string) (all []Address) {
	if u := getenv("URL"); u != "" && getenv("NETLIFY") != "" {
		all = append(all, Address{u, "URL of Netlify", "$URL, which Netlify sets"})
	}
	if name := "VERCEL_PROJECT_PRODUCTION_URL"; getenv(name) != "" {
		all = append(all, Address{"https://" + strings.TrimPrefix(getenv(name), "https://"), name, "$" + name})
	}
	return all
}

// ServedAt returns the address, with its path, that serves the build on the machine's own
// host. Each version of a site on Read the Docs has its own address.
// https://docs.readthedocs.com/platform/stable/reference/environment-variables.html
func ServedAt(getenv func(string) string) (a Address, ok bool) {
	u := getenv("READTHEDOCS_CANONICAL_URL")
	return Address{u, "READTHEDOCS_CANONICAL_URL", "$READTHEDOCS_CANONICAL_URL, which Read the Docs sets"}, u != "" && isSet(getenv, "READTHEDOCS")
}

// isGitLabPagesJob reports whether the build is the job that publishes to GitLab Pages.
func isGitLabPagesJob(getenv func(string) string) bool {
	return getenv("CI_JOB_NAME") == "pages" && getenv("GITLAB_CI") != ""
}

// GitLabPages reports whether a build publishes to GitLab Pages, so that
// CI_PAGES_URL, which every job has, is the site's address.
func GitLabPages(root fs.FS, getenv func(string) string) bool {
	return isGitLabPagesJob(getenv) || getenv("GITLAB_CI") != "" && hasGitLabJob(newLoader(Input{Root: root}))
}

// domainFile names the custom domain of a site on GitHub Pages.
// https://docs.github.com/pages/configuring-a-custom-domain-for-your-github-pages-site
const domainFile = "CNAME"

// maxDomain is the maximum size of a CNAME file in bytes.
const maxDomain = 1 << 10

// CustomDomain returns the custom domain that a file of the tree names, and the file. Both are ""
// without one.
func CustomDomain(tree fs.FS) (domain, file string) {
	src, err := readUpTo(tree, domainFile, maxDomain+1)
	if err != nil || len(src) > maxDomain {
		return "", ""
	}
	domain, _, _ = strings.Cut(strings.TrimSpace(string(src)), "\n")
	return strings.TrimSpace(domain), domainFile
}

// variables identify a kind of build: one of them has one of its values.
type variables []struct {
	on      string // a variable that must be set, too; "" for none
	name    string
	is, not []string // its values and other values; an empty is allows all
}

// find returns the first variable that has one of its values, with the value.
func (all variables) find(getenv func(string) string) (what string, yes bool) {
	for _, v := range all {
		value := getenv(v.name)
		is := value != "" && (len(v.is) == 0 || slices.Contains(v.is, value)) && !slices.Contains(v.not, value)
		if is && (v.on == "" || isSet(getenv, v.on)) {
			return v.name + "=" + value, true
		}
	}
	return "", false
}

// previews identify preview deployments. A build does not know the production branch of
// Cloudflare: it is taken to be main, master or production.
var previews = variables{
	{on: "NETLIFY", name: "CONTEXT", not: []string{"production"}},
	{name: "VERCEL_ENV", not: []string{"production"}},
	{name: "READTHEDOCS_VERSION_TYPE", is: []string{"external"}},
	{name: "CF_PAGES_BRANCH", not: []string{"main", "master", "production"}},
	{name: "WORKERS_CI_BRANCH", not: []string{"main", "master", "production"}},
}

// pullRequests identify pull requests on GitHub, GitLab, Render, AWS Amplify, Azure, and Read
// the Docs.
var pullRequests = variables{
	{name: "GITHUB_EVENT_NAME", is: []string{"pull_request", "pull_request_target"}},
	{name: "CI_PIPELINE_SOURCE", is: []string{"merge_request_event"}},
	{name: "CI_MERGE_REQUEST_IID"},
	{name: "IS_PULL_REQUEST", is: []string{"true"}},
	{name: "AWS_PULL_REQUEST_ID"},
	{name: "BUILD_REASON", is: []string{"PullRequest"}},
	{name: "READTHEDOCS_VERSION_TYPE", is: []string{"external"}},
}

// openPreviews identify previews that search engines may index. Vercel,
// Cloudflare, Read the Docs and, for deploy previews, Netlify send X-Robots-Tag: noindex
// themselves. https://docs.netlify.com/deploy/deploy-overview/
var openPreviews = variables{
	{on: "NETLIFY", name: "CONTEXT", not: []string{"production", "deploy-preview", "dev", "preview-server"}},
	{on: "RENDER", name: "IS_PULL_REQUEST", is: []string{"true"}},
	{on: "AWS_APP_ID", name: "AWS_PULL_REQUEST_ID"},
}

// Preview reports whether the build is a preview deployment, and returns the variable that
// identifies it.
func Preview(getenv func(string) string) (what string, yes bool) { return previews.find(getenv) }

// PullRequest reports whether the build is of a pull or merge request, or of its preview, and
// returns the variable that identifies it.
func PullRequest(getenv func(string) string) (what string, yes bool) {
	return pullRequests.find(getenv)
}

// OpenPreview reports whether the build is a preview that search engines may index, and returns
// the variable that identifies it.
func OpenPreview(getenv func(string) string) (what string, yes bool) {
	if isGitLabPagesJob(getenv) {
		return variables{{name: "CI_MERGE_REQUEST_IID"}}.find(getenv)
	}
	return openPreviews.find(getenv)
}

// IsSingleDeployment reports whether host belongs to a single deployment and not to the site. It
// compares host with environment variables and with the patterns of Netlify
// (hash--site.netlify.app), Cloudflare Pages (hash.project.pages.dev) and Read the Docs
// (project--number.org.readthedocs.build).
func IsSingleDeployment(host string, getenv func(string) string) (why string, yes bool) {
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
