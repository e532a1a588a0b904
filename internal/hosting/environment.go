package hosting

import (
	"io/fs"
	"slices"
	"strings"
)

// isSet reports whether an environment variable is set to a value other than "", "0" and "false".
func isSet(getenv func(string) string, variable string) bool {
	v := getenv(variable)
	return v != "" && v != "0" && v != "false"
}

// Builder returns the name of the host whose build machine runs this process, such as "netlify", or
// "".
func Builder(getenv func(string) string) string {
	for _, m := range buildMachines {
		if m.host != "" && isSet(getenv, m.variable) {
			return m.host
		}
	}
	return ""
}

// FullHistoryAdvice returns advice on making the build machine fetch the whole git history: "set
// the variable `GIT_DEPTH: 0` in .gitlab-ci.yml". It returns "" for an unknown machine.
func FullHistoryAdvice(getenv func(string) string) string {
	for _, m := range buildMachines {
		if m.advice != "" && isSet(getenv, m.variable) {
			return m.advice
		}
	}
	return ""
}

// An Address is the URL of the site in an environment variable that a platform sets.
type Address struct {
	URL string
	Who string // name of the variable in errors: "URL of Netlify"
	Why string // name of the variable as an origin: "$URL, which Netlify sets"
}

// Addresses returns the URLs of the site in the environment variables of platforms. Their scheme
// and host are certain. The site may be below a path that the URLs do not have.
func Addresses(getenv func(string) string) (all []Address) {
	if u := getenv("URL"); u != "" && getenv("NETLIFY") != "" {
		all = append(all, Address{u, "URL of Netlify", "$URL, which Netlify sets"})
	}
	if name := "VERCEL_PROJECT_PRODUCTION_URL"; getenv(name) != "" {
		all = append(all, Address{"https://" + strings.TrimPrefix(getenv(name), "https://"), name, "$" + name})
	}
	return all
}

// ServedAt returns the complete URL, with its path, at which Read the Docs serves this build. Each
// version of a site there has its own URL. ok is false on any other build machine.
//
// See https://docs.readthedocs.com/platform/stable/reference/environment-variables.html
func ServedAt(getenv func(string) string) (a Address, ok bool) {
	u := getenv("READTHEDOCS_CANONICAL_URL")
	return Address{u, "READTHEDOCS_CANONICAL_URL", "$READTHEDOCS_CANONICAL_URL, which Read the Docs sets"}, u != "" && isSet(getenv, "READTHEDOCS")
}

// isGitLabPagesJob reports whether this process runs in the CI job that publishes to GitLab Pages.
func isGitLabPagesJob(getenv func(string) string) bool {
	return getenv("CI_JOB_NAME") == "pages" && getenv("GITLAB_CI") != ""
}

// GitLabPages reports whether this CI pipeline publishes the site to GitLab Pages. Only then is
// CI_PAGES_URL, which GitLab sets in every job, the URL of the site. root is the project's folder.
func GitLabPages(root fs.FS, getenv func(string) string) bool {
	return isGitLabPagesJob(getenv) || getenv("GITLAB_CI") != "" && hasGitLabJob(newLoader(Input{Root: root}))
}

// domainFile is the name of the file that contains the custom domain of a site on GitHub Pages.
//
// See https://docs.github.com/pages/configuring-a-custom-domain-for-your-github-pages-site
const domainFile = "CNAME"

// maxDomain is the maximum size of a CNAME file in bytes.
const maxDomain = 1 << 10

// CustomDomain returns the custom domain in the CNAME file at the top of tree, and the name of the
// file. Both results are "" if there is no such file.
func CustomDomain(tree fs.FS) (domain, file string) {
	src, err := readUpTo(tree, domainFile, maxDomain+1)
	if err != nil || len(src) > maxDomain {
		return "", ""
	}
	domain, _, _ = strings.Cut(strings.TrimSpace(string(src)), "\n")
	return strings.TrimSpace(domain), domainFile
}

// variables is a list of conditions on environment variables that identify a kind of build. One
// true condition is enough.
type variables []struct {
	on      string   // another variable that must be set; "" if none must be set
	name    string   // the variable that must be set
	is, not []string // values that the variable must have, and must not have; an empty is allows all values
}

// find returns the first variable whose condition is true, with its value:
// "CONTEXT=deploy-preview". yes is false if there is none.
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

// previews identifies preview deployments. Cloudflare sets no variable that tells which branch is
// the production branch, so a branch called main, master or production counts as it.
var previews = variables{
	{on: "NETLIFY", name: "CONTEXT", not: []string{"production"}},
	{name: "VERCEL_ENV", not: []string{"production"}},
	{name: "READTHEDOCS_VERSION_TYPE", is: []string{"external"}},
	{name: "CF_PAGES_BRANCH", not: []string{"main", "master", "production"}},
	{name: "WORKERS_CI_BRANCH", not: []string{"main", "master", "production"}},
}

// pullRequests identifies builds of pull requests on GitHub, GitLab, Render, AWS Amplify, Azure and
// Read the Docs.
var pullRequests = variables{
	{name: "GITHUB_EVENT_NAME", is: []string{"pull_request", "pull_request_target"}},
	{name: "CI_PIPELINE_SOURCE", is: []string{"merge_request_event"}},
	{name: "CI_MERGE_REQUEST_IID"},
	{name: "IS_PULL_REQUEST", is: []string{"true"}},
	{name: "AWS_PULL_REQUEST_ID"},
	{name: "BUILD_REASON", is: []string{"PullRequest"}},
	{name: "READTHEDOCS_VERSION_TYPE", is: []string{"external"}},
}

// openPreviews identifies preview deployments that search engines may index. Vercel, Cloudflare and
// Read the Docs send X-Robots-Tag: noindex for all previews, and Netlify for deploy previews.
//
// See https://docs.netlify.com/deploy/deploy-overview/
var openPreviews = variables{
	{on: "NETLIFY", name: "CONTEXT", not: []string{"production", "deploy-preview", "dev", "preview-server"}},
	{on: "RENDER", name: "IS_PULL_REQUEST", is: []string{"true"}},
	{on: "AWS_APP_ID", name: "AWS_PULL_REQUEST_ID"},
}

// Preview reports whether the build is for a preview deployment. what is the variable that
// identifies the preview: "VERCEL_ENV=preview".
func Preview(getenv func(string) string) (what string, yes bool) { return previews.find(getenv) }

// PullRequest reports whether the build is for a pull request or merge request. what is the
// variable that identifies the request: "GITHUB_EVENT_NAME=pull_request".
func PullRequest(getenv func(string) string) (what string, yes bool) {
	return pullRequests.find(getenv)
}

// OpenPreview reports whether the build is for a preview deployment that search engines may index.
// what is the variable that identifies the preview.
func OpenPreview(getenv func(string) string) (what string, yes bool) {
	if isGitLabPagesJob(getenv) {
		return variables{{name: "CI_MERGE_REQUEST_IID"}}.find(getenv)
	}
	return openPreviews.find(getenv)
}

// IsSingleDeployment reports whether host belongs to a single deployment and not to the site. why
// is the environment variable that contains host, or names the platform with such hosts: "of
// Netlify" for hash--site.netlify.app, "of Cloudflare Pages" for hash.project.pages.dev, and "of
// Read the Docs" for project--number.org.readthedocs.build.
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
