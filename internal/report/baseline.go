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

// A Baseline holds accepted findings with a count for each. A finding is identified by its
// code, file and subject; lines, messages and severities change with the next edit.
type Baseline struct {
	counts map[diag.Identity]int
	name   func(file string) string
}

// newBaseline returns one that knows nothing; name writes files as the baseline names
// them: relative to its own folder, wherever the command runs.
func newBaseline(name func(file string) string) *Baseline {
	return &Baseline{counts: map[diag.Identity]int{}, name: name}
}

// Add makes findings known.
func (b *Baseline) Add(kinds []diag.Kind) {
	for _, k := range kinds {
		for _, d := range k.List {
			b.counts[d.Identity(b.name)]++
		}
	}
}

// Split takes out of the findings what is known, and says how many these are,
// and what is known and was not found, a line each, sorted.
func (b *Baseline) Split(kinds []diag.Kind) (news []diag.Kind, accepted int, fixed []string) {
	rest := maps.Clone(b.counts)
	r := diag.Report{Keep: -1}
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

// baselineLines writes each identity as often as it counts, its parts joined.
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

// baselineHeader and baselineVersion make the first line of a baseline file.
const (
	baselineHeader  = "sitewalk-baseline "
	baselineVersion = "1"
)

const baselineComment = "# code, file and subject of each finding that is accepted, one a line; sitewalk writes this file\n"

// Text returns the baseline as it is written to a file: sorted, a line for each
// finding, its parts separated by tabs.
func (b *Baseline) Text() []byte {
	var out bytes.Buffer
	out.WriteString(baselineHeader + baselineVersion + "\n" + baselineComment)
	for _, line := range baselineLines(b.counts, "\t", escapeBaseline) {
		out.WriteString(line + "\n")
	}
	return out.Bytes()
}

// escapeBaseline writes what would end a part or a line, or look like a comment, as %XX.
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

// maxBaseline holds some 500,000 findings.
const maxBaseline = 64 << 20

// ReadBaseline reads the baseline in a file that was typed as --baseline; path returns the paths of
// files as they are typed and named. The error says what to do.
func ReadBaseline(ctx context.Context, file string, path func(file string) string) (*Baseline, error) {
	src, err := files.ReadTyped(ctx, path(file), maxBaseline)
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

// WriteBaseline accepts findings: it writes them to a file that was typed as --write-baseline.
func WriteBaseline(file string, path func(file string) string, kinds []diag.Kind) (*Baseline, error) {
	b := newBaseline(relativeNames(file, path))
	b.Add(kinds)
	if err := files.Replace(path(file), b.Text()); err != nil {
		return nil, fmt.Errorf("--write-baseline: %w", err)
	}
	return b, nil
}

// relativeNames returns a function that names files from the folder of a baseline, so that it
// holds wherever the command runs.
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

// parseBaseline reads what Text has written to a file called file.
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

// conflictMark matches the marker lines of a merge conflict. No code begins like them.
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
