package hosting

import (
	"io/fs"
	"strings"
)

// machines are the variables by which a program knows the machine that it runs
// on, in the order in which they are looked at. Sources for what makes a machine
// fetch the whole history:
// gohugo.io/methods/page/gitinfo/#hosting-considerations,
// github.com/actions/checkout, vitepress.dev/reference/default-theme-last-updated.
var machines = []struct {
	variable string
	host     string // whose machine it is; "" is none of the table of hosts
	serves   bool   // the host serves what the machine builds
	deepen   string // what makes it fetch the whole history; "" when it is not known
}{
	{"NETLIFY", "netlify", true, "begin Netlify's build command with `git fetch --unshallow && `"},
	{"VERCEL", "vercel", true, "set the environment variable VERCEL_DEEP_CLONE=true in the settings of the Vercel project"},
	{"CF_PAGES", "cloudflare", true, "begin Cloudflare's build command with `git fetch --unshallow && `"},
	{"WORKERS_CI", "cloudflare", true, "begin Cloudflare's build command with `git fetch --unshallow && `"},
	{"GITLAB_CI", "gitlab", false, "set the variable `GIT_DEPTH: 0` in .gitlab-ci.yml"},
	{"GITHUB_PAGES", "github", true, ""},
	{"PAGES_REPO_NWO", "github", true, ""},
	{"GITHUB_ACTIONS", "", false, "set `fetch-depth: 0` under `with:` in the actions/checkout step of the workflow"},
	{"RENDER", "render", true, "begin Render's build command with `git fetch --unshallow && `"},
	{"AWS_APP_ID", "amplify", true, ""},
	{"READTHEDOCS", "readthedocs", true, "write `- git fetch --unshallow || true` below `post_checkout:` of build.jobs in .readthedocs.yaml"},
}

// isSet reports whether a variable has a value that is not a no.
func isSet(getenv func(string) string, variable string) bool {
	v := getenv(variable)
	return v != "" && v != "0" && v != "false"
}

// Builder returns the name of the host on whose machine the build runs, "" when
// it runs elsewhere.
func Builder(getenv func(string) string) string {
	for _, m := range machines {
		if m.host != "" && isSet(getenv, m.variable) {
			return m.host
		}
	}
	return ""
}

// Deepen says what makes the machine that the build runs on fetch the whole
// history of a repository, "" when it is none that is known.
func Deepen(getenv func(string) string) string {
	for _, m := range machines {
		if m.deepen != "" && isSet(getenv, m.variable) {
			return m.deepen
		}
	}
	return ""
}

// An Address is where a platform says that the site is published.
type Address struct {
	URL string
	Who string // says so, for an error
	Why string // where the base URL comes from
}

// Addresses returns what the variables of the platforms say. Of these addresses
// the host is certain, and that it is served by https, but not the path.
func Addresses(getenv func(string) string) (all []Address) {
	if u := getenv("URL"); u != "" && getenv("NETLIFY") != "" {
		all = append(all, Address{u, "URL of Netlify", "$URL, which Netlify sets"})
	}
	if name := "VERCEL_PROJECT_PRODUCTION_URL"; getenv(name) != "" {
		all = append(all, Address{"https://" + strings.TrimPrefix(getenv(name), "https://"), name, "$" + name})
	}
	return all
}

// ServedAt returns the address at which the machine's own host serves what the build
// publishes, path included. Each version of a site on Read the Docs has its own.
// https://docs.readthedocs.com/platform/stable/reference/environment-variables.html
func ServedAt(getenv func(string) string) (a Address, ok bool) {
	u := getenv("READTHEDOCS_CANONICAL_URL")
	return Address{u, "READTHEDOCS_CANONICAL_URL", "$READTHEDOCS_CANONICAL_URL, which Read the Docs sets"}, u != "" && isSet(getenv, "READTHEDOCS")
}

// gitlabRuns reports whether the build is the job by which GitLab publishes a site.
func gitlabRuns(getenv func(string) string) bool {
	return getenv("CI_JOB_NAME") == "pages" && getenv("GITLAB_CI") != ""
}

// GitLabPages reports whether a build publishes to GitLab Pages, so that
// CI_PAGES_URL, which every job has, is the site's address.
func GitLabPages(root fs.FS, getenv func(string) string) bool {
	_, jobs := newLoader(Input{Root: root}).gitlabJobs()
	return gitlabRuns(getenv) || getenv("GITLAB_CI") != "" && len(jobs) > 0
}

// domainFile names the custom domain of a site on GitHub Pages.
// https://docs.github.com/pages/configuring-a-custom-domain-for-your-github-pages-site
const domainFile = "CNAME"

// maxDomain is more than any domain takes.
const maxDomain = 1 << 10

// Domain returns the custom domain that a file of the tree names, and the file;
// "" when there is none.
func Domain(tree fs.FS) (domain, file string) {
	src, err := readUpTo(tree, domainFile, maxDomain+1)
	if err != nil || len(src) > maxDomain {
		return "", ""
	}
	domain, _, _ = strings.Cut(strings.TrimSpace(string(src)), "\n")
	return strings.TrimSpace(domain), domainFile
}
