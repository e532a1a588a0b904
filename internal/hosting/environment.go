package hosting

import (
	"io/fs"
	"slices"
	"strings"
)

// isEnvSet reports whether an environment variable is set to a value other than "", "0" and
// "false".
func isEnvSet(getenv func(string) string, variable string) bool {
	value := getenv(variable)
	return value != "" && value != "0" && value != "false"
}

// BuildHost returns the name of the host whose build machine runs this process, such as "netlify".
// It returns "" on other machines. It also returns "" in GitHub Actions, which builds sites for all
// hosts, unless a variable of GitHub Pages such as GITHUB_PAGES is set.
func BuildHost(getenv func(string) string) string {
	for _, m := range buildMachines {
		if m.host != "" && isEnvSet(getenv, m.variable) {
			return m.host
		}
	}
	return ""
}

// FullHistoryAdvice returns advice on how to fetch the whole git history on this build machine,
// such as "set the variable `GIT_DEPTH: 0` in .gitlab-ci.yml". It returns "" if it has no advice
// for this machine.
func FullHistoryAdvice(getenv func(string) string) string {
	for _, m := range buildMachines {
		if m.advice != "" && isEnvSet(getenv, m.variable) {
			return m.advice
		}
	}
	return ""
}

// An EnvURL is the URL of the site in an environment variable of a hosting platform.
type EnvURL struct {
	URL    string
	Name   string // the variable as errors name it: "URL of Netlify"
	Origin string // the variable as explanations name it: "$URL, which Netlify sets"
}

// EnvURLs returns the URLs of the site in the environment variables of Netlify and Vercel. Each URL
// has the scheme and host of the site. Its path may be missing if the site is in a folder of the
// host.
func EnvURLs(getenv func(string) string) (all []EnvURL) {
	if u := getenv("URL"); u != "" && getenv("NETLIFY") != "" {
		all = append(all, EnvURL{u, "URL of Netlify", "$URL, which Netlify sets"})
	}
	if name := "VERCEL_PROJECT_PRODUCTION_URL"; getenv(name) != "" {
		all = append(all, EnvURL{"https://" + strings.TrimPrefix(getenv(name), "https://"), name, "$" + name})
	}
	return all
}

// ReadTheDocsURL returns the complete URL at which Read the Docs serves this build, from the
// environment variable READTHEDOCS_CANONICAL_URL. Each version of a site has its own URL there. ok
// is false if the variable is not set, or if the build machine is not Read the Docs.
//
// See https://docs.readthedocs.com/platform/stable/reference/environment-variables.html
func ReadTheDocsURL(getenv func(string) string) (e EnvURL, ok bool) {
	u := getenv("READTHEDOCS_CANONICAL_URL")
	return EnvURL{u, "READTHEDOCS_CANONICAL_URL", "$READTHEDOCS_CANONICAL_URL, which Read the Docs sets"}, u != "" && isEnvSet(getenv, "READTHEDOCS")
}

// isGitLabPagesJob reports whether this process runs in the GitLab CI job called "pages", which
// publishes to GitLab Pages.
func isGitLabPagesJob(getenv func(string) string) bool {
	return getenv("CI_JOB_NAME") == "pages" && getenv("GITLAB_CI") != ""
}

// PublishesToGitLabPages reports whether this process runs in a GitLab CI pipeline that publishes
// to GitLab Pages. GitLab sets the variable CI_PAGES_URL in all pipelines, but the variable is the
// URL of the site only in such a pipeline. root is the folder of the project.
func PublishesToGitLabPages(root fs.FS, getenv func(string) string) bool {
	return isGitLabPagesJob(getenv) || getenv("GITLAB_CI") != "" && hasGitLabPagesJob(newLoader(Input{Root: root}))
}

// domainFile is the name of the file that contains the custom domain of a site on GitHub Pages.
//
// See https://docs.github.com/pages/configuring-a-custom-domain-for-your-github-pages-site
const domainFile = "CNAME"

// maxDomain is the maximum size of a CNAME file in bytes.
const maxDomain = 1 << 10

// CustomDomain returns the first line of the file CNAME at the top of tree. This line is the custom
// domain of a site on GitHub Pages. CustomDomain does not check the domain, which may be "". file
// is the name of the file, "CNAME". Both results are "" if the file cannot be read or is too large.
func CustomDomain(tree fs.FS) (domain, file string) {
	src, err := readUpTo(tree, domainFile, maxDomain+1)
	if err != nil || len(src) > maxDomain {
		return "", ""
	}
	domain, _, _ = strings.Cut(strings.TrimSpace(string(src)), "\n")
	return strings.TrimSpace(domain), domainFile
}

// A buildKind identifies a kind of build, such as builds of pull requests. It is a list of
// conditions on environment variables. A build is of this kind if one of the conditions is true.
type buildKind []struct {
	on   string   // another variable for which isEnvSet must be true; "" for none
	name string   // the variable that must not be empty
	is   []string // allowed values; nil allows all values
	not  []string // forbidden values
}

// findAssignment returns the variable of the first condition that is true, with its value, such as
// "CONTEXT=deploy-preview". ok is false if no condition is true.
func (all buildKind) findAssignment(getenv func(string) string) (assignment string, ok bool) {
	for _, c := range all {
		value := getenv(c.name)
		is := value != "" && (len(c.is) == 0 || slices.Contains(c.is, value)) && !slices.Contains(c.not, value)
		if is && (c.on == "" || isEnvSet(getenv, c.on)) {
			return c.name + "=" + value, true
		}
	}
	return "", false
}

// previews identifies builds on Netlify, Vercel, Read the Docs and Cloudflare that are not for
// production, such as builds for preview deployments. No variable of Cloudflare names the
// production branch. Therefore, every branch that Cloudflare builds, except main, master and
// production, counts as a preview.
var previews = buildKind{
	{on: "NETLIFY", name: "CONTEXT", not: []string{"production"}},
	{name: "VERCEL_ENV", not: []string{"production"}},
	{name: "READTHEDOCS_VERSION_TYPE", is: []string{"external"}},
	{name: "CF_PAGES_BRANCH", not: []string{"main", "master", "production"}},
	{name: "WORKERS_CI_BRANCH", not: []string{"main", "master", "production"}},
}

// pullRequests identifies builds of pull requests or merge requests on GitHub, GitLab, Render, AWS
// Amplify, Azure Pipelines and Read the Docs.
var pullRequests = buildKind{
	{name: "GITHUB_EVENT_NAME", is: []string{"pull_request", "pull_request_target"}},
	{name: "CI_PIPELINE_SOURCE", is: []string{"merge_request_event"}},
	{name: "CI_MERGE_REQUEST_IID"},
	{name: "IS_PULL_REQUEST", is: []string{"true"}},
	{name: "AWS_PULL_REQUEST_ID"},
	{name: "BUILD_REASON", is: []string{"PullRequest"}},
	{name: "READTHEDOCS_VERSION_TYPE", is: []string{"external"}},
}

// indexablePreviews identifies builds for preview deployments that search engines may index. It
// leaves out previews on Vercel, Cloudflare and Read the Docs, and deploy previews on Netlify,
// because these previews have the header X-Robots-Tag: noindex. It also leaves out development
// servers of Netlify.
//
// See https://docs.netlify.com/deploy/deploy-overview/
var indexablePreviews = buildKind{
	{on: "NETLIFY", name: "CONTEXT", not: []string{"production", "deploy-preview", "dev", "preview-server"}},
	{on: "RENDER", name: "IS_PULL_REQUEST", is: []string{"true"}},
	{on: "AWS_APP_ID", name: "AWS_PULL_REQUEST_ID"},
}

// IsPreview reports whether the build is for a preview deployment or a development server on
// Netlify, Vercel, Read the Docs or Cloudflare. assignment is the environment variable that shows
// this, with its value: "VERCEL_ENV=preview".
func IsPreview(getenv func(string) string) (assignment string, yes bool) {
	return previews.findAssignment(getenv)
}

// IsPullRequest reports whether the build is for a pull request or merge request. assignment is the
// environment variable that shows this, with its value: "GITHUB_EVENT_NAME=pull_request".
func IsPullRequest(getenv func(string) string) (assignment string, yes bool) {
	return pullRequests.findAssignment(getenv)
}

// IsIndexablePreview reports whether the build is for a preview deployment that search engines may
// index. assignment is the environment variable that shows this, with its value:
// "AWS_PULL_REQUEST_ID=7".
func IsIndexablePreview(getenv func(string) string) (assignment string, yes bool) {
	if isGitLabPagesJob(getenv) {
		return buildKind{{name: "CI_MERGE_REQUEST_IID"}}.findAssignment(getenv)
	}
	return indexablePreviews.findAssignment(getenv)
}

// IsSingleDeployment reports whether host belongs to a single deployment and not to the site. If
// the URL in an environment variable such as DEPLOY_URL has this host, reason is the name of the
// variable. Otherwise, reason names the platform that gives such a host name to a deployment:
//
//   - "of Netlify" for hash--site.netlify.app
//   - "of Cloudflare Pages" for hash.project.pages.dev
//   - "of Read the Docs" for every host below readthedocs.build, such as
//     project--number.org.readthedocs.build
func IsSingleDeployment(host string, getenv func(string) string) (reason string, yes bool) {
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
