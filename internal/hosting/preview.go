package hosting

import (
	"slices"
	"strings"
)

// Preview reports whether the build is one of a preview deployment, by the
// variables of Netlify (CONTEXT), Vercel (VERCEL_ENV), Read the Docs
// (READTHEDOCS_VERSION_TYPE) and Cloudflare (CF_PAGES_BRANCH, WORKERS_CI_BRANCH), and
// names the variable that says so.
// Which branch Cloudflare takes for production is a setting that no build
// sees: main, master and production are taken for it.
func Preview(getenv func(string) string) (what string, yes bool) {
	if v := getenv("CONTEXT"); getenv("NETLIFY") == "true" && isPreview(v, "production") {
		return "CONTEXT=" + v, true
	}
	if v := getenv("VERCEL_ENV"); isPreview(v, "production") {
		return "VERCEL_ENV=" + v, true
	}
	if getenv("READTHEDOCS_VERSION_TYPE") == "external" {
		return "READTHEDOCS_VERSION_TYPE=external", true
	}
	for _, name := range []string{"CF_PAGES_BRANCH", "WORKERS_CI_BRANCH"} {
		if v := getenv(name); isPreview(v, "main", "master", "production") {
			return name + "=" + v, true
		}
	}
	return "", false
}

// PullRequest reports whether the run is that of a pull or merge request, or of
// the preview that a host makes of one, and names the variable that says so:
// those of GitHub, GitLab, Render, AWS Amplify, Azure, and Read the Docs.
func PullRequest(getenv func(string) string) (what string, yes bool) {
	for _, v := range []struct{ name, value string }{
		{"GITHUB_EVENT_NAME", "pull_request"},
		{"GITHUB_EVENT_NAME", "pull_request_target"},
		{"CI_PIPELINE_SOURCE", "merge_request_event"},
		{"CI_MERGE_REQUEST_IID", ""},
		{"IS_PULL_REQUEST", "true"},
		{"AWS_PULL_REQUEST_ID", ""},
		{"BUILD_REASON", "PullRequest"},
		{"READTHEDOCS_VERSION_TYPE", "external"},
	} {
		if got := getenv(v.name); got != "" && (v.value == "" || got == v.value) {
			return v.name + "=" + got, true
		}
	}
	return "", false
}

// isPreview reports whether a variable is set, and to none of the words for a build that
// is no preview.
func isPreview(value string, others ...string) bool {
	return value != "" && !slices.Contains(others, value)
}

// OpenPreview reports whether the build is one of a preview that its host publishes without
// keeping search engines from it, and names the variable that says so. Vercel, Cloudflare,
// Read the Docs and, for deploy previews, Netlify send X-Robots-Tag: noindex themselves.
// https://docs.netlify.com/deploy/deploy-overview/
func OpenPreview(getenv func(string) string) (what string, yes bool) {
	context := getenv("CONTEXT")
	switch {
	case getenv("NETLIFY") == "true" && isPreview(context, "production", "deploy-preview", "dev", "preview-server"):
		return "CONTEXT=" + context, true
	case isSet(getenv, "NETLIFY"):
		return "", false
	case getenv("RENDER") == "true" && getenv("IS_PULL_REQUEST") == "true":
		return "IS_PULL_REQUEST=true", true
	case isSet(getenv, "AWS_APP_ID") && getenv("AWS_PULL_REQUEST_ID") != "":
		return "AWS_PULL_REQUEST_ID=" + getenv("AWS_PULL_REQUEST_ID"), true
	case gitlabRuns(getenv) && getenv("CI_MERGE_REQUEST_IID") != "":
		return "CI_MERGE_REQUEST_IID=" + getenv("CI_MERGE_REQUEST_IID"), true
	}
	return "", false
}

// OneDeployment reports whether a host is that of one deployment, not of the site:
// by the variables that hold its address, and by the forms of Netlify
// (hash--site.netlify.app), Cloudflare Pages (hash.project.pages.dev) and Read the Docs
// (project--number.org.readthedocs.build).
func OneDeployment(host string, getenv func(string) string) (why string, yes bool) {
	for _, name := range []string{"DEPLOY_URL", "VERCEL_URL", "CF_PAGES_URL"} {
		_, own, hasScheme := strings.Cut(getenv(name), "://")
		if !hasScheme {
			own = getenv(name)
		}
		if own = strings.TrimSuffix(own, "/"); own != "" && strings.EqualFold(own, host) {
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
