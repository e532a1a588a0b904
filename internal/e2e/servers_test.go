//go:build e2e && linux

package e2e

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// oldPaths are the URL paths of the pages before the move.
var oldPaths = []string{"/plain/", "/bare", "/page.html", "/über/", "/日本/", "/a.b/", "/~a/", "/a-b_c/"}

// newFolders are the folders that the pages move to.
var newFolders = []string{"new/page", "new/ü", "new/a.b"}

// TestSuggestedRedirects moves pages and adds the redirects that diff suggests to the configuration
// of real servers. It checks that each old URL redirects to the new one.
func TestSuggestedRedirects(t *testing.T) {
	for _, s := range []struct {
		name, host, in string
		serve          func(t *testing.T, dir, address string, lines []string)
	}{
		{"nginx", "nginx", "the server block of nginx", startNginx},
		{"apache", "apache", ".htaccess", startApache},
	} {
		t.Run(s.name, func(t *testing.T) {
			dir := t.TempDir()
			numLost := writeMovedPages(t, dir, s.host)
			writeFile(t, dir, "public/.htaccess", "")
			out, stderr, _ := tryRun(t, dir, nil, sitewalk, "diff", "old.json", "--json")
			var report struct {
				Changes struct {
					List []struct{ Class, URL, To, Fix, In string }
				}
			}
			if err := json.Unmarshal([]byte(out), &report); err != nil {
				t.Fatal(err, stderr)
			}
			var lines []string
			moved, line := map[string]string{}, map[string]string{}
			for _, c := range report.Changes.List {
				if c.Class == "lost" && c.In == s.in {
					lines = append(lines, c.Fix)
					moved[c.URL], line[c.URL] = c.To, c.Fix
				}
			}
			if len(moved) != numLost {
				t.Fatalf("diff suggests %d lines, want %d\n%s", len(moved), numLost, stderr)
			}
			address := freeAddress(t)
			s.serve(t, dir, address, lines)
			for from, to := range moved {
				if got := redirectTarget(t, address, from); got != normalizeURL(t, to) {
					t.Errorf("with the line %s\n%s redirects to %q, want %q", line[from], from, got, to)
				}
			}
		})
	}
}

// writeMovedPages writes a site, and old.json with the old URLs of its pages. It returns their number.
func writeMovedPages(t *testing.T, dir, host string) int {
	writeFile(t, dir, "sitemap.yaml", "base_url: https://example.internal/\npages: {dir: public}\nlastmod: []\nhost: "+host+"\n")
	writeFile(t, dir, "public/index.html", "<title>Home</title>")
	var old []map[string]any
	for i, path := range oldPaths {
		title := fmt.Sprintf("Page %d", i)
		writeFile(t, dir, fmt.Sprintf("public/%s-%d/index.html", newFolders[i%len(newFolders)], i), "<!doctype html><title>"+title+"</title>")
		old = append(old, map[string]any{"listed": true, "url": (&url.URL{Scheme: "https", Host: "example.internal", Path: path}).String(), "title": title})
	}
	src, err := json.Marshal(map[string]any{"pages": old})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "old.json", string(src))
	return len(old)
}

// normalizeURL returns a URL on example.internal with the escaping of net/url. Servers escape the
// path differently.
func normalizeURL(t *testing.T, loc string) string {
	u, err := url.Parse(loc)
	if err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "https", Host: "example.internal", Path: u.Path, RawQuery: u.RawQuery}).String()
}

// redirectTarget requests a URL of the site and returns the target of the 301 redirect. It returns
// the status for another response.
func redirectTarget(t *testing.T, address, loc string) string {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	local := "http://" + address
	response, err := client.Get(strings.Replace(loc, "https://example.internal", local, 1))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	to, err := response.Location()
	if err != nil || response.StatusCode != http.StatusMovedPermanently {
		return response.Status
	}
	return normalizeURL(t, to.String())
}

// freeAddress returns an address of this machine with an unused port.
func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// startNginx starts nginx for the folder public in dir. lines are added to the server block.
func startNginx(t *testing.T, dir, address string, lines []string) {
	writeFile(t, dir, "nginx.conf", `daemon off; master_process off; pid nginx.pid; error_log stderr;
events {}
http {
	access_log off; absolute_redirect off;
	client_body_temp_path tmp/a; proxy_temp_path tmp/b; fastcgi_temp_path tmp/c; uwsgi_temp_path tmp/d; scgi_temp_path tmp/e;
	server {
		listen `+address+`; root public;
		`+strings.Join(lines, "\n\t\t")+`
	}
}
`)
	writeFile(t, dir, "tmp/none", "")
	startServer(t, dir, address, toolPath(t, "nginx"), "-p", dir, "-c", filepath.Join(dir, "nginx.conf"))
}

// startApache starts Apache for the folder public in dir. lines are written to .htaccess.
func startApache(t *testing.T, dir, address string, lines []string) {
	writeFile(t, dir, "public/.htaccess", strings.Join(lines, "\n")+"\n")
	writeFile(t, dir, "apache.conf", `ServerRoot "`+dir+`"
ServerName 127.0.0.1
Listen `+address+`
PidFile apache.pid
ErrorLog /dev/stderr
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule alias_module /usr/lib/apache2/modules/mod_alias.so
LoadModule dir_module /usr/lib/apache2/modules/mod_dir.so
DefaultRuntimeDir "`+dir+`"
DocumentRoot "`+dir+`/public"
<Directory "`+dir+`/public">
	AllowOverride All
	Require all granted
</Directory>
`)
	startServer(t, dir, address, toolPath(t, "apache2"), "-D", "FOREGROUND", "-f", filepath.Join(dir, "apache.conf"))
}

// startServer starts a server and waits until it accepts connections. The server runs until the
// test ends.
func startServer(t *testing.T, dir, address, name string, args ...string) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var output strings.Builder
	cmd.Stderr, cmd.Stdout = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
	})
	for {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
			return
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s: %v\n%s", filepath.Base(name), err, output.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
}
