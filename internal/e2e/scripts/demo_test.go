package scripts

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// demonstration is what docs/demo.svg shows: what is typed in the sample
// project, and how many seconds it is looked at.
var demonstration = []struct {
	typed string
	look  float64
}{
	{"sitewalk build", 4},
	{"sitewalk explain /thanks/", 6},
	{"mv public/routes/south-shore.html public/", 2},
	{"sitewalk diff public/sitemap.xml --host netlify", 7},
	{"echo $?", 1},
}

// TestDemonstration runs the demonstration and compares the picture with what it prints. UPDATE=1
// draws the picture.
func TestDemonstration(t *testing.T) {
	testsite.ChdirToRoot(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/sample")); err != nil {
		t.Fatal(err)
	}
	var d drawing
	exitCode := 0
	for _, step := range demonstration {
		d.typed(step.typed)
		d.printed(demonstrate(t, dir, step.typed, &exitCode))
		d.seconds += step.look
	}
	picture := d.svg()
	testsite.CompareWithFile(t, "docs/demo.svg", string(picture))
	if d.seconds != 20 {
		t.Errorf("it takes %v seconds", d.seconds)
	}
	if err := xml.Unmarshal(picture, new(struct{})); err != nil {
		t.Error(err)
	}
}

// took is how long a build takes, which differs each time.
var took = regexp.MustCompile(`, in \d+(\.\d+)?[µm]?s`)

// demonstrate runs what was typed and returns what a person sees. It sets exitCode for
// the next line.
func demonstrate(t *testing.T, dir, typed string, exitCode *int) string {
	t.Helper()
	words := strings.Fields(typed)
	switch words[0] {
	case "mv":
		file := filepath.Join(dir, words[1])
		if err := os.Rename(file, filepath.Join(dir, words[2], filepath.Base(file))); err != nil {
			t.Fatal(err)
		}
		return ""
	case "echo":
		return fmt.Sprintln(*exitCode)
	}
	var seen bytes.Buffer
	if *exitCode = command(t, dir, &seen, &seen, words[1:]...); *exitCode > 1 {
		t.Fatalf("%s: exit code %d\n%s", typed, *exitCode, &seen)
	}
	return took.ReplaceAllString(seen.String(), ", in 2ms")
}

// A drawing is a terminal whose lines appear as they were typed and printed.
type drawing struct {
	lines   strings.Builder
	rows    int
	seconds float64 // until the next line
}

const (
	columns = 100
	rowSize = 19
)

func (d *drawing) typed(text string) {
	if d.rows > 0 {
		d.rows++
	}
	d.row("t", "$ "+text)
}

func (d *drawing) printed(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		for len(line) > columns {
			at := strings.LastIndexByte(line[:columns], ' ')
			d.row("p", line[:at])
			line = "    " + strings.TrimLeft(line[at:], " ")
		}
		d.row("p", line)
	}
}

func (d *drawing) row(class, text string) {
	d.rows++
	fmt.Fprintf(&d.lines, `<text class="%s" style="animation-delay:%.1fs" x="14" y="%d">`, class, d.seconds, 14+d.rows*rowSize)
	_ = xml.EscapeText(&d.lines, []byte(text))
	d.lines.WriteString("</text>\n")
}

// svg draws the terminal. Who wants no motion sees all of it at once.
func (d *drawing) svg() []byte {
	width, height := columns*8+28, (d.rows+2)*rowSize
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" role="img" aria-label="sitewalk writes a sitemap, explains a page that is out, and says what a deploy would lose">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #c9d1d9; white-space: pre; animation: appear 0.2s both; }
.t { fill: #7ee787; font-weight: bold; }
@keyframes appear { from { opacity: 0; } to { opacity: 1; } }
@media (prefers-reduced-motion: reduce) { text { animation: none; } }
@media print { text { animation: none; } }
</style>
<rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>
%[3]s</svg>
`, width, height, d.lines.String())
}
