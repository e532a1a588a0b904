//go:build e2e && unix

package hosting

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestRealServers compares the answers for all paths of random sites with the answers of the real
// servers Apache, nginx and Caddy. For Apache, the sites have .htaccess files. The base URL of each
// site has a path.
func TestRealServers(t *testing.T) {
	for _, server := range []struct {
		host     string
		settings func(r *random, below string) string // returns the content of a .htaccess file
		command  func(t *testing.T, dir, address string) []string
	}{
		{"apache", (*random).htaccess, apacheCommand},
		{"nginx", nil, nginxCommand},
		{"caddy", nil, caddyCommand},
	} {
		t.Run(server.host, func(t *testing.T) {
			dir := t.TempDir()
			var sites []served
			for i := range 120 {
				r := &random{rand.New(rand.NewPCG(uint64(i), 15))}
				s := served{Name: fmt.Sprintf("s%d", i), Host: server.host}
				s.Base, s.Dir = "https://example.com/"+s.Name+"/", filepath.Join(dir, s.Name)
				for _, file := range r.files() {
					write(t, filepath.Join(s.Dir, filepath.FromSlash(file)), []byte(file))
				}
				if server.settings != nil {
					write(t, filepath.Join(s.Dir, ".htaccess"), []byte(server.settings(r, "/"+s.Name)))
					for _, dir := range r.folders(t, s.Dir) {
						write(t, filepath.Join(dir, ".htaccess"), []byte(server.settings(r, "/"+s.Name)+r.pick("", "", "Require all denied\n", "Require all granted\n")))
					}
				}
				sites = append(sites, s)
			}
			address := freeAddress(t)
			background(t, dir, address, server.command(t, dir, address))
			statuses := map[string]int{}
			for _, s := range sites {
				t.Run(s.Name, func(t *testing.T) { s.compareAnswers(t, s.Dir, "http://"+address+"/"+s.Name, statuses) })
			}
			if statuses["outside"] > statuses[server.host+" 200"]/5 {
				t.Errorf("too few are compared: %v", statuses)
			}
			for _, status := range []string{" 200", " 404"} {
				if statuses[server.host+status] < 20 {
					t.Errorf("only %v", statuses)
				}
			}
		})
	}
}

// folders returns a random selection of the folders below dir.
func (r *random) folders(t *testing.T, dir string) (some []string) {
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && name != dir && r.half() {
			some = append(some, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return some
}

// htaccess returns a .htaccess file with random rules. below is the path of the base URL.
func (r *random) htaccess(below string) string {
	var b strings.Builder
	line := func(words ...string) { b.WriteString(strings.Join(words, " ") + "\n") }
	for range r.IntN(4) {
		status := r.pick("", "permanent", "301", "302", "seeother", "gone", "404")
		to := r.pick(below+"/target", "https://other.example.com/x", below+"/target/")
		if status == "gone" || status == "404" {
			to = ""
		}
		switch from := below + r.path(); r.IntN(3) {
		case 0:
			if to != "" {
				to += r.pick("", "$1", "/$1x/$0")
			}
			line("RedirectMatch", status, r.pick(`\.css$`, `^`+below+`/c/(.*)\.html$`, `/old/`, `^`+below+`/[ab]/$`, `"/g\.h$"`), to)
		default:
			line("Redirect", status, from, to)
		}
	}
	if r.IntN(6) == 0 {
		line("FallbackResource", r.pick(below+"/index.html", "disabled"))
	}
	header := func() {
		action, value := r.pick("set", "append", "add", "merge", "unset"), r.pick("noindex", "all", `"noindex, nofollow"`)
		if action == "unset" {
			value = ""
		}
		line("Header", r.pick("", "always"), action, "X-Robots-Tag", value)
	}
	for range r.IntN(3) {
		switch r.IntN(4) {
		case 0:
			header()
		case 1:
			line("<Files", r.pick(`"index.html"`, "*.html", "?.html", "x.css")+">")
			header()
			line("</Files>")
		case 2:
			line("<FilesMatch", r.pick(`"^[ab]\.html$"`, `\.css`, "index")+">")
			header()
			line("</FilesMatch>")
		case 3:
			line("<Files", r.pick("b.html", "*.css", "index.html")+">\nRequire all", r.pick("denied", "denied", "granted")+"\n</Files>")
		}
	}
	return b.String()
}

func apacheCommand(t *testing.T, dir, address string) []string {
	modules := "/usr/lib/apache2/modules/mod_"
	conf := "ServerRoot " + dir + "\nServerName 127.0.0.1\nListen " + address + "\nPidFile apache.pid\nErrorLog error.log\nDefaultRuntimeDir " + dir + "\nDocumentRoot " + dir + "\n"
	for _, m := range []string{"mpm_event", "authz_core", "alias", "dir", "headers", "rewrite"} {
		conf += "LoadModule " + m + "_module " + modules + m + ".so\n"
	}
	conf += "<Directory " + dir + ">\nAllowOverride All\nRequire all granted\n</Directory>\n"
	write(t, filepath.Join(dir, "apache.conf"), []byte(conf))
	return []string{"/usr/sbin/apache2", "-D", "FOREGROUND", "-f", filepath.Join(dir, "apache.conf")}
}

func nginxCommand(t *testing.T, dir, address string) []string {
	write(t, filepath.Join(dir, "tmp", "none"), nil)
	write(t, filepath.Join(dir, "nginx.conf"), []byte(`daemon off; master_process off; pid nginx.pid; error_log stderr;
events {}
http {
	access_log off; absolute_redirect off;
	client_body_temp_path tmp/a; proxy_temp_path tmp/b; fastcgi_temp_path tmp/c; uwsgi_temp_path tmp/d; scgi_temp_path tmp/e;
	server { listen `+address+`; root .; }
}
`))
	return []string{"/usr/sbin/nginx", "-p", dir, "-c", filepath.Join(dir, "nginx.conf")}
}

func caddyCommand(t *testing.T, dir, address string) []string {
	_, port, _ := strings.Cut(address, ":")
	write(t, filepath.Join(dir, "Caddyfile"), []byte("{\n\tadmin off\n\tauto_https off\n}\nhttp://:"+port+" {\n\tbind 127.0.0.1\n\troot * "+dir+"\n\tfile_server\n}\n"))
	return []string{"/usr/bin/caddy", "run", "--config", filepath.Join(dir, "Caddyfile"), "--adapter", "caddyfile"}
}

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// background starts a server and waits until it accepts connections. The server runs until the test
// ends.
func background(t *testing.T, dir, address string, command []string) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // to kill the worker processes of the server too
	var said strings.Builder
	cmd.Stderr = &said
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
			t.Fatalf("%v: %v\n%s", command, err, said.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
}
