//go:build e2e && linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLive deploys a site with 1,000 URLs to nginx. It checks that check --live finds nothing after a
// healthy deploy. Then it deletes 16 pages and empties 37, and checks that all of them are found.
func TestLive(t *testing.T) {
	dir, address := t.TempDir(), freeAddress(t)
	writeFile(t, dir, "sitemap.yaml", "base_url: http://"+address+"/\nhost: nginx\npages: {dir: built}\nfindings: {local-address: off}\n")
	writeFile(t, dir, "built/index.html", "<!doctype html><title>Home</title><p>Home")
	writeFile(t, dir, "built/robots.txt", "User-agent: *\nAllow: /\nSitemap: http://"+address+"/sitemap.xml\n")
	writeFile(t, dir, "built/hidden/index.html", "<!doctype html><meta name=robots content=noindex><title>Hidden</title>")
	writeFile(t, dir, "built/moved/index.html", "<!doctype html><meta http-equiv=refresh content='0;url=/'><title>Moved</title>")
	page := func(i int) string { return fmt.Sprintf("s%d/p%d/index.html", i%7, i) }
	for i := range 996 {
		writeFile(t, dir, "built/"+page(i), fmt.Sprintf("<!doctype html><title>Page %d</title><p>Text %[1]d", i))
	}
	run(t, dir, sitewalk, "build", "-q")
	public := filepath.Join(dir, "public")
	if err := os.CopyFS(public, os.DirFS(filepath.Join(dir, "built"))); err != nil {
		t.Fatal(err)
	}
	startNginx(t, dir, address, []string{"types { text/html html; application/xml xml; text/plain txt; }"})
	check := func(more ...string) (output string, code int) {
		_, stderr, err := tryRun(t, dir, nil, sitewalk, append([]string{"check", "--live", "--rate", "1000"}, more...)...)
		if err != nil {
			code = 1
		}
		return stderr, code
	}
	if output, code := check("--whole"); code != 0 || strings.Contains(output, "hint") || !strings.Contains(output, "1,000 URLs requested, 1,000 correct; nothing is wrong") {
		t.Fatalf("a healthy deploy: exit code %d, want 0 and no findings: %s", code, output)
	}
	for i := range 16 {
		if err := os.RemoveAll(filepath.Join(public, filepath.Dir(page(i*11)))); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 37 {
		writeFile(t, dir, "public/"+page(i*11+1), "")
	}
	for _, more := range [][]string{nil, {"http://" + address + "/sitemap.xml"}} {
		output, code := check(more...)
		lost := regexp.MustCompile(`/p\d+/ answers 404 Not Found(, and was built)?; the same for 15 more: `)
		empty := regexp.MustCompile(`/p\d+/ is empty; the same for 36 more: `)
		if code != 1 || !lost.MatchString(output) || !empty.MatchString(output) || !strings.Contains(output, "2 errors, 0 warnings") {
			t.Errorf("%v: exit code %d, want 1 and findings about 16 missing and 37 empty pages: %s", more, code, output)
		}
	}
}

// liveServers are real servers with typical rules, and with additional rules that cause five findings.
var liveServers = map[string]struct {
	rules, faults string
	serve         func(t *testing.T, dir, address, rules string)
}{
	"caddy": {"", `redir /p1/ /p2/
	respond /p3/ 403
	header /p4/ X-Robots-Tag noindex
	header /p5/ Content-Type text/plain
	handle_errors {
		respond "<!doctype html><title>Home</title>" 200
	}`, func(t *testing.T, dir, address, rules string) {
		_, port, _ := strings.Cut(address, ":")
		writeFile(t, dir, "Caddyfile", "{\n\tadmin off\n\tauto_https off\n}\nhttp://:"+port+" {\n\tbind 127.0.0.1\n\troot * public\n\t"+rules+"\n\tfile_server\n}\n")
		startServer(t, dir, address, toolPath(t, "caddy"), "run", "--config", "Caddyfile", "--adapter", "caddyfile")
	}},
	"apache": {`Redirect 301 /old/ /p1/
RedirectMatch 302 ^/short/(.*)$ /$1
RewriteEngine On
RewriteRule ^moved\.html$ /about.html [R=301,L]
Redirect gone /gone/
<Files "secret.html">
Header set X-Robots-Tag noindex
</Files>
<Files "closed.html">
Require all denied
</Files>
`, `RewriteRule ^p1/$ /p2/ [R=301,L]
RewriteRule ^p3/$ - [F]
Header set X-Robots-Tag noindex "expr=%{REQUEST_URI} == '/p4/index.html'"
Header set Content-Type text/plain "expr=%{REQUEST_URI} == '/p5/index.html'"
FallbackResource /index.html
`, func(t *testing.T, dir, address, rules string) {
		writeFile(t, dir, "public/.htaccess", rules)
		conf := "ServerRoot " + dir + "\nServerName 127.0.0.1\nListen " + address + "\nPidFile apache.pid\nErrorLog error.log\nDefaultRuntimeDir " + dir + "\nDocumentRoot " + dir + "/public\n"
		for _, m := range []string{"mpm_event", "authz_core", "alias", "dir", "headers", "rewrite", "mime"} {
			conf += "LoadModule " + m + "_module /usr/lib/apache2/modules/mod_" + m + ".so\n"
		}
		writeFile(t, dir, "apache.conf", conf+"TypesConfig /dev/null\nAddType text/html .html\nAddType application/xml .xml\nAddType text/plain .txt\n<Directory "+dir+"/public>\nAllowOverride All\nRequire all granted\n</Directory>\n")
		startServer(t, dir, address, toolPath(t, "apache2"), "-D", "FOREGROUND", "-f", filepath.Join(dir, "apache.conf"))
	}},
}

// TestLiveServers deploys a site to real servers. It checks that check --live finds nothing, and that
// it finds ten faults after a second deploy: five in the rules of the server and five in files.
func TestLiveServers(t *testing.T) {
	for host, s := range liveServers {
		for _, faulty := range []bool{false, true} {
			t.Run(fmt.Sprint(host, " ", faulty), func(t *testing.T) {
				dir, address := t.TempDir(), freeAddress(t)
				writeFile(t, dir, "sitemap.yaml", "base_url: http://"+address+"/\nhost: "+host+"\npages: {dir: built}\nfindings: {local-address: off}\n")
				for _, file := range []string{"index.html", "about.html", "secret.html", "closed.html", "gone/index.html"} {
					writeFile(t, dir, "built/"+file, "<!doctype html><title>"+file+"</title><p>Text")
				}
				for i := range 12 {
					writeFile(t, dir, fmt.Sprintf("built/p%d/index.html", i), fmt.Sprintf("<!doctype html><title>Page %d</title><p>Text", i))
				}
				rules := s.rules
				writeFile(t, dir, "built/.htaccess", rules)
				run(t, dir, sitewalk, "build", "-q")
				if err := os.CopyFS(filepath.Join(dir, "public"), os.DirFS(filepath.Join(dir, "built"))); err != nil {
					t.Fatal(err)
				}
				if faulty {
					rules += s.faults
					writeFile(t, dir, "public/p6/index.html", "")
					writeFile(t, dir, "public/p7/index.html", `<!doctype html><meta name="robots" content="none"><title>Page 7</title><p>Text`)
					writeFile(t, dir, "public/p8/index.html", "<!doctype html><title>It works!</title><p>Text")
					writeFile(t, dir, "public/robots.txt", "User-agent: *\nDisallow: /p9/\n")
					writeFile(t, dir, "public/sitemap.xml", "<!doctype html><title>Not found</title>")
				}
				s.serve(t, dir, address, rules)
				_, output, err := tryRun(t, dir, nil, sitewalk, "check", "--live", "--rate", "1000")
				if !faulty && (err != nil || strings.Contains(output, "hint")) {
					t.Errorf("a healthy deploy: %v, want no findings: %s", err, output)
				}
				for _, fault := range []string{
					"/p1/ redirects to another page", "/p3/ answers 403", "/p4/ asks not to be indexed: X-Robots-Tag", `/p5/ is not served as a web page \("text/plain"\)`,
					"sitewalk-check-.* cannot exist, but answers 200", "/p6/ is empty", "/p7/ asks not to be indexed: its robots meta", "/p8/ is not the page that was built",
					"/p9/ is forbidden by robots.txt", "/sitemap.xml is answered with a web page",
				} {
					if faulty && !regexp.MustCompile(fault).MatchString(output) {
						t.Errorf("the output has no match for %q:\n%s", fault, output)
					}
				}
			})
		}
	}
}
