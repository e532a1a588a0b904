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

// demoSteps are the command lines in docs/demo.svg, and the seconds until the next command line.
var demoSteps = []struct {
	command string
	seconds float64
}{
	{"sitewalk build", 4},
	{"sitewalk explain /thanks/", 6},
	{"mv public/routes/south-shore.html public/", 2},
	{"sitewalk diff public/sitemap.xml --host netlify", 7},
	{"echo $?", 1},
}

// TestDemo runs demoSteps in the sample project and checks that docs/demo.svg shows their output.
// UPDATE=1 draws the picture again.
func TestDemo(t *testing.T) {
	testsite.ChdirToRoot(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/sample")); err != nil {
		t.Fatal(err)
	}
	var d drawing
	exitCode := 0
	for _, step := range demoSteps {
		d.addCommand(step.command)
		d.addOutput(runDemoStep(t, dir, step.command, &exitCode))
		d.seconds += step.seconds
	}
	picture := d.svg()
	testsite.CompareWithFile(t, "docs/demo.svg", string(picture))
	if d.seconds != 20 {
		t.Errorf("the demo takes %v seconds, want 20", d.seconds)
	}
	if err := xml.Unmarshal(picture, new(struct{})); err != nil {
		t.Error(err)
	}
}

// buildTime matches the duration of a build, which differs in each run.
var buildTime = regexp.MustCompile(`, in \d+(\.\d+)?[µm]?s`)

// runDemoStep runs a command line of the demo and returns its output. It sets exitCode, which
// "echo $?" prints.
func runDemoStep(t *testing.T, dir, command string, exitCode *int) string {
	t.Helper()
	words := strings.Fields(command)
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
	var out bytes.Buffer
	if *exitCode = runCommand(t, dir, &out, &out, words[1:]...); *exitCode > 1 {
		t.Fatalf("%s: exit code %d\n%s", command, *exitCode, &out)
	}
	return buildTime.ReplaceAllString(out.String(), ", in 2ms")
}

// A drawing is an SVG picture of a terminal. Its lines appear one after the other.
type drawing struct {
	lines   strings.Builder
	rows    int
	seconds float64 // time at which the next line appears
}

const (
	maxColumns = 100
	rowHeight  = 19 // pixels
)

// addCommand adds a command line, after an empty row unless it is the first.
func (d *drawing) addCommand(command string) {
	if d.rows > 0 {
		d.rows++
	}
	d.addRow("t", "$ "+command)
}

// addOutput adds the output of a command and wraps its lines at maxColumns.
func (d *drawing) addOutput(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		for len(line) > maxColumns {
			at := strings.LastIndexByte(line[:maxColumns], ' ')
			d.addRow("p", line[:at])
			line = "    " + strings.TrimLeft(line[at:], " ")
		}
		d.addRow("p", line)
	}
}

func (d *drawing) addRow(class, text string) {
	d.rows++
	fmt.Fprintf(&d.lines, `<text class="%s" style="animation-delay:%.1fs" x="14" y="%d">`, class, d.seconds, 14+d.rows*rowHeight)
	_ = xml.EscapeText(&d.lines, []byte(text))
	d.lines.WriteString("</text>\n")
}

// svg returns the picture. It shows all lines at once if the reader prefers reduced motion.
func (d *drawing) svg() []byte {
	width, height := maxColumns*8+28, (d.rows+2)*rowHeight
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" role="img" aria-label="sitewalk writes a sitemap, explains why a page is left out, and lists the URLs that a deploy would lose">
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
