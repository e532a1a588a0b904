// Package frontmatter reads the front matter of content files in YAML, TOML, JSON, Org and formats
// without fences such as MultiMarkdown. It ignores unknown keys, which may have a meaning for the
// site.
//
// The API of this package is not stable; only package sitemap promises a stable API.
package frontmatter

import (
	"io"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/page"
	"gopkg.in/yaml.v3"
)

// Options configure a Reader. The zero Options are suitable for an unknown generator.
type Options struct {
	Conventions
	Zone *time.Location // time zone of dates without a zone; nil means UTC

	NoTitle, NoSummary bool // do not read the title, or the summary, of the page
}

// MaxBytes is the maximum number of bytes that Read reads from a file. If front matter between
// fences or in JSON is longer, Read reports the file and adds a reason to leave its page out.
const MaxBytes = 1 << 20

// A Reader reads the front matter of files. It is safe for concurrent use.
type Reader struct {
	o      Options
	strict strict.Options
}

// NewReader returns a Reader with the options o.
func NewReader(o Options) *Reader {
	return &Reader{
		o:      o,
		strict: strict.Options{Lenient: true, FoldCase: true, Top: "the front matter", Types: strict.SitemapTypes(o.Zone)},
	}
}

// Read reads the front matter in src and stores its facts in *f. name is the path of the file. ok
// reports whether the file has front matter, even if the front matter is invalid, unclosed, or
// hidden from the generator by a byte order mark. Read adds mistakes in the front matter to
// f.Diags, as warnings whose positions have no file name. err is an error of reading src.
func (r *Reader) Read(src io.Reader, name string, f *page.Facts) (ok bool, err error) {
	*f = page.Facts{}
	b, diags, err := r.o.splitFrontMatter(src)
	if err != nil || b.notation == 0 {
		f.Diags = diags
		downgradeErrors(f.Diags)
		if r.o.AllowsScripts && slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == "script-front-matter" }) {
			f.Permalink = "{{ the script of the front matter }}"
		}
		if len(diags) > 0 && diags[0].Code == "front-matter-too-long" {
			f.Skips.Add(page.Unreadable, diags[0].Pos, diags[0].Message)
		}
		return len(diags) > 0, err
	}
	m := &matter{r: r, name: name, f: f, values: map[string]*yaml.Node{}, dates: map[string]parsedDate{}}
	n, more := b.parse()
	mistakes := r.strict.Decode("", n, m)
	f.Diags = slices.Concat(diags, more, mistakes, f.Diags)
	downgradeErrors(f.Diags)
	return true, nil
}

// downgradeErrors changes the severity of the errors in ds to warning. The mistakes cannot be
// serious, because the generator accepts the same front matter.
func downgradeErrors(ds diag.List) {
	for i := range ds {
		ds[i].Severity = min(ds[i].Severity, diag.Warning)
	}
}

// A notation is a syntax of front matter, such as YAML.
type notation uint8

const (
	_ notation = iota
	inYAML
	inTOML
	inJSON
	inHeaders
)

// A block is the text of the front matter in a file. The zero block means that there is no front
// matter.
type block struct {
	notation notation
	data     []byte // preceded by one empty line for each earlier line of the file, to keep line numbers
}

// parse returns the front matter as a YAML node, and findings about its syntax. For an empty block,
// the node is an empty map. The node may be nil if there are findings.
func (b block) parse() (n *yaml.Node, diags diag.List) {
	switch b.notation {
	case inYAML:
		n, diags = strict.ReadYAML("", b.data)
	case inTOML:
		n, diags = strict.ReadTOML("", b.data)
	case inJSON:
		n, diags = strict.ReadJSON("", b.data)
	default:
		n = readHeaders(b.data)
	}
	if n == nil && len(diags) == 0 { // an empty block
		n = &yaml.Node{Kind: yaml.MappingNode, Line: 1, Column: 1}
	}
	return n, diags
}

// Conventions describe how a generator reads front matter. The zero Conventions are suitable for an
// unknown generator: they permit all fences, and ignore the keys that only some generators know.
type Conventions struct {
	// Fences are the lines that may open front matter, such as "---" and "+++". nil means that all
	// fences are permitted, and that front matter in JSON and Org may have no fences.
	Fences []string
	// AllowsHeaders permits front matter without fences, as in MultiMarkdown and reStructuredText.
	AllowsHeaders bool
	// AtFirstByte means that front matter must begin at the first byte of the file. The generator
	// ignores front matter after a byte order mark or an empty line.
	AtFirstByte bool
	// NestedKey is a key whose value is a map with further front matter, such as "extra". The keys
	// in this map have the same meaning as the keys outside of the map.
	NestedKey string
	// GeneratorKeys lists the keys in generatorOnlyKeys that the generator supports, such as "path"
	// and "save_as". sitewalk ignores the other keys in generatorOnlyKeys.
	GeneratorKeys []string
	// TitleInURL means that the URL of a page may depend on the title of the page. LangInURL means
	// that the URL may depend on the language of the page.
	TitleInURL, LangInURL bool

	// AllowsScripts means that front matter may be a script. sitewalk does not run the script, so
	// the URL of a page with a script is unknown.
	AllowsScripts bool

	// DateOrder lists the keys for each of "date", "lastmod", "publishdate" and "expirydate", in
	// lower case, the most important key first. nil means the default keys. A list may contain the
	// tokens :default and :filename. Package frontmatter ignores the tokens :git and :filemodtime,
	// because it does not read these dates.
	DateOrder map[string][]string
	// NoDateWords lists the values of date keys, in lower case, that are not dates and are not
	// reported.
	NoDateWords []string
	// NameDate is the position of a date in the path of a file, for pages without a date in front
	// matter. If NameDateIn is not "", sitewalk uses the path only for files below a folder called
	// NameDateIn.
	NameDate   NameDate
	NameDateIn string
}

// A NameDate is the position of a date in the path of a file.
type NameDate uint8

// The positions of a date.
const (
	NoNameDate         NameDate = iota
	DateBeginsName              // at the beginning of the file name, or of the folder name if the file is an index file
	DateAnywhereInPath          // the first date anywhere in the path
)

// permitsAllFences reports whether front matter may have any fence, or be JSON or Org without
// fences.
func (c *Conventions) permitsAllFences() bool { return c.Fences == nil }

// isOpeningFence reports whether line is a fence that may open front matter.
func (c *Conventions) isOpeningFence(line string) bool {
	if c.permitsAllFences() {
		return slices.ContainsFunc(fences, func(f fence) bool { return f.open == line })
	}
	return slices.Contains(c.Fences, line)
}
