package cli

import (
	"context"
	"slices"

	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/report"
)

// A result is what a command with a report did, as far as it came.
type result struct {
	*build.Build
	report *report.Report // what this command alone says
	talk   func(*printer) // tells a person the same, below the findings, when all went well
	failed func(*printer) // tells a person what was done before the rest failed; nil is nothing
	hide   []string       // codes of findings that talk shows
}

// perform runs a command that has a report. Its work reads the site with the options
// of a build; where it goes on after that, it calls end, which ends the progress.
func (b *buildFlags) perform(ctx context.Context, env Env, p *printer, work func(o build.Options, end func()) (result, error)) error {
	p.quiet = b.quiet
	if err := b.reports.settle(ctx, env, b.json); err != nil {
		return err
	}
	o := b.options(env)
	end := b.progress(env, p, &o)
	defer end()
	out, err := work(o, end)
	end()
	r := out.report
	r.Findings = out.Findings.Kinds()
	if out.Settings != nil {
		r.Base = out.Settings.Site.Base.String()
	}
	if err != nil {
		r.Error = err.Error()
	}
	return b.tell(ctx, env, p, r, func(p *printer) {
		if b.verbose {
			p.origins(out.Origins())
		}
		p.findings(without(r.Findings, out.hide), b.verbose)
		if err == nil {
			out.talk(p)
		} else if out.failed != nil {
			out.failed(p)
		}
	}, err)
}

// without leaves findings of some codes out.
func without(kinds []diag.Kind, codes []string) []diag.Kind {
	return slices.DeleteFunc(slices.Clone(kinds), func(k diag.Kind) bool { return slices.Contains(codes, k.Code) })
}

// learn reads the site for a command without a report, and decides what is listed.
func (b *buildFlags) learn(ctx context.Context, env Env, p *printer, in config.Input) (*build.Build, error) {
	p.quiet = b.quiet
	o := b.options(env)
	end := b.progress(env, p, &o)
	defer end()
	r := build.New(o)
	err := r.Resolve(ctx, in)
	if err == nil {
		err = r.Learn(ctx)
	}
	if end(); err != nil {
		p.findings(r.Findings.Kinds(), b.verbose)
		return r, err
	}
	if b.verbose {
		p.origins(r.Origins())
	}
	return r, nil
}

// failsAt is the mildest finding that makes check, diff or submit fail.
func (b *buildFlags) failsAt() *diag.Severity {
	least := diag.Error
	if b.strict {
		least = diag.Warning
	}
	return &least
}
