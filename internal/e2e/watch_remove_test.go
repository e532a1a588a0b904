//go:build e2e && unix

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestWatchRemovedPublishDir removes the publish directory repeatedly while watch runs. It checks
// that watch does not create the directory again, and that it works once a site is back.
func TestWatchRemovedPublishDir(t *testing.T) {
	rm, err := exec.LookPath("rm")
	if err != nil {
		t.Skip("the system has no rm")
	}
	testWatchBackends(t, func(t *testing.T, args ...string) {
		p := newProject(t, testsite.SmallFiles())
		p.args = []string{"--max-loss", "100%"} // watch compares only its first build with the old sitemap
		p.startWatch(args...)
		failures := 0
		for i := range 12 {
			for j := range 150 {
				p.Write(fmt.Sprintf("public/%d/%d.html", j%10, j), testsite.SmallPage+fmt.Sprint(i))
			}
			p.Write("public/index.html", testsite.SmallPage)
			time.Sleep(time.Duration(10+5*i) * time.Millisecond) // so that the removal is before or during a rebuild
			if exec.Command(rm, "-rf", p.AbsPath("public")).Run() != nil {
				failures++
				p.RemoveDir("public")
				continue
			}
			time.Sleep(40 * time.Millisecond)
			if _, err := os.Lstat(p.AbsPath("public")); err == nil {
				t.Fatalf("watch created the publish directory again, with %q", p.leftovers())
			}
		}
		t.Logf("rm failed %d times because the folder was not empty", failures)
		p.Write("public/index.html", testsite.SmallPage)
		p.WaitUntil("the site", func() bool { return p.Read("public/sitemap.xml") != "" })
		p.WaitUntilLikeFreshBuild()
	})
}
