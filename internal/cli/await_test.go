package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWatchAwaits begins before the first build, says what it waits for, makes
// nothing of it, and builds when it comes.
func TestWatchAwaits(t *testing.T) {
	for _, tt := range []struct {
		name, dir string
		files     map[string]string
		args      []string
		come      func(p *project) // else the site is written in place
	}{
		{"named", "public", nil, []string{"public", "-b", "https://example.com/"}, nil},
		{"deep", "out/site", nil, []string{"out/site", "-b", "https://example.com/"}, nil},
		{"in the file", "public", map[string]string{"sitemap.yaml": plainConfig + "output: {robots: true, page: map/sitemap.html}\n"}, nil, nil},
		{"of a generator", "public", map[string]string{"hugo.toml": "baseURL = 'https://example.com/'\n"}, nil, nil},
		{"ledger within", "public", map[string]string{"sitemap.yaml": plainConfig + "ledger: public/data/sitemap.ledger\n"}, nil, nil},
		{"link to nothing", "public", map[string]string{"sitemap.yaml": plainConfig}, nil, func(p *project) {
			p.must(os.MkdirAll(p.at("release/1"), 0o755))
			p.must(os.WriteFile(p.at("release/1/index.html"), []byte(htmlPage), 0o644))
		}},
		{"moved there", "public", map[string]string{"sitemap.yaml": plainConfig}, nil, func(p *project) {
			p.write("public.new/index.html", htmlPage)
			p.must(os.Rename(p.at("public.new"), p.at("public")))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			backendsOfWatch(t, func(t *testing.T, args ...string) {
				p := newProject(t, tt.files)
				if tt.name == "link to nothing" {
					p.must(os.Symlink("release/1", p.at("public")))
				}
				p.args = tt.args
				p.watch(append(args, tt.args...)...)
				if e := p.events()[0]; e.Event != "error" || e.Message != filepath.FromSlash(tt.dir)+" does not exist; waiting for it" {
					t.Errorf("it says %+v", e)
				}
				p.quietly()
				if _, err := os.Stat(p.at(tt.dir)); err == nil {
					t.Fatal("it made the folder")
				}
				if tt.come != nil {
					tt.come(p)
				} else {
					p.write(tt.dir+"/_redirects", "/old/ / 301!\n")
					p.write(tt.dir+"/old/index.html", htmlPage)
					p.write(tt.dir+"/index.html", htmlPage)
					p.write("netlify.toml", "[build]\n")
				}
				p.until("the site", func() bool { return strings.Contains(p.read(tt.dir+"/sitemap.xml"), "https://example.com/<") })
				if tt.name != "ledger within" {
					p.fresh()
				}
			})
		})
	}
}

// TestWatchAwaitsContent follows a content folder that comes later, and goes.
func TestWatchAwaitsContent(t *testing.T) {
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		site := smallSite()
		delete(site, "sitemap.yaml")
		site["hugo.toml"] = "baseURL = 'https://example.com/'\n"
		p := newProject(t, site)
		p.watch(args...)
		p.fresh()
		p.write("content/a/_index.md", "---\nlastmod: 2025-02-03\n---\n")
		p.until("its date", func() bool { return strings.Contains(p.read("public/sitemap.xml"), "2025-02-03") })
		p.fresh()
		p.must(os.RemoveAll(p.at("content")))
		p.until("no date", func() bool { return !strings.Contains(p.read("public/sitemap.xml"), "2025-02-03") })
		p.fresh()
		p.quietly()
	})
}

// TestWatchPartsHost follows the host's files of a folder that is a site of its
// own.
func TestWatchPartsHost(t *testing.T) {
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		site := smallSite()
		site["sitemap.yaml"] = plainConfig + "host: netlify\nsites: [{dir: a, base_url: https://a.example/}]\n"
		p := newProject(t, site)
		p.watch(args...)
		p.fresh()
		p.write("public/a/_headers", "/b*\n  X-Robots-Tag: noindex\n")
		p.until("the header", func() bool { return !strings.Contains(p.read("public/a/sitemap.xml"), "/b") })
		p.fresh()
	})
}
