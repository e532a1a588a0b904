package fetch

import (
	"context"
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
)

// readChild reads the child sitemap loc of the index s. pos is the position of loc in the index. If
// the index is not from a site, readChild first looks for a local file. If there is no such file,
// it requests loc if the options permit requests. It adds a finding if it does not find the child,
// or if the index is nested too deeply. For an unreadable child, see reportChildError.
func (r *reader) readChild(s source, pos diag.Pos, loc string) error {
	if s.depth == MaxDepth {
		r.reportMissingChild(pos, loc, "name the sitemaps themselves", "the index names %s, an index nested too deeply", loc)
		return nil
	}
	if r.o.Skip != nil && r.o.Skip(pos, loc) {
		return nil
	}
	if s.at.URL != nil {
		return r.fetchChild(s, pos, loc)
	}
	file := ""
	if u, err := url.Parse(loc); err == nil && s.dir != "" {
		file = r.findLocalChild(s.dir, loc, u.Path)
	}
	const hint = "download it beside the index; sitewalk does not go to the network"
	switch {
	case file == "" && r.o.AllowRequests:
		return r.fetchChild(s, pos, loc)
	case file == "":
		r.reportMissingChild(pos, loc, hint, "the index names %s, which does not exist", loc)
	case path.Clean(r.displayName(file)) == path.Clean(pos.File):
		r.reportMissingChild(pos, loc, hint, "the index names %s, which does not exist, or the index itself", loc)
	default:
		return r.reportChildError(pos, loc, r.readFile(file, source{loc: loc, index: s.name, depth: s.depth + 1}))
	}
	return nil
}

func (r *reader) reportMissingChild(pos diag.Pos, loc, hint, format string, args ...any) {
	r.findings.Add(diag.Errorf(pos, "missing-sitemap", hint, format, args...).About(loc))
}

// fetchChild requests the child sitemap loc of the index s from its site. It adds a finding if loc
// is not an absolute URL, if loc is the index itself, or if CheckRequest does not permit the
// request. For an unreadable child, see reportChildError.
func (r *reader) fetchChild(s source, pos diag.Pos, loc string) error {
	u, err := url.Parse(loc)
	switch {
	case err != nil || !IsURL(loc) || len(loc) > sitemap.MaxLoc:
		r.reportMissingChild(pos, loc, "write its absolute address", "the index names %.300q, which is not an address", loc)
		return nil
	case s.loc == loc:
		r.reportMissingChild(pos, loc, "name the sitemaps in it", "the index names itself, %s", loc)
		return nil
	}
	if err := CheckRequest(s.at.URL, u, r.o.Fetch.Named); err != nil {
		r.reportMissingChild(pos, loc, "download it, and name both files", "the index names %s, which %v and is not requested", loc, err)
		return nil
	}
	return r.reportChildError(pos, loc, r.readURL(s.at, loc, source{index: s.name, depth: s.depth + 1}))
}

// reportChildError adds a finding for err, the error of reading the child sitemap loc, and returns
// nil. It does nothing if err is nil. If reading must stop, it returns an error instead:
//
//   - the cause of the context if the context has ended
//   - err if the budget is exceeded
//   - err if the options neither allow requests nor set OnFile
func (r *reader) reportChildError(pos diag.Pos, loc string, err error) error {
	_, spent := errors.AsType[budgetError](err)
	switch {
	case err == nil:
		return nil
	case r.ctx.Err() != nil:
		return context.Cause(r.ctx)
	case spent || !r.o.AllowRequests && r.o.OnFile == nil:
		return err // incomplete input is an error if the list will be written again
	}
	r.reportMissingChild(pos, loc, "", "the index names %s, which cannot be read: %v", loc, diag.Cause(err))
	return nil
}

// findLocalChild returns the name of the local file of the child sitemap loc, or "" if there is no
// such file. dir is the folder of the index, and urlPath is the path of loc.
func (r *reader) findLocalChild(dir, loc, urlPath string) string {
	if r.o.Folder != nil {
		if below := r.o.Folder(loc); below != "" {
			if file := fileForURLPath(filepath.Join(dir, filepath.FromSlash(below)), urlPath); file != "" {
				return file
			}
		}
	}
	return fileForURLPath(dir, urlPath)
}

// fileForURLPath returns the first existing file in the folder dir for urlPath, or "". For
// "a/b/c.xml", it tries "a/b/c.xml", then "b/c.xml", then "c.xml". It tries each name with and
// without the extension ".gz".
func fileForURLPath(dir, urlPath string) string {
	rest := strings.TrimPrefix(path.Clean("/"+urlPath), "/")
	for rest != "" {
		file := filepath.Join(dir, filepath.FromSlash(rest))
		if files.IsRegular(file) {
			return file
		}
		if plain, packed := strings.CutSuffix(file, ".gz"); packed && files.IsRegular(plain) {
			return plain
		}
		if files.IsRegular(file + ".gz") {
			return file + ".gz"
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return ""
}
