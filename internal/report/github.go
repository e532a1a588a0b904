package report

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// mostAnnotations is how many of each kind GitHub shows of one step; the others
// vanish without a word.
// https://github.com/actions/toolkit/blob/main/docs/problem-matchers.md#limitations
const mostAnnotations = 10

// kindsOfGitHub are the commands that make an annotation, by severity.
var kindsOfGitHub = [...]string{diag.Note: "notice", diag.Warning: "warning", diag.Error: "error"}

// writeGitHub writes the commands that make annotations, the worst first, and says
// how many findings have none.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
func writeGitHub(w io.Writer, r *Report, o *Options) error {
	var b strings.Builder
	var shown [diag.Error + 1]int
	if r.Error != "" {
		shown[diag.Error]++
		fmt.Fprintf(&b, "::error title=sitewalk %s::%s\n", r.Command, commandData(diag.Plain(r.Error)))
	}
	silent := 0
	for _, it := range r.items(o) {
		if shown[it.Severity]++; shown[it.Severity] > mostAnnotations {
			silent++
			continue
		}
		b.WriteString(annotation(&it))
	}
	if silent > 0 {
		fmt.Fprintf(&b, "sitewalk: %d more, which GitHub would not show as annotations; the summary of the job names them\n", silent)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// annotation is the command for one finding. A file outside of the repository
// has no place in it, and a name that is more than plain text none in a command;
// these go to the message.
func annotation(it *item) string {
	props := []string{}
	message := it.text()
	switch file := it.Place.File; {
	case file == "":
	case path.IsAbs(file), filepath.IsAbs(file), diag.Plain(file) != file:
		message = diag.Plain(it.Place.String()) + ": " + message
	default:
		props = append(props, "file="+property(file))
		if it.Place.Line > 0 {
			props = append(props, "line="+strconv.Itoa(it.Place.Line))
		}
	}
	props = append(props, "title="+property("sitewalk "+it.Code))
	return "::" + kindsOfGitHub[it.Severity] + " " + strings.Join(props, ",") + "::" + commandData(message) + "\n"
}

// commandData and property escape what stands behind and within a command, as
// escapeData and escapeProperty of @actions/core do.
func commandData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
