package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
)

// A Baseline contains findings that the user has accepted, so that commands do not report them. A
// finding is identified by its code, its file and its subject, such as a URL. Line, message and
// severity do not count, because they may change with each edit. A Baseline may contain the same
// finding several times.
type Baseline struct {
	counts       map[diag.Identity]int
	relativeName func(file string) string // see newBaseline
}

// newBaseline returns an empty baseline. relativeName converts a file name to a path relative to
// the folder of the baseline file.
func newBaseline(relativeName func(file string) string) *Baseline {
	return &Baseline{counts: map[diag.Identity]int{}, relativeName: relativeName}
}

// AddFindings adds the findings in kinds to the baseline.
func (b *Baseline) AddFindings(kinds []diag.Kind) {
	for _, k := range kinds {
		for _, d := range k.List {
			b.counts[d.Identity(b.relativeName)]++
		}
	}
}

// SplitAccepted splits the findings in kinds. remaining contains the findings that the baseline
// does not accept, and accepted is the number of findings that it accepts. missing contains a line
// such as "bad-date about.html" for each finding of the baseline that is not in kinds, sorted.
// SplitAccepted ignores findings that a Kind counts but does not list.
func (b *Baseline) SplitAccepted(kinds []diag.Kind) (remaining []diag.Kind, accepted int, missing []string) {
	rest := maps.Clone(b.counts)
	r := diag.Report{MaxKept: -1}
	for _, k := range kinds {
		for _, d := range k.List {
			id := d.Identity(b.relativeName)
			if rest[id] == 0 {
				r.Add(d)
				continue
			}
			rest[id]--
			accepted++
		}
	}
	return r.Kinds(), accepted, formatBaselineLines(rest, " ", func(s string) string { return s })
}

// formatBaselineLines returns sorted lines with the findings in lineCounts, which maps a finding to
// the number of its lines. A line consists of code, file and subject, with separator between them.
// It does not end with a separator. escape is applied to code, file and subject.
func formatBaselineLines(lineCounts map[diag.Identity]int, separator string, escape func(string) string) []string {
	var out []string
	for id, n := range lineCounts {
		line := escape(id.Code) + separator + escape(id.File) + separator + escape(id.Subject)
		for range n {
			out = append(out, strings.TrimRight(line, separator))
		}
	}
	slices.Sort(out)
	return out
}

// The first line of a baseline file consists of baselineHeader and baselineVersion.
const (
	baselineHeader  = "sitewalk-baseline "
	baselineVersion = "1"
)

const baselineComment = "# code, file and subject of each finding that is accepted, one a line; sitewalk writes this file\n"

// FileContent returns the content of the baseline file: a header, and a sorted line for each
// finding. Tabs separate code, file and subject.
func (b *Baseline) FileContent() []byte {
	var out bytes.Buffer
	out.WriteString(baselineHeader + baselineVersion + "\n" + baselineComment)
	for _, line := range formatBaselineLines(b.counts, "\t", escapeBaselineField) {
		out.WriteString(line + "\n")
	}
	return out.Bytes()
}

// escapeBaselineField returns s with control characters, "%" and a leading "#" in the form %XX:
// "50%" becomes "50%25".
func escapeBaselineField(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '%' || c == 0x7f || i == 0 && c == '#' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// maxBaseline is the maximum size of a baseline file in bytes, enough for about 500,000 findings.
const maxBaseline = 64 << 20

// ReadBaseline reads the baseline file of the flag --baseline. absolutePath returns the absolute
// path of a file name that the user typed.
func ReadBaseline(ctx context.Context, file string, absolutePath func(file string) string) (*Baseline, error) {
	src, err := files.ReadUserFile(ctx, absolutePath(file), maxBaseline)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, fs.ErrNotExist):
		return nil, diag.Hintedf("--write-baseline "+file+" writes one from today's findings",
			"--baseline %s: %w", file, diag.Cause(err))
	case err != nil:
		return nil, fmt.Errorf("--baseline %s: %w", file, diag.Cause(err))
	}
	return parseBaseline(file, src, nameRelativizer(file, absolutePath))
}

// WriteBaseline creates a baseline that accepts the findings in kinds, and writes it to the file of
// the flag --write-baseline. For absolutePath, see ReadBaseline.
func WriteBaseline(file string, absolutePath func(file string) string, kinds []diag.Kind) (*Baseline, error) {
	b := newBaseline(nameRelativizer(file, absolutePath))
	b.AddFindings(kinds)
	if err := files.Replace(absolutePath(file), b.FileContent()); err != nil {
		return nil, fmt.Errorf("--write-baseline: %w", err)
	}
	return b, nil
}

// nameRelativizer returns a function that converts a file name to a path relative to the folder of
// the baseline file. With such paths, a baseline is valid in every working directory.
func nameRelativizer(file string, absolutePath func(file string) string) func(string) string {
	dir := filepath.Dir(absolutePath(file))
	return func(name string) string {
		whole := absolutePath(filepath.FromSlash(name))
		if rel, err := filepath.Rel(dir, whole); err == nil {
			whole = rel
		}
		return filepath.ToSlash(whole)
	}
}

// parseBaseline parses src, the content of a baseline file. file is the name of the baseline file
// in errors. For relativeName, see newBaseline.
func parseBaseline(file string, src []byte, relativeName func(string) string) (*Baseline, error) {
	b, hint := newBaseline(relativeName), "resolve it by hand, or write the baseline again with --write-baseline "+file
	head, rest, _ := strings.Cut(strings.TrimPrefix(string(src), "\uFEFF"), "\n")
	is, ours := strings.CutPrefix(strings.TrimSpace(head), baselineHeader)
	switch {
	case !ours:
		return nil, diag.Hintedf(hint, "%s is not a baseline: it does not begin with %q", file, baselineHeader+baselineVersion)
	case is != baselineVersion:
		return nil, diag.Hintedf("use the sitewalk that wrote it, or write it again with --write-baseline "+file,
			"%s is a baseline of version %q, and this sitewalk reads version %s", file, is, baselineVersion)
	}
	n := 1
	for line := range strings.Lines(rest) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		id, err := parseBaselineLine(line)
		if err != nil {
			return nil, diag.Hintedf(hint, "%s:%d: %w", file, n, err)
		}
		b.counts[id]++
	}
	return b, nil
}

// conflictMark matches the lines with which git marks a merge conflict. The line of a finding never
// begins with such a mark.
var conflictMark = regexp.MustCompile(`^(<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|)`)

func parseBaselineLine(line string) (id diag.Identity, err error) {
	parts := strings.Split(line, "\t")
	switch {
	case conflictMark.MatchString(line):
		return id, errors.New("it has the marks of a merge conflict")
	case len(parts) > 3 || parts[0] == "":
		return id, fmt.Errorf("%q is not a code, a file and a subject with tabs between them", line)
	}
	for i, to := range []*string{&id.Code, &id.File, &id.Subject} {
		if i < len(parts) && err == nil {
			*to, err = url.PathUnescape(parts[i])
		}
	}
	return id, err
}
