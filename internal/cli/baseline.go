package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/baseline"
	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/writer"
)

// maxBaseline holds some 500,000 findings.
const maxBaseline = 64 << 20

// path returns the path of a file that the user named in the working directory.
func (e *Env) path(file string) string { return build.Path(e.Dir, file) }

// namesOf returns a function that names files as a baseline does: from its own
// folder, so that it holds wherever the command runs.
func namesOf(env Env, file string) func(string) string {
	dir := filepath.Dir(env.path(file))
	return func(name string) string {
		whole := env.path(filepath.FromSlash(name))
		if rel, err := filepath.Rel(dir, whole); err == nil {
			whole = rel
		}
		return filepath.ToSlash(whole)
	}
}

// readBaseline reads the baseline that was asked for.
func (o *reportFlags) readBaseline(ctx context.Context, env Env) (*baseline.Baseline, error) {
	src, err := files.ReadTyped(ctx, env.path(o.baseline), maxBaseline)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, fs.ErrNotExist):
		return nil, diag.Hinted{
			Err:  fmt.Errorf("--baseline %s: %w", o.baseline, diag.Cause(err)),
			Hint: "--write-baseline " + o.baseline + " makes one of what is found today",
		}
	case err != nil:
		return nil, fmt.Errorf("--baseline %s: %w", o.baseline, diag.Cause(err))
	}
	return baseline.Parse(o.baseline, src, namesOf(env, o.baseline))
}

// weigh takes the findings that the baseline knows out of the report, or writes
// all of them to a new baseline. It does neither for a command that could not
// do its job, which has not found all there is.
func (o *reportFlags) weigh(env Env, r *report.Report) error {
	all := r.Findings
	if o.memory != nil {
		r.Findings, r.Accepted, r.Fixed = o.memory.Split(all)
	}
	if r.Error != "" {
		r.Fixed = nil
		return nil
	}
	if o.accept == "" {
		return nil
	}
	b := baseline.New(namesOf(env, o.accept))
	b.Add(all)
	if err := writer.Replace(env.path(o.accept), b.Text()); err != nil {
		return fmt.Errorf("--write-baseline: %w", err)
	}
	r.Findings, r.Accepted, _ = b.Split(all)
	return nil
}
