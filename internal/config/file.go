package config

import (
	"slices"
	"strconv"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/sitemap"
	"gopkg.in/yaml.v3"
)

// Types of the values in a settings file. Each value has its line and column.
type (
	text    = strict.Value[string]
	boolean = strict.Value[bool]
	number  = strict.Value[int]
	texts   = strict.Value[[]text]
)

// A File is a decoded settings file. docs/configuration.md explains the keys.
type File struct {
	Name string // name of the file in findings: "sitemap.yaml"

	BaseURL    text                    `yaml:"base_url"`
	Pages      strict.Value[Pages]     `yaml:"pages"`
	Content    Content                 `yaml:"content"`
	Host       text                    `yaml:"host"`
	Generator  text                    `yaml:"generator"`
	URLs       URLs                    `yaml:"urls"`
	ObeyRobots boolean                 `yaml:"obey_robots"`
	LastMod    texts                   `yaml:"lastmod"`
	Timezone   text                    `yaml:"timezone"`
	GitDate    text                    `yaml:"git_date"`
	Ledger     strict.Value[Ledger]    `yaml:"ledger"`
	Defaults   Defaults                `yaml:"defaults"`
	Rules      []strict.Value[Rule]    `yaml:"rules"`
	Extra      []strict.Value[Extra]   `yaml:"extra"`
	Images     boolean                 `yaml:"images"`
	Languages  []strict.Value[Lang]    `yaml:"languages"`
	Sites      []strict.Value[SubSite] `yaml:"sites"`
	Versions   texts                   `yaml:"versions"`
	Previews   text                    `yaml:"previews"`
	Output     Output                  `yaml:"output"`
	Diff       Diff                    `yaml:"diff"`
	Links      Links                   `yaml:"links"`
	Check      Check                   `yaml:"check"`
	Submit     Submit                  `yaml:"submit"`
	Findings   map[string]level        `yaml:"findings"`
	MaxLoss    text                    `yaml:"max_loss"`

	node *yaml.Node // the whole document
}

// decode sets the fields of f from f.node, the YAML document. zone is the time zone of dates that
// have no zone. If zone is nil, decode leaves all dates unset.
func (f *File) decode(zone *time.Location) diag.List {
	o := strict.Options{Suggest: suggestKey, Types: strict.SitemapTypes(zone)}
	if zone == nil {
		strict.AddConverted(o.Types, func(*strict.Decoder, *yaml.Node, string) (none sitemap.Date, _ error) { return none, nil })
	}
	return o.Decode(f.Name, f.node, f)
}

// decodeDates sets the dates in f.Rules and f.Extra, which Load leaves unset. zone is the time zone
// of dates that have no zone. The findings are about invalid dates; Load returned all other
// findings.
func (f *File) decodeDates(zone *time.Location) diag.List {
	again := &File{Name: f.Name, node: f.node}
	diags := again.decode(zone)
	f.Rules, f.Extra = again.Rules, again.Extra
	return slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Code != "bad-date" }) // Load returned the others
}

// Pages selects the HTML files of the built site that are read.
type Pages struct {
	Dir     text  `yaml:"dir"`
	Include texts `yaml:"include"`
	Exclude texts `yaml:"exclude"`
}

// Content selects the content files, such as Markdown files, from which the generator builds the
// pages.
type Content struct {
	Dir       text    `yaml:"dir"`
	EditLinks boolean `yaml:"edit_links"`
}

// URLs contains the settings for the end of URLs, such as /about.html, /about or /about/. They
// override the URL style of the host.
type URLs struct {
	HTML  text `yaml:"html"`
	Slash text `yaml:"slash"`
}

// Defaults are values for fields of sitemap entries. They apply if no other source has a value.
type Defaults struct {
	ChangeFreq strict.Value[sitemap.ChangeFreq] `yaml:"changefreq"`
	Priority   strict.Value[sitemap.Priority]   `yaml:"priority"`
}

// Fields are the fields of a sitemap entry that a rule or an extra URL may set.
type Fields = sitemap.URL

// A Rule sets fields of the sitemap entries whose file or URL matches a glob, or leaves these
// entries out.
type Rule struct {
	Files   text    `yaml:"files"`
	URLs    text    `yaml:"urls"`
	Exclude boolean `yaml:"exclude"`
	URL     text    `yaml:"url"`

	Section  text    `yaml:"section"`
	Limit    number  `yaml:"limit"`
	Optional boolean `yaml:"optional"`
	Fields
}

// An Extra is a listed URL for which the site has no file. In YAML it is a URL, or a map with the
// key loc and other fields of an entry.
type Extra struct {
	Loc text `yaml:"loc"`
	Fields
}

// DecodeNode decodes a URL, or a map of the fields of Extra. It returns false if n is not valid, as
// strict.Custom requires.
func (e *Extra) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		return d.Decode(n, &e.Loc)
	}
	type plain Extra
	return d.Decode(n, (*plain)(e))
}

// A Ledger is the setting ledger. In YAML it is the path of the ledger, or a map of these fields,
// or false for no ledger.
type Ledger struct {
	Read        text        `yaml:"read"`
	Write       text        `yaml:"write"`
	New         text        `yaml:"new"`
	OnError     text        `yaml:"on_error"`
	Fingerprint Fingerprint `yaml:"fingerprint"`
}

// A Fingerprint lists CSS selectors, such as nav or .date, of the content that a page's fingerprint
// covers. Include selects the elements to cover. If a page has no such element, its main or article
// element is covered, or else its body. Exclude selects elements to ignore.
type Fingerprint struct {
	Include texts `yaml:"include"`
	Exclude texts `yaml:"exclude"`
}

// DecodeNode decodes a path, or a map of the fields of Ledger. For false or an invalid value, it
// returns false, and the ledger is not set. It implements strict.Custom.
func (l *Ledger) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	if v, ok := strict.ParseBool(n); ok && !v {
		return false
	}
	if n.Kind == yaml.MappingNode {
		type plain Ledger
		return d.Decode(n, (*plain)(l))
	}
	return d.Decode(n, &l.Read)
}

// A Lang is a language of the site and the folder of its pages.
type Lang struct {
	Dir      text    `yaml:"dir"`
	Code     text    `yaml:"code"`
	XDefault boolean `yaml:"x_default"`
}

// A SubSite is a folder below the publish directory that is published at a separate base URL.
type SubSite struct {
	Dir     text `yaml:"dir"`
	BaseURL text `yaml:"base_url"`
}

// Output contains the settings of the files that sitewalk writes.
type Output struct {
	Name       text                  `yaml:"name"`
	Formats    texts                 `yaml:"formats"`
	Gzip       strict.Value[Word]    `yaml:"gzip"`
	Split      text                  `yaml:"split"`
	Sitemaps   []strict.Value[Group] `yaml:"sitemaps"`
	MaxURLs    number                `yaml:"max_urls"`
	MaxBytes   number                `yaml:"max_bytes"`
	Index      texts                 `yaml:"index"`
	Robots     boolean               `yaml:"robots"`
	Feed       Feed                  `yaml:"feed"`
	LLMS       LLMS                  `yaml:"llms"`
	Page       text                  `yaml:"page"`
	Stylesheet boolean               `yaml:"stylesheet"`
	IndexNow   text                  `yaml:"indexnow"`
}

// A Group is a named sitemap with the URLs that match a glob.
type Group struct {
	Name text `yaml:"name"`
	URLs text `yaml:"urls"`
}

// Feed contains the settings of the RSS and Atom feeds.
type Feed struct {
	Items number `yaml:"items"`
	Title text   `yaml:"title"`
}

// LLMS contains the settings of llms.txt.
type LLMS struct {
	Title         text    `yaml:"title"`
	Summary       text    `yaml:"summary"`
	FirstSentence boolean `yaml:"first_sentence"`
	Copies        text    `yaml:"copies"`
}

// Diff contains the settings of the comparison with an earlier sitemap. Gone lists globs of URL
// paths that may disappear from the sitemap without a warning.
type Diff struct {
	Gone texts `yaml:"gone"`
}

// Links contains the settings of the link check. Ignore lists globs of URL paths that the server
// serves without a file. A link to such a path is not a broken link.
type Links struct {
	Ignore texts `yaml:"ignore"`
}

// Check contains the settings of the command "sitewalk check". If Heads is true, the command checks
// the HTML head of each page.
type Check struct {
	Heads boolean `yaml:"heads"`
}

// Submit contains the settings of the command "sitewalk submit". Google is true, false, or the name
// of a property in Google Search Console.
type Submit struct {
	Google strict.Value[Word] `yaml:"google"`
}

// A level is the severity of all findings with one code: "error", "warning" or "note", or "off" to
// hide them.
type level = strict.Value[Word]

// A Word is the value of a setting that accepts only certain words. A YAML boolean becomes the word
// "true" or "false".
type Word string

// DecodeNode decodes a word or a boolean. It returns false for a list or a map, as strict.Custom
// requires.
func (w *Word) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	if v, ok := strict.ParseBool(n); ok {
		*w = Word(strconv.FormatBool(v))
		return true
	}
	if n.Kind == yaml.ScalarNode { // Resolve rejects words that are not valid
		*w = Word(n.Value)
		return true
	}
	return d.Decode(n, (*string)(w))
}
