package hosting

import (
	"io/fs"
	"strings"
)

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

// FullHistoryAdvice returns how to make the machine that the build runs on fetch the whole
// history of a repository. It returns "" for an unknown machine.
func FullHistoryAdvice(getenv func(string) string) string {
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
