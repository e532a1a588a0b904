package hosting

import "slices"

// Preview reports whether the build is one of a preview deployment, by the
// variables of Netlify (CONTEXT), Vercel (VERCEL_ENV) and Cloudflare
// (CF_PAGES_BRANCH, WORKERS_CI_BRANCH), and names the variable that says so.
// Which branch Cloudflare takes for production is a setting that no build
// sees: main, master and production are taken for it.
func Preview(getenv func(string) string) (what string, yes bool) {
	if v := getenv("CONTEXT"); getenv("NETLIFY") == "true" && v != "" && v != "production" {
		return "CONTEXT=" + v, true
	}
	if v := getenv("VERCEL_ENV"); v != "" && v != "production" {
		return "VERCEL_ENV=" + v, true
	}
	for _, name := range []string{"CF_PAGES_BRANCH", "WORKERS_CI_BRANCH"} {
		if v := getenv(name); v != "" && !slices.Contains([]string{"main", "master", "production"}, v) {
			return name + "=" + v, true
		}
	}
	return "", false
}
