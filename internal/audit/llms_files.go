package audit

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/writer"
)

// Limits for reading llms.txt files: bytes of one file, and number of files.
const (
	maxLLMS      = 16 << 20
	maxLLMSFiles = 100
)

// isLLMS reports whether name is the name of an llms.txt.
func isLLMS(name string) bool { return filepath.Base(name) == llms.Name }

// llmsAlone checks an llms.txt without its site.
func (c *Check) llmsAlone(ctx context.Context, target string) error {
	j := LLMS{Findings: c.Findings, Name: c.show(c.o.path(target))}
	if fetch.IsURL(target) {
		j.Name, j.Loc = fetch.WithoutPassword(target), target
		j.Base, _ = mapping.ParseBase(target[:strings.LastIndexByte(target, '/')+1])
	}
	text, err := c.readLLMS(ctx, target)
	if err != nil {
		return fmt.Errorf("%s: %w", j.Name, diag.Cause(err))
	}
	c.Sitemaps = append(c.Sitemaps, j.Name)
	c.URLs, _ = j.Judge(ctx, text)
	return ctx.Err()
}

// readLLMS reads a file or a URL.
func (c *Check) readLLMS(ctx context.Context, target string) ([]byte, error) {
	if !fetch.IsURL(target) {
		return files.Read(c.o.path(target), maxLLMS)
	}
	body, err := fetch.Open(ctx, target, fetch.Options{Timeout: c.o.Timeout, Client: c.o.Client, Named: []string{target}})
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(io.LimitReader(body, maxLLMS))
}

// llmsFiles checks the llms.txt files of a built site: in the publish directory, in the folders
// of languages and of other hosts, and the files that these link to.
func (c *Check) llmsFiles(ctx context.Context) {
	s := c.Settings
	for i, w := range append([]writer.Options{s.Writer}, s.Parts...) {
		dir, base, names := cmp.Or(w.Publish, w.Dir), c.Result.World.Parts[i].Base, []string{llms.Name}
		if i == 0 {
			names = append(names, c.languageFiles()...)
		}
		done := map[string]bool{}
		for len(names) > 0 && len(done) < maxLLMSFiles && ctx.Err() == nil {
			name := names[0]
			if names = names[1:]; done[name] || dir == "" || !filepath.IsLocal(filepath.FromSlash(name)) {
				continue
			}
			done[name] = true
			names = append(names, c.llmsFile(ctx, base, dir, name)...)
		}
	}
}

// languageFiles returns the paths of llms.txt in the language folders that no other host
// serves.
func (c *Check) languageFiles() (names []string) {
	for _, l := range c.Settings.Site.Languages {
		elsewhere := slices.ContainsFunc(c.Settings.Site.Sites, func(p facts.Part) bool { return strings.HasPrefix(l.Dir+"/", p.Dir+"/") })
		if !elsewhere {
			names = append(names, path.Join(l.Dir, llms.Name))
		}
	}
	return names
}

// llmsFile checks one file in a folder that is served at base, if the file exists. It returns
// the names of other llms.txt files that the file links to.
func (c *Check) llmsFile(ctx context.Context, base mapping.Base, dir, name string) (more []string) {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if !files.IsRegular(file) {
		return nil
	}
	text, err := files.Read(file, maxLLMS)
	if err != nil {
		c.Findings.Add(diag.Errorf(diag.Pos{File: c.show(file)}, "bad-file", "make it readable, and shorter", "the file cannot be read: %v", diag.Cause(err)).About(name))
		return nil
	}
	loc, err := base.Loc("/" + name)
	if err != nil {
		return nil
	}
	j := LLMS{
		Findings: c.Findings, Name: c.show(file), Loc: loc, Site: c.Result, Base: base, Owns: c.Settings.Site.Parts().Owns,
		Ignored: func(loc string) bool { return c.Settings.Answered.First(pathOf(loc, base)) >= 0 },
	}
	_, others := j.Judge(ctx, text)
	for _, loc := range others {
		if urlPath, ok := base.Path(loc); ok {
			more = append(more, strings.TrimPrefix(urlPath, "/"))
		}
	}
	return more
}
