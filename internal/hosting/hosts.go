package hosting

import (
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
)

// A platform describes a hosting platform or a web server.
type platform struct {
	name   string        // the value of the host setting: "netlify"
	server               // how it serves files
	read   func(*loader) // reads its configuration files, except robots.txt; nil if sitewalk reads none

	redirect redirectFormat // how to write a redirect
	hideHint string         // advice on sending noindex for a folder; PATH becomes "/v1/", and FOLDER becomes "v1/"; "" if there is none

	ownRedirectsBeforeRules bool // Vercel: the host's own redirects take precedence over all rules
}

const (
	headersHint = "write into _headers, on two lines: PATH* and, indented, X-Robots-Tag: noindex"
	jsonHeaders = `"headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}`
)

// platforms lists all known platforms. If a platform serves the same page at several URLs, such as
// /a.html and /a, the links of the site decide which URL to list; see Endings.
//
// See https://github.com/slorber/trailing-slash-guide
var platforms = [...]platform{
	{
		name: "netlify", server: server{mapping.Style{}, prettyURLs, 301}, read: (*loader).readNetlify,
		redirect: redirectFormat{file: "_redirects", isPublished: true, format: "%s %s 301"}, hideHint: headersHint,
	},
	{
		name: "vercel", server: server{mapping.Style{}, exactOrIndex, 308}, read: (*loader).readVercel,
		redirect: redirectFormat{file: `"redirects" in vercel.json`, format: `{"source": "%s", "destination": "%s", "permanent": true}`},
		hideHint: `add to headers in vercel.json: {"source": "PATH(.*)", ` + jsonHeaders, ownRedirectsBeforeRules: true,
	},
	{
		name: "cloudflare", server: server{mapping.Style{HTML: mapping.StripHTML}, anyFile, 308}, read: (*loader).readCloudflare,
		redirect: redirectFormat{file: "_redirects", isPublished: true, format: "%s %s 301"}, hideHint: headersHint,
	},
	{name: "github", server: server{mapping.Style{}, githubFiles, 301}, read: (*loader).readGitHubDomain},
	{
		name: "gitlab", server: server{mapping.Style{}, gitlabFiles, 302}, read: (*loader).readGitLab,
		redirect: redirectFormat{file: "_redirects", isPublished: true, format: "%s %s 301", matchesDecoded: true, hasBasePath: true},
	},
	{
		name: "firebase", server: server{mapping.Style{}, plainFiles, 301}, read: (*loader).readFirebase,
		redirect: redirectFormat{file: `"redirects" in firebase.json`, format: `{"source": "%s", "destination": "%s", "type": 301}`, matchesDecoded: true, encodesTarget: true},
		hideHint: `add to hosting.headers in firebase.json: {"source": "PATH**", ` + jsonHeaders,
	},
	{
		name: "azure", server: server{mapping.Style{}, azureFiles, 301}, read: (*loader).readAzure,
		redirect: redirectFormat{file: `"routes" in staticwebapp.config.json`, format: `{"route": "%s", "redirect": "%s", "statusCode": 301}`},
		hideHint: `add to routes in staticwebapp.config.json: {"route": "PATH*", "headers": {"X-Robots-Tag": "noindex"}}`,
	},
	{
		name: "render", server: server{mapping.Style{}, anyFile, 301}, read: (*loader).readRender,
		redirect: redirectFormat{file: "routes in render.yaml", format: `- {type: redirect, source: "%s", destination: "%s"}`},
	},
	{
		name: "amplify", server: server{mapping.Style{}, plainFiles, 301}, read: (*loader).readAmplify,
		redirect: redirectFormat{file: "the redirects of the Amplify app", format: `{"source": "%s", "target": "%s", "status": "301"}`},
	},
	{name: "surge", server: server{mapping.Style{}, githubFiles, 301}, redirect: redirectFormat{file: "ROUTER", isPublished: true, format: "301 %s %s"}},
	{name: "readthedocs", server: server{mapping.Style{}, plainFiles, 302}},
	{name: "deno", server: server{mapping.Style{}, plainFiles, 301}},
	{name: "s3", server: server{mapping.Style{}, plainFiles, 302}},
	{
		name: "nginx", server: server{mapping.Style{}, plainFiles, 301},
		redirect: redirectFormat{file: "the server block of nginx", format: "location = %s { return 301 %s; }", matchesDecoded: true},
		hideHint: "write into the server block: location PATH { add_header X-Robots-Tag noindex; }",
	},
	{
		name: "apache", server: server{mapping.Style{}, plainFiles, 301}, read: (*loader).readApache,
		redirect: redirectFormat{file: ".htaccess", isPublished: true, format: `RedirectMatch 301 "^%s$" %s`, matchesDecoded: true, encodesTarget: true, hasBasePath: true, isRegexp: true},
		hideHint: "write into FOLDER.htaccess: Header set X-Robots-Tag noindex",
	},
	{
		name: "caddy", server: server{mapping.Style{}, plainFiles, 308},
		redirect: redirectFormat{file: "the Caddyfile", format: "redir %s %s permanent", matchesDecoded: true},
		hideHint: "write into the Caddyfile: header PATH* X-Robots-Tag noindex",
	},
	{name: "none", server: server{mapping.Style{}, plainFiles, 301}},
}

// Unknown is the Host of an unknown platform. It serves files like a plain file server.
var Unknown = &Host{platform: platformByName("none"), server: platformByName("none").server}

// Names returns the valid values of Input.Name: Auto, then the names of all hosts.
func Names() []string {
	names := []string{Auto}
	for _, h := range platforms {
		names = append(names, h.name)
	}
	return names
}

// platformByName returns the element of platforms with the given name, or nil if there is none.
func platformByName(name string) *platform {
	for i := range platforms {
		if platforms[i].name == name {
			return &platforms[i]
		}
	}
	return nil
}

// fileClues lists the files that are evidence for a host. They count in the publish directory, the
// project root and the repository root, unless publishOnly is true.
var fileClues = []struct {
	file, host  string
	strength    int
	publishOnly bool               // the file counts only in the publish directory
	isSite      func(*loader) bool // reports whether a file that several products use configures a site; nil means always
}{
	{file: netlifyName, host: "netlify", strength: ownFile},
	{file: "vercel.json", host: "vercel", strength: ownFile},
	{file: ".vercel/project.json", host: "vercel", strength: ownFile},
	{file: "staticwebapp.config.json", host: "azure", strength: ownFile},
	{file: "swa-cli.config.json", host: "azure", strength: ownFile},
	{file: "customHttp.yml", host: "amplify", strength: ownFile},
	{file: "amplify.yml", host: "amplify", strength: ownFile},
	{file: outputDir + "/config.json", host: "vercel", strength: ownFile, isSite: (*loader).publishesBuildOutput},
	{file: "wrangler.json", host: "cloudflare", strength: ownFile, isSite: hasWranglerSite},
	{file: "wrangler.jsonc", host: "cloudflare", strength: ownFile, isSite: hasWranglerSite},
	{file: "wrangler.toml", host: "cloudflare", strength: ownFile, isSite: hasWranglerSite},
	{file: "firebase.json", host: "firebase", strength: ownFile, isSite: hasFirebaseSite},
	{file: "render.yaml", host: "render", strength: ownFile, isSite: hasRenderSite},
	{file: ".readthedocs.yaml", host: "readthedocs", strength: buildFile},
	{file: ".readthedocs.yml", host: "readthedocs", strength: buildFile},
	{file: ".gitlab-ci.yml", host: "gitlab", strength: deployWorkflow, isSite: hasGitLabPagesJob},
	{file: "_worker.js", host: "cloudflare", strength: weakFile, publishOnly: true},
	{file: "_routes.json", host: "cloudflare", strength: weakFile, publishOnly: true},
	{file: "_redirects", host: "netlify", strength: weakFile, publishOnly: true},
	{file: "_headers", host: "netlify", strength: weakFile, publishOnly: true},
	{file: domainFile, host: "github", strength: weakFile, publishOnly: true},
	{file: ".nojekyll", host: "github", strength: weakFile, publishOnly: true},
	{file: ".htaccess", host: "apache", strength: weakFile, publishOnly: true},
}

// domains lists the domain suffixes of hosting platforms. For example, the sites of Netlify have
// domains that end in .netlify.app.
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

// deployActions lists actions that publish a site in a GitHub workflow, and the hosts of these
// sites.
var deployActions = []struct{ action, host string }{
	{"actions/deploy-pages@", "github"},
	{"peaceiris/actions-gh-pages@", "github"},
	{"JamesIves/github-pages-deploy-action@", "github"},
	{"Azure/static-web-apps-deploy@", "azure"},
}

// buildMachines lists the environment variables that identify build machines. If several variables
// are set, BuildHost uses the first with a host, and FullHistoryAdvice uses the first with advice.
// The following pages describe how to fetch the whole git history.
//
// See https://gohugo.io/methods/page/gitinfo/#hosting-considerations
// See https://github.com/actions/checkout
// See https://vitepress.dev/reference/default-theme-last-updated
var buildMachines = []struct {
	variable string
	host     string // the host that owns the machine; "" for GitHub Actions, which builds sites for all hosts
	serves   bool   // the host serves what the machine builds
	advice   string // how to fetch the whole history; "" if unknown
}{
	{variable: "NETLIFY", host: "netlify", serves: true, advice: "begin Netlify's build command with `git fetch --unshallow && `"},
	{variable: "VERCEL", host: "vercel", serves: true, advice: "set the environment variable VERCEL_DEEP_CLONE=true in the settings of the Vercel project"},
	{variable: "CF_PAGES", host: "cloudflare", serves: true, advice: "begin Cloudflare's build command with `git fetch --unshallow && `"},
	{variable: "WORKERS_CI", host: "cloudflare", serves: true, advice: "begin Cloudflare's build command with `git fetch --unshallow && `"},
	{variable: "GITLAB_CI", host: "gitlab", advice: "set the variable `GIT_DEPTH: 0` in .gitlab-ci.yml"},
	{variable: "GITHUB_PAGES", host: "github", serves: true},
	{variable: "PAGES_REPO_NWO", host: "github", serves: true},
	{variable: "GITHUB_ACTIONS", advice: "set `fetch-depth: 0` under `with:` in the actions/checkout step of the workflow"},
	{variable: "RENDER", host: "render", serves: true, advice: "begin Render's build command with `git fetch --unshallow && `"},
	{variable: "AWS_APP_ID", host: "amplify", serves: true},
	{variable: "READTHEDOCS", host: "readthedocs", serves: true, advice: "write `- git fetch --unshallow || true` below `post_checkout:` of build.jobs in .readthedocs.yaml"},
}

// publishers lists the functions that read the publish directory from the configuration file of a
// host. A function returns the zero Value if the file does not set the directory.
var publishers = []struct {
	host string
	dir  func(*loader) strict.Value[string]
}{
	{"netlify", (*loader).netlifyPublishDir},
	{"vercel", (*loader).vercelPublishDir},
	{"cloudflare", (*loader).wranglerPublishDir},
	{"gitlab", (*loader).gitlabPublishDir},
	{"firebase", (*loader).firebasePublishDir},
	{"render", (*loader).renderPublishDir},
}
