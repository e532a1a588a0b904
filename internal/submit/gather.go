package submit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/audit"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
)

// maxList is how many bytes a list of changes or a state may have: a million changes
// take fewer.
const maxList = 128 << 20

// gather finds the settings and what changed. It also returns why
// nothing is to be sent, if so.
func (s *Submission) gather(ctx context.Context) (*List, string, error) {
	o := &s.o
	switch {
	case o.Changes != "" && (o.Since != "" || o.All), o.Since != "" && o.All:
		return nil, "", errors.New("a list of changes, --since and --all exclude each other")
	case o.Changes != "":
		return s.fromList(ctx)
	case o.Since != "":
		return s.since(ctx)
	case o.All:
		return s.whole(ctx)
	}
	return nil, "there is no list to compare with; name one with --since, or a list of changes, or use --all for the first time", nil
}

// fromList reads a list of changes. It stands for the site, which need not be at
// hand.
func (s *Submission) fromList(ctx context.Context) (*List, string, error) {
	src, err := s.input(ctx, s.o.Changes)
	if err != nil {
		return nil, "", err
	}
	l, err := ReadList(src)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", s.o.Changes, err)
	}
	if s.o.State == "" && s.o.Changes != "-" {
		s.state, s.file = l.State, s.path(s.o.Changes)
	}
	return l, "", s.resolve(ctx, l.Base)
}

// resolve finds the settings for a list of the site at base.
func (s *Submission) resolve(ctx context.Context, base string) error {
	in := s.o.Input
	if in.Flags["base-url"] == nil && base != "" {
		in.Flags = config.Flags{"base-url": []string{base}}
		maps.Copy(in.Flags, s.o.Input.Flags)
	}
	settings, _, err := config.Resolve(in)
	if err != nil {
		var ds diag.List
		settings, ds, err = config.ResolveSubmission(in)
		s.Findings.Add(ds...)
	}
	s.Settings = settings
	return err
}

// since compares the site at hand with an earlier list.
func (s *Submission) since(ctx context.Context) (*List, string, error) {
	if s.missing(s.o.Since) {
		return nil, s.o.Since + " does not exist, so the changes are unknown; to submit for the first time use --all", nil
	}
	d, err := audit.RunDiff(ctx, audit.Options{Build: s.o.Build, Input: s.o.Input, Client: s.o.Client}, s.o.Since, "")
	s.Settings = d.Settings
	if fetch.Absent(err) {
		return nil, s.o.Since + " does not exist, so the changes are unknown; to submit for the first time use --all", nil
	}
	if err != nil {
		s.Findings = d.Findings
		return nil, "", err
	}
	l := &List{Base: d.Settings.Site.Base.String(), URLs: d.Changes.Is}
	for i := range d.Changes.List {
		c := &d.Changes.List[i]
		l.take(diffChange{c.Class, c.URL, c.Is, c.Content, c.Served})
	}
	return l, "", nil
}

// whole is every URL of the site at hand.
func (s *Submission) whole(ctx context.Context) (*List, string, error) {
	b := engine.New(s.o.Build)
	err := b.Resolve(s.o.Input)
	if err == nil {
		err = b.Learn(ctx)
	}
	s.Settings = b.Settings
	if err != nil {
		s.Findings = b.Findings
		return nil, "", err
	}
	s.Findings.Levels = b.Settings.Findings
	all := b.Result.List
	l := &List{Base: b.Settings.Site.Base.String(), URLs: len(all)}
	for _, r := range all {
		date := r.Entry.LastMod.String()
		l.Changes = append(l.Changes, Change{URL: r.Entry.Loc, Kind: Added, Date: date, As: "all " + date})
	}
	if len(all) == 0 {
		return l, "", nil
	}
	s.Findings.Add(diag.Warnf(diag.Pos{}, "told-everything", "next time, name the list that was published before with --since",
		"all URLs are submitted (%s), whether they changed or not; search engines want that only once, or after a move", diag.Count(len(all), "URL")))
	return l, "", nil
}

// missing reports whether the name of a list is that of a file that is not there.
func (s *Submission) missing(name string) bool {
	if name == "-" || fetch.IsURL(name) {
		return false
	}
	_, err := os.Lstat(s.path(name))
	return errors.Is(err, fs.ErrNotExist)
}

// path returns what the operating system calls a file that the user typed.
func (s *Submission) path(name string) string { return engine.Path(s.o.Input.Dir, name) }

// input reads a file that the user named, or standard input.
func (s *Submission) input(ctx context.Context, name string) (src []byte, err error) {
	if name == "-" {
		src, err = files.ReadAll(files.Until(ctx, io.NopCloser(s.o.Build.Stdin)), "standard input", maxList)
	} else {
		src, err = files.ReadTyped(ctx, s.path(name), maxList)
	}
	if err != nil {
		return nil, plainly(name, err)
	}
	return src, nil
}

// plainly names a file as the user typed it.
func plainly(name string, err error) error { return fmt.Errorf("%s: %w", name, diag.Cause(err)) }
