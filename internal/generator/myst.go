package generator

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/page"
)

var myst = generator{
	name: "myst", files: []string{"myst.yml", "docs/myst.yml", "doc/myst.yml", "book/myst.yml"}, read: (*reader).readMyST, relative: true,
	publish: namedFolder{defaultDir: "_build/html"}, content: namedFolder{defaultDir: "."}, templates: []string{"ipynb"},
	isOwn:       func(_ *reader, c config) bool { return c.hasAny("site") }, // without the key, the file only describes articles
	sitemapHint: "MyST always writes one",
	front:       nodeFront,
}

// readMyST reads the settings of a project of MyST or Jupyter Book 2. The path of the base URL
// comes from the environment variable BASE_URL, because no setting contains it.
// See https://mystmd.org/guide/deployment
func (r *reader) readMyST(p *Project, c config) {
	dir := path.Dir(c.file)
	r.setBaseURL(p, "", nil, r.getenv("BASE_URL"))
	rules := mystRules{folders: c.at("site", "options", "folders").isTrue()}
	rules.home, rules.listed = readMySTContents(c.at("project", "toc"))
	rules.unknown = c.at("site", "projects") != nil || len(r.existingFiles([]string{path.Join(dir, "_toc.yml")})) > 0
	p.Mapping.rules = rules
}

type mystRules struct {
	plainRules
	folders bool     // URLs contain the folders of the files
	unknown bool     // output files are unknown: there are several projects, or a table of contents of Jupyter Book 1
	home    string   // file of the home page; "" if its name decides
	listed  []string // files in the table of contents; nil if there is none, or if it has patterns
}

// readMySTContents reads a table of contents. home is the first file in the table, which is the
// home page, or "" if there is none. listed contains all files in the table. It is nil if the table
// has patterns, because patterns may match further files.
func readMySTContents(toc *value) (home string, listed []string) {
	all := true
	var read func(*value)
	read = func(v *value) {
		for _, entry := range v.items() {
			if file := entry.at("file").str(); file != "" {
				listed = append(listed, path.Clean(file))
			}
			all = all && entry.at("pattern") == nil
			read(entry.at("children"))
		}
	}
	if read(toc); len(listed) > 0 {
		home = listed[0]
	}
	if !all {
		listed = nil
	}
	return home, listed
}

func (m mystRules) outputFile(_ *Mapping, s source, _ *page.Facts) (out, whyUnknown string) {
	file := path.Join(s.dir, s.name)
	slug := mystSlug(s.name)
	switch {
	case m.unknown:
		return "", "several projects or a _toc.yml decide on the addresses"
	case m.isHome(file, s.ext):
		return "index.html", ""
	case m.folders && s.dir != "":
		parts := strings.Split(s.dir, "/")
		for i := range parts {
			parts[i] = mystSlug(parts[i])
		}
		return m.outputPath(strings.Join(parts, "/"), slug), ""
	case slug == "", slug == "index":
		return "", "MyST gives the page another name"
	}
	return m.outputPath("", slug), ""
}

// isHome reports whether a file is the home page: the first file in the table of contents or, if
// the table has no file, a top-level file called index, readme or main. Case does not matter for
// these names. file is the path of the file without its extension ext.
func (m mystRules) isHome(file, ext string) bool {
	if m.home != "" {
		return m.home == file || m.home == file+ext
	}
	return slices.Contains([]string{"index", "readme", "main"}, strings.ToLower(file))
}

// whyNotRendered returns a reason if myst.yml has a table of contents that does not contain the
// file. Otherwise it returns "".
func (m mystRules) whyNotRendered(_ *Mapping, s source) string {
	file := path.Join(s.dir, s.name)
	if m.unknown || m.listed == nil || slices.Contains(m.listed, file) || slices.Contains(m.listed, file+s.ext) {
		return ""
	}
	return "it is not in the table of contents of myst.yml"
}

// mystNumber matches a number at the beginning of a file name. mystYear matches a name that keeps
// its number; see mystSlug.
var (
	mystYear   = regexp.MustCompile(`^(?:[12][0-9]{3}(?:[^0-9]|$)|[0-9]{5})`)
	mystNumber = regexp.MustCompile(`^[0-9_.-]+`)
)

// mystSlug converts a file name to a slug as MyST does: "01-My Page" gives "my-page". It removes a
// number at the beginning, unless the number is a year from 1000 to 2999, has five or more digits,
// or is the whole name. It keeps at most 50 characters.
func mystSlug(name string) string {
	if rest := mystNumber.ReplaceAllString(name, ""); rest != "" && !mystYear.MatchString(name) {
		name = rest
	}
	name = strings.ToLower(strings.ReplaceAll(name, "&", " and "))
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return (r < 'a' || 'z' < r) && (r < '0' || '9' < r) }), "-")
	return name[:min(len(name), 50)]
}
