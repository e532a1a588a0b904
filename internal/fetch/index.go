package fetch

import (
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
)

// readChild reads one child sitemap of an index, from the folder of the index or from its site.
// If the child cannot be read, readChild adds a finding and returns nil.
func (r *reader) readChild(s source, pos diag.Pos, loc string) error {
	if s.depth == maxDepth {
		r.reportMissing(pos, loc, "name the sitemaps themselves", "the index names %s, another index too deep within others", loc)
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
		file = r.localChild(s.dir, loc, u.Path)
	}
	const hint = "download it beside the index; sitewalk does not go to the network"
	switch {
	case file == "" && r.o.AllowRequests:
		return r.fetchChild(s, pos, loc)
	case file == "":
		r.reportMissing(pos, loc, hint, "the index names %s, which does not exist", loc)
	case path.Clean(r.displayName(file)) == path.Clean(pos.File):
		r.reportMissing(pos, loc, hint, "the index names %s, which does not exist, or the index itself", loc)
	default:
		return r.reportChildError(pos, loc, r.readFile(file, source{loc: loc, index: s.name, depth: s.depth + 1}))
	}
	return nil
}

func (r *reader) reportMissing(pos diag.Pos, loc, hint, format string, args ...any) {
	r.findings.Add(diag.Errorf(pos, "missing-sitemap", hint, format, args...).About(loc))
}

// fetchChild requests the child sitemap loc from its site, if CheckRequest permits the request.
func (r *reader) fetchChild(s source, pos diag.Pos, loc string) error {
	u, err := url.Parse(loc)
	switch {
	case err != nil || !IsURL(loc) || len(loc) > sitemap.MaxLoc:
		r.reportMissing(pos, loc, "write its absolute address", "the index names %.300q, which is not an address", loc)
		return nil
	case s.loc == loc:
		r.reportMissing(pos, loc, "name the sitemaps that it is made of", "the index names itself, %s", loc)
		return nil
	}
	if err := CheckRequest(s.at.URL, u, r.o.Fetch.Named); err != nil {
		r.reportMissing(pos, loc, "download it, and name both files", "the index names %s, which %v and is not requested", loc, err)
		return nil
	}
	return r.reportChildError(pos, loc, r.readURL(s.at, loc, source{index: s.name, depth: s.depth + 1}))
}

// reportChildError adds a finding for an error that affects only one child sitemap, and returns nil. It
// returns all other errors unchanged.
func (r *reader) reportChildError(pos diag.Pos, loc string, err error) error {
	if _, spent := errors.AsType[budgetError](err); err == nil || r.ctx.Err() != nil || spent || !r.o.AllowRequests && r.o.OnFile == nil {
		return err // incomplete input is an error if the list will be written again
	}
	r.reportMissing(pos, loc, "", "the index names %s, which cannot be read: %v", loc, diag.Cause(err))
	return nil
}

// localChild returns the file of the child sitemap loc, or "" if there is none. dir is the folder
// of the index.
func (r *reader) localChild(dir, loc, urlPath string) string {
	if r.o.Folder != nil {
		if below := r.o.Folder(loc); below != "" {
			if file := nearestFile(filepath.Join(dir, filepath.FromSlash(below)), urlPath); file != "" {
				return file
			}
		}
	}
	return nearestFile(dir, urlPath)
}

// nearestFile looks up urlPath in the folder dir. It tries "a/b/c.xml", then "b/c.xml", then
// "c.xml", each compressed or not. It returns the path of the first existing file, or "".
func nearestFile(dir, urlPath string) string {
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
