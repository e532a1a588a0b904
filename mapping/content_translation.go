package mapping

import (
	"path"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/page"
)

// Translation returns the language that a content file is written in, by its
// suffix or its folder, and the key that it shares with its translations. When
// the site has no languages, the first is "" and the second what front matter
// says.
func (c *Content) Translation(file string, f *page.Facts) (lang, key string) {
	if len(c.Languages) == 0 {
		return "", f.TranslationKey
	}
	s := c.source(file)
	if f.TranslationKey != "" {
		return s.lang, f.TranslationKey
	}
	dir, name := s.dir, s.name
	if c.Generator == "hugo" {
		dir, name = hugoLogical(dir), hugoLogical(name)
		if name == "index" { // the folder is the page
			return s.lang, path.Join("/", dir)
		}
	}
	return s.lang, path.Join("/", dir, name)
}

// hugoLogical returns a part of a file's path as it is in Hugo's logical paths,
// by which it pairs translations.
func hugoLogical(p string) string { return strings.ReplaceAll(strings.ToLower(p), " ", "-") }

// PageTranslation returns the language and the key of a page that no content
// file speaks for: Hugo makes homes, sections and lists of terms without one,
// and those of one path are translations of each other. The key is "" for what
// cannot be one of them, as the further pages of a list.
func (c *Content) PageTranslation(out string) (lang, key string) {
	dir, isIndex := strings.CutSuffix("/"+out, "/index.html")
	if c.Generator != "hugo" || len(c.Languages) < 2 || !isIndex {
		return "", ""
	}
	lang = c.DefaultLanguage
	for i := range c.Languages {
		l := c.Languages[i].Name
		prefix := c.hugoPrefix(l)
		if rest, in := strings.CutPrefix(dir+"/", "/"+prefix+"/"); in && prefix != "" {
			lang, dir = l, "/"+strings.TrimSuffix(rest, "/")
			break
		}
	}
	if c.isPager(dir) {
		return "", ""
	}
	return lang, path.Join("/", hugoLogical(dir), "_index")
}

var anyNumber = regexp.MustCompile(`^\d+$`)

// isPager reports whether a folder holds a further page of a list.
func (c *Content) isPager(dir string) bool {
	pager := c.Hugo.Pager
	if pager == "" {
		pager = "page"
	}
	return anyNumber.MatchString(path.Base(dir)) && path.Base(path.Dir(dir)) == pager
}
