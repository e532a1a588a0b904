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

// maxAnnotations is the maximum number of annotations of one severity that GitHub shows for a step.
// GitHub drops further annotations.
// See https://github.com/actions/toolkit/blob/main/docs/problem-matchers.md#limitations
const maxAnnotations = 10

// annotationCommands maps a severity to the GitHub workflow command that creates an annotation.
var annotationCommands = [...]string{diag.Note: "notice", diag.Warning: "warning", diag.Error: "error"}

// writeGitHub writes GitHub workflow commands, which GitHub shows as annotations: one for r.Error,
// and one for each finding, the most severe finding first. For each severity, it writes at most
// maxAnnotations commands. A last line counts the other findings. See
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
func writeGitHub(w io.Writer, r *Report, o *Options) error {
	var b strings.Builder
	var shown [diag.Error + 1]int
	if r.Error != "" {
		shown[diag.Error]++
		fmt.Fprintf(&b, "::error title=sitewalk %s::%s\n", r.Command, escapeAnnotationMessage(diag.Plain(r.Error)))
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

// formatAnnotation returns the workflow command for one finding. The file name is usually a
// property of the command. If the file is outside of the repository, or has special characters in
// its name, the message names it instead.
func formatAnnotation(it *item) string {
	props := []string{}
	message := it.messageWithHint()
	switch file := it.Place.File; {
	case file == "":
	case path.IsAbs(file), filepath.IsAbs(file), diag.Plain(file) != file:
		message = diag.Plain(it.Place.String()) + ": " + message
	default:
		props = append(props, "file="+escapeAnnotationProperty(file))
		if it.Place.Line > 0 {
			props = append(props, "line="+strconv.Itoa(it.Place.Line))
		}
	}
	props = append(props, "title="+escapeAnnotationProperty("sitewalk "+it.Code))
	return "::" + annotationCommands[it.Severity] + " " + strings.Join(props, ",") + "::" + escapeAnnotationMessage(message) + "\n"
}

// escapeAnnotationMessage escapes the message of a workflow command as GitHub's package
// @actions/core does.
func escapeAnnotationMessage(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeAnnotationProperty escapes a property of a workflow command as GitHub's package
// @actions/core does.
func escapeAnnotationProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
