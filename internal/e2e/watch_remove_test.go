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

// TestWatchRemove removes the publish directory again and again while pages are
// written, as people and build scripts do. What is gone stays gone.
func TestWatchRemove(t *testing.T) {
	rm, err := exec.LookPath("rm")
	if err != nil {
		t.Skip("there is no rm")
	}
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		p := newProject(t, testsite.SmallFiles())
		p.args = []string{"--max-loss", "100%"} // a watch compares only its first list with what was there
		p.watch(args...)
		failures := 0
		for i := range 12 {
			for j := range 150 {
				p.Write(fmt.Sprintf("public/%d/%d.html", j%10, j), testsite.SmallPage+fmt.Sprint(i))
			}
			p.Write("public/index.html", testsite.SmallPage)
			time.Sleep(time.Duration(10+5*i) * time.Millisecond) // somewhere in a rebuild, or before
			if exec.Command(rm, "-rf", p.AbsPath("public")).Run() != nil {
				failures++
				p.RemoveDir("public")
				continue
			}
			time.Sleep(40 * time.Millisecond)
			if _, err := os.Lstat(p.AbsPath("public")); err == nil {
				t.Fatalf("the folder is there again, with %q", p.leftovers())
			}
		}
		t.Logf("rm found the folder not empty %d times", failures)
		p.Write("public/index.html", testsite.SmallPage)
		p.WaitUntil("the site", func() bool { return p.Read("public/sitemap.xml") != "" })
		p.WaitUntilLikeFreshBuild()
	})
}
