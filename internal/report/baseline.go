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

// A Baseline contains accepted findings, which commands no longer report. Code, file and subject
// identify a finding. Its line, message and severity do not, because they change with edits. A
// Baseline may accept the same finding several times.
type Baseline struct {
	counts map[diag.Identity]int
	name   func(file string) string
}

// newBaseline returns an empty baseline. The function name converts a file name to a path
// relative to the folder of the baseline file.
func newBaseline(name func(file string) string) *Baseline {
	return &Baseline{counts: map[diag.Identity]int{}, name: name}
}

// Add adds the findings to the baseline.
func (b *Baseline) Add(kinds []diag.Kind) {
	for _, k := range kinds {
		for _, d := range k.List {
			b.counts[d.Identity(b.name)]++
		}
	}
}

// Split removes accepted findings from kinds. It returns the remaining findings, the number of
// accepted findings, and one line for each finding of the baseline that did not occur, sorted.
func (b *Baseline) Split(kinds []diag.Kind) (news []diag.Kind, accepted int, fixed []string) {
	rest := maps.Clone(b.counts)
	r := diag.Report{MaxKept: -1}
	for _, k := range kinds {
		for _, d := range k.List {
			id := d.Identity(b.name)
			if rest[id] == 0 {
				r.Add(d)
				continue
			}
			rest[id]--
			accepted++
		}
	}
	return r.Kinds(), accepted, baselineLines(rest, " ", func(s string) string { return s })
}

// baselineLines returns a sorted line for each accepted finding. between separates code, file and
// subject, and write escapes them.
func baselineLines(ids map[diag.Identity]int, between string, write func(string) string) []string {
	var out []string
	for id, n := range ids {
		line := write(id.Code) + between + write(id.File) + between + write(id.Subject)
		for range n {
			out = append(out, strings.TrimRight(line, between))
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

// Text returns the content of the baseline file: a header and a sorted line for each finding.
// Tabs separate code, file and subject.
func (b *Baseline) Text() []byte {
	var out bytes.Buffer
	out.WriteString(baselineHeader + baselineVersion + "\n" + baselineComment)
	for _, line := range baselineLines(b.counts, "\t", escapeBaseline) {
		out.WriteString(line + "\n")
	}
	return out.Bytes()
}

// escapeBaseline escapes control characters, "%" and a leading "#" as %XX.
func escapeBaseline(s string) string {
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

// maxBaseline is the maximum size of a baseline file in bytes; 500,000 findings fit.
const maxBaseline = 64 << 20

// ReadBaseline reads the baseline file of the flag --baseline. The function path returns the
// absolute path of a file name that the user typed.
func ReadBaseline(ctx context.Context, file string, path func(file string) string) (*Baseline, error) {
	src, err := files.ReadUserFile(ctx, path(file), maxBaseline)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, fs.ErrNotExist):
		return nil, diag.Hintedf("--write-baseline "+file+" makes one of what is found today",
			"--baseline %s: %w", file, diag.Cause(err))
	case err != nil:
		return nil, fmt.Errorf("--baseline %s: %w", file, diag.Cause(err))
	}
	return parseBaseline(file, src, relativeNames(file, path))
}

// WriteBaseline writes the findings as accepted to the file of the flag --write-baseline. It
// returns the written baseline.
func WriteBaseline(file string, path func(file string) string, kinds []diag.Kind) (*Baseline, error) {
	b := newBaseline(relativeNames(file, path))
	b.Add(kinds)
	if err := files.Replace(path(file), b.Text()); err != nil {
		return nil, fmt.Errorf("--write-baseline: %w", err)
	}
	return b, nil
}

// relativeNames returns a function that makes file names relative to the folder of the baseline
// file. The result does not depend on the working directory.
func relativeNames(file string, path func(file string) string) func(string) string {
	dir := filepath.Dir(path(file))
	return func(name string) string {
		whole := path(filepath.FromSlash(name))
		if rel, err := filepath.Rel(dir, whole); err == nil {
			whole = rel
		}
		return filepath.ToSlash(whole)
	}
}

// parseBaseline parses src, the content of a baseline file. file is its name for errors.
func parseBaseline(file string, src []byte, name func(string) string) (*Baseline, error) {
	b, hint := newBaseline(name), "resolve it by hand, or write the baseline again with --write-baseline "+file
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

// conflictMark matches the marker lines of a merge conflict. No line of a finding begins in this
// way.
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
