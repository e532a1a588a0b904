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

// maxAnnotations is the number of annotations of one severity that GitHub shows for a step.
// GitHub drops all further annotations.
// See https://github.com/actions/toolkit/blob/main/docs/problem-matchers.md#limitations
const maxAnnotations = 10

// annotationCommands maps a severity to GitHub's workflow command for an annotation.
var annotationCommands = [...]string{diag.Note: "notice", diag.Warning: "warning", diag.Error: "error"}

// writeGitHub writes a GitHub workflow command for each finding, so that GitHub shows it as an
// annotation. The most severe findings come first. The last line is the number of findings
// without an annotation.
// See https://docs.github.com/actions/reference/workflow-commands-for-github-actions
func writeGitHub(w io.Writer, r *Report, o *Options) error {
	var b strings.Builder
	var shown [diag.Error + 1]int
	if r.Error != "" {
		shown[diag.Error]++
		fmt.Fprintf(&b, "::error title=sitewalk %s::%s\n", r.Command, escapeData(diag.Plain(r.Error)))
	}
	silent := 0
	for _, it := range r.items(o) {
		if shown[it.Severity]++; shown[it.Severity] > maxAnnotations {
			silent++
			continue
		}
		b.WriteString(formatAnnotation(&it))
	}
	if silent > 0 {
		fmt.Fprintf(&b, "sitewalk: %d more, which GitHub would not show as annotations; the summary of the job names them\n", silent)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// formatAnnotation returns the workflow command for one finding. Usually the file name is a
// property of the command. A file outside of the repository, or with special characters in its
// name, is named in the message instead.
func formatAnnotation(it *item) string {
	props := []string{}
	message := it.message()
	switch file := it.Place.File; {
	case file == "":
	case path.IsAbs(file), filepath.IsAbs(file), diag.Plain(file) != file:
		message = diag.Plain(it.Place.String()) + ": " + message
	default:
		props = append(props, "file="+escapeProperty(file))
		if it.Place.Line > 0 {
			props = append(props, "line="+strconv.Itoa(it.Place.Line))
		}
	}
	props = append(props, "title="+escapeProperty("sitewalk "+it.Code))
	return "::" + annotationCommands[it.Severity] + " " + strings.Join(props, ",") + "::" + escapeData(message) + "\n"
}

// escapeData escapes the message of a workflow command in the same way as GitHub's package
// @actions/core.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeProperty escapes a property of a workflow command in the same way as GitHub's package
// @actions/core.
func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
