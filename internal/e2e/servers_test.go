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

// former are URL paths that pages had: the paths for which diff offers a redirect line.
var former = []string{"/plain/", "/bare", "/page.html", "/über/", "/日本/", "/a.b/", "/~a/", "/a-b_c/"}

// places are the folders that the pages move to.
var places = []string{"new/page", "new/ü", "new/a.b"}

// TestServersTakeLines loses pages, pastes the lines that diff
// offers into the configuration of real servers, and asks them.
func TestServersTakeLines(t *testing.T) {
	for _, s := range []struct {
		name, host, in string
		serve          func(t *testing.T, dir, address string, lines []string)
	}{
		{"nginx", "nginx", "the server block of nginx", nginx},
		{"apache", "apache", ".htaccess", apache},
	} {
		t.Run(s.name, func(t *testing.T) {
			dir := t.TempDir()
			lost := lostPages(t, dir, s.host)
			write(t, dir, "public/.htaccess", "")
			out, stderr, _ := try(t, dir, nil, sitewalk, "diff", "old.json", "--json")
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
			if len(moved) != lost {
				t.Fatalf("%d lines for %d lost pages\n%s", len(moved), lost, stderr)
			}
			address := freeAddress(t)
			s.serve(t, dir, address, lines)
			for from, to := range moved {
				if got := redirect(t, address, from); got != spelt(t, to) {
					t.Errorf("with %s\n%s leads to %q, want %q", line[from], from, got, to)
				}
			}
		})
	}
}

// lostPages writes a site, and the addresses that its pages had before.
func lostPages(t *testing.T, dir, host string) int {
	write(t, dir, "sitemap.yaml", "base_url: https://example.internal/\npages: {dir: public}\nlastmod: []\nhost: "+host+"\n")
	write(t, dir, "public/index.html", "<title>Home</title>")
	var old []map[string]string
	for i, path := range former {
		title := fmt.Sprintf("Page %d", i)
		write(t, dir, fmt.Sprintf("public/%s-%d/index.html", places[i%len(places)], i), "<!doctype html><title>"+title+"</title>")
		old = append(old, map[string]string{"url": (&url.URL{Scheme: "https", Host: "example.internal", Path: path}).String(), "title": title})
	}
	src, err := json.Marshal(map[string]any{"pages": old})
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "old.json", string(src))
	return len(old)
}

// spelt is an address in Go's own encoding, which the servers' differ from.
func spelt(t *testing.T, loc string) string {
	u, err := url.Parse(loc)
	if err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "https", Host: "example.internal", Path: u.Path, RawQuery: u.RawQuery}).String()
}

// redirect asks a server for an address of the site, and returns where it leads
// for good.
func redirect(t *testing.T, address, loc string) string {
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
	return spelt(t, to.String())
}

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func nginx(t *testing.T, dir, address string, lines []string) {
	write(t, dir, "nginx.conf", `daemon off; master_process off; pid nginx.pid; error_log stderr;
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
	write(t, dir, "tmp/none", "")
	background(t, dir, address, tool(t, "nginx"), "-p", dir, "-c", filepath.Join(dir, "nginx.conf"))
}

func apache(t *testing.T, dir, address string, lines []string) {
	write(t, dir, "public/.htaccess", strings.Join(lines, "\n")+"\n")
	write(t, dir, "apache.conf", `ServerRoot "`+dir+`"
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
	background(t, dir, address, tool(t, "apache2"), "-D", "FOREGROUND", "-f", filepath.Join(dir, "apache.conf"))
}

// background runs a server until the test ends, and returns when it answers.
func background(t *testing.T, dir, address, name string, args ...string) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said strings.Builder
	cmd.Stderr, cmd.Stdout = &said, &said
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
			t.Fatalf("%s: %v\n%s", filepath.Base(name), err, said.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
}
