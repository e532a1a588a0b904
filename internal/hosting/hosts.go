package hosting

import (
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
)

// A host is one entry of the table of hosts.
type host struct {
	name string
	server
	read func(*loader) // its own files; robots.txt is read for all

	respellsFirst bool // before its rules, and whether there is a file or not

	redirectFile string // where redirectLine is written
	redirectLine func(s *Site, from, to string) string
}

// hosts are the hosts that are known, each with the URLs that it gives to
// files, as https://github.com/slorber/trailing-slash-guide has measured them.
// Where a host answers a.html and a alike, the site decides; see EitherEnding.
var hosts = [...]host{
	{"netlify", server{mapping.Style{}, prettyURLs, 301}, (*loader).netlify, false, "_redirects", underscoreLine},
	{"vercel", server{mapping.Style{}, vercelServer{}.serve, 308}, (*loader).vercel, true, "vercel.json", vercelLine},
	{"cloudflare", server{mapping.Style{HTML: mapping.StripHTML}, anyFile, 308}, (*loader).cloudflare, false, "_redirects", cloudflareRedirect},
	{"github", server{mapping.Style{}, githubFiles, 301}, (*loader).github, false, "", nil},
	{"gitlab", server{mapping.Style{}, gitlabFiles, 302}, (*loader).gitlab, false, "_redirects", gitlabLine},
	{"firebase", server{mapping.Style{}, firebaseServer{}.serve, 301}, (*loader).firebase, false, "firebase.json", firebaseLine},
	{"azure", server{mapping.Style{}, anySpelling, 301}, (*loader).azure, false, "staticwebapp.config.json", azureLine},
	{"render", server{mapping.Style{}, anyFile, 301}, (*loader).render, false, "render.yaml", renderLine},
	{"amplify", server{mapping.Style{}, plainFiles, 301}, (*loader).readAmplify, false, "the redirects of the Amplify app", amplifyLine},
	{"surge", server{mapping.Style{}, githubFiles, 301}, nil, false, "ROUTER", surgeLine},
	{"readthedocs", server{mapping.Style{}, plainFiles, 302}, nil, false, "", nil},
	{"deno", server{mapping.Style{}, plainFiles, 301}, nil, false, "", nil},
	{"s3", server{mapping.Style{}, plainFiles, 302}, nil, false, "", nil},
	{"nginx", server{mapping.Style{}, plainFiles, 301}, nil, false, "the server block of nginx", nginxLine},
	{"apache", server{mapping.Style{}, plainFiles, 301}, (*loader).apache, false, ".htaccess", apacheLine},
	{"caddy", server{mapping.Style{}, plainFiles, 308}, nil, false, "the Caddyfile", caddyLine},
	{"none", server{mapping.Style{}, plainFiles, 301}, nil, false, "", nil},
}

// Names returns the names that Input.Name takes.
func Names() []string {
	names := []string{Auto}
	for _, h := range hosts {
		names = append(names, h.name)
	}
	return names
}

// hostByName returns a host of the table, or nil.
func hostByName(name string) *host {
	for i := range hosts {
		if hosts[i].name == name {
			return &hosts[i]
		}
	}
	return nil
}

// signs are the files that point to a host. Weak ones do so in the publish directory,
// the others in each of the trees.
var signs = []struct {
	file, host string
	strength   int
	says       func(*loader) bool // what other products of the host read, too: that it is of a site
}{
	{netlifyName, "netlify", own, nil},
	{"vercel.json", "vercel", own, nil},
	{".vercel/project.json", "vercel", own, nil},
	{"staticwebapp.config.json", "azure", own, nil},
	{"swa-cli.config.json", "azure", own, nil},
	{"customHttp.yml", "amplify", own, nil},
	{"amplify.yml", "amplify", own, nil},
	{outputDir + "/config.json", "vercel", own, (*loader).publishesOutput},
	{"wrangler.json", "cloudflare", own, wranglerSite},
	{"wrangler.jsonc", "cloudflare", own, wranglerSite},
	{"wrangler.toml", "cloudflare", own, wranglerSite},
	{"firebase.json", "firebase", own, some((*loader).firebaseFile)},
	{"render.yaml", "render", own, some((*loader).readRenderYAML)},
	{".readthedocs.yaml", "readthedocs", builds, nil},
	{".readthedocs.yml", "readthedocs", builds, nil},
	{".gitlab-ci.yml", "gitlab", deploys, some((*loader).gitlabJobs)},
	{"_worker.js", "cloudflare", weak, nil},
	{"_routes.json", "cloudflare", weak, nil},
	{"_redirects", "netlify", weak, nil},
	{"_headers", "netlify", weak, nil},
	{domainFile, "github", weak, nil},
	{".nojekyll", "github", weak, nil},
	{".htaccess", "apache", weak, nil},
}

// domains are what the addresses end in that hosts give to sites.
var domains = []struct{ suffix, host string }{
	{".netlify.app", "netlify"},
	{".vercel.app", "vercel"},
	{".pages.dev", "cloudflare"},
	{".workers.dev", "cloudflare"},
	{".github.io", "github"},
	{".web.app", "firebase"},
	{".firebaseapp.com", "firebase"},
	{".azurestaticapps.net", "azure"},
	{".gitlab.io", "gitlab"},
	{".onrender.com", "render"},
	{".amplifyapp.com", "amplify"},
	{".surge.sh", "surge"},
	{".readthedocs.io", "readthedocs"},
	{".readthedocs.build", "readthedocs"},
	{".deno.dev", "deno"},
	{".deno.net", "deno"},
}

// deployers are the actions by which workflows publish a site.
var deployers = []struct{ action, host string }{
	{"actions/deploy-pages@", "github"},
	{"peaceiris/actions-gh-pages@", "github"},
	{"JamesIves/github-pages-deploy-action@", "github"},
	{"Azure/static-web-apps-deploy@", "azure"},
}

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

// publishers say which folder a platform's own file names; "" is none.
var publishers = []struct {
	host string
	dir  func(*loader) strict.Value[string]
}{
	{"netlify", (*loader).netlifyPublish},
	{"vercel", (*loader).vercelPublish},
	{"cloudflare", (*loader).wranglerPublish},
	{"gitlab", (*loader).gitlabPublish},
	{"firebase", (*loader).firebasePublish},
	{"render", (*loader).renderPublish},
	{"azure", (*loader).azurePublish},
}
