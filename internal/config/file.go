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

// What a user types, with the place where it stands.
type (
	text   = strict.Value[string]
	truth  = strict.Value[bool]
	number = strict.Value[int]
	texts  = strict.Value[[]text]
)

// A File is what a sitemap.yaml says, as the user typed it. docs/configuration.md
// tells what each key means.
type File struct {
	Name string // of the file, as findings name it

	BaseURL    text                    `yaml:"base_url"`
	Pages      strict.Value[Pages]     `yaml:"pages"`
	Content    Content                 `yaml:"content"`
	Host       text                    `yaml:"host"`
	Generator  text                    `yaml:"generator"`
	URLs       URLs                    `yaml:"urls"`
	ObeyRobots truth                   `yaml:"obey_robots"`
	LastMod    texts                   `yaml:"lastmod"`
	Timezone   text                    `yaml:"timezone"`
	GitDate    text                    `yaml:"git_date"`
	Ledger     strict.Value[Ledger]    `yaml:"ledger"`
	Defaults   Defaults                `yaml:"defaults"`
	Rules      []strict.Value[Rule]    `yaml:"rules"`
	Extra      []strict.Value[Extra]   `yaml:"extra"`
	Images     truth                   `yaml:"images"`
	Languages  []strict.Value[Lang]    `yaml:"languages"`
	Sites      []strict.Value[SubSite] `yaml:"sites"`
	Versions   texts                   `yaml:"versions"`
	Previews   text                    `yaml:"previews"`
	Output     Output                  `yaml:"output"`
	Diff       Diff                    `yaml:"diff"`
	Links      Links                   `yaml:"links"`
	Submit     Submit                  `yaml:"submit"`
	Findings   map[string]level        `yaml:"findings"`
	MaxLoss    text                    `yaml:"max_loss"`

	node *yaml.Node // all of it
}

// decode fills f. A date without a zone is in the one given; as long as there is
// none, dates say nothing and none is bad.
func (f *File) decode(zone *time.Location) diag.List {
	o := strict.Options{Suggest: suggest, Types: strict.SitemapTypes(zone)}
	if zone == nil {
		strict.As(o.Types, func(*strict.Decoder, *yaml.Node, string) (none sitemap.Date, _ error) { return none, nil })
	}
	return o.Decode(f.Name, f.node, f)
}

// date reads the dates in f, once the zone of those without one is known.
func (f *File) date(zone *time.Location) diag.List {
	again := &File{Name: f.Name, node: f.node}
	diags := again.decode(zone)
	f.Rules, f.Extra = again.Rules, again.Extra
	return slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Code != "bad-date" }) // the others were said
}

// Pages says which files are the pages.
type Pages struct {
	Dir     text  `yaml:"dir"`
	Include texts `yaml:"include"`
	Exclude texts `yaml:"exclude"`
}

// Content says where the pages' sources lie.
type Content struct {
	Dir       text  `yaml:"dir"`
	EditLinks truth `yaml:"edit_links"`
}

// URLs overrides the host's URL style.
type URLs struct {
	HTML  text `yaml:"html"`
	Slash text `yaml:"slash"`
}

// Defaults are the fields of every entry that says nothing itself.
type Defaults struct {
	ChangeFreq sitemap.ChangeFreq `yaml:"changefreq"`
	Priority   sitemap.Priority   `yaml:"priority"`
}

// Fields are the fields of a sitemap entry, by the key tags of the protocol's types and by
// values.Types.
type Fields = sitemap.URL

// A Rule gives fields to what a glob matches, or leaves it out.
type Rule struct {
	Files   text  `yaml:"files"`
	URLs    text  `yaml:"urls"`
	Exclude truth `yaml:"exclude"`
	URL     text  `yaml:"url"`

	Section  text   `yaml:"section"`
	Limit    number `yaml:"limit"`
	Optional truth  `yaml:"optional"`
	Fields
}

// An Extra is a URL that no file stands for: a loc, or a map with loc and fields.
type Extra struct {
	Loc text `yaml:"loc"`
	Fields
}

// DecodeNode implements strict.Custom.
func (e *Extra) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		return d.Decode(n, &e.Loc)
	}
	type plain Extra
	return d.Decode(n, (*plain)(e))
}

// A Ledger is the path of the ledger, or a map that says more; false is none.
type Ledger struct {
	Read        text        `yaml:"read"`
	Write       text        `yaml:"write"`
	New         text        `yaml:"new"`
	OnError     text        `yaml:"on_error"`
	Fingerprint Fingerprint `yaml:"fingerprint"`
}

// A Fingerprint tunes what counts as a page's content.
type Fingerprint struct {
	Include []text `yaml:"include"`
	Exclude []text `yaml:"exclude"`
}

// DecodeNode implements strict.Custom.
func (l *Ledger) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	if v, ok := strict.Bool(n); ok && !v {
		return false
	}
	if n.Kind == yaml.MappingNode {
		type plain Ledger
		return d.Decode(n, (*plain)(l))
	}
	return d.Decode(n, &l.Read)
}

// A Lang is a folder of pages in one language.
type Lang struct {
	Dir      text  `yaml:"dir"`
	Code     text  `yaml:"code"`
	XDefault truth `yaml:"x_default"`
}

// A SubSite is a folder that another host serves.
type SubSite struct {
	Dir     text `yaml:"dir"`
	BaseURL text `yaml:"base_url"`
}

// Output says what is written.
type Output struct {
	Name       text                  `yaml:"name"`
	Formats    texts                 `yaml:"formats"`
	Gzip       strict.Value[Word]    `yaml:"gzip"`
	Split      text                  `yaml:"split"`
	Sitemaps   []strict.Value[Group] `yaml:"sitemaps"`
	MaxURLs    number                `yaml:"max_urls"`
	MaxBytes   number                `yaml:"max_bytes"`
	Index      []text                `yaml:"index"`
	Robots     truth                 `yaml:"robots"`
	Feed       Feed                  `yaml:"feed"`
	LLMS       LLMS                  `yaml:"llms"`
	Page       text                  `yaml:"page"`
	Stylesheet truth                 `yaml:"stylesheet"`
	IndexNow   text                  `yaml:"indexnow"`
}

// A Group is a sitemap of its own.
type Group struct {
	Name text `yaml:"name"`
	URLs text `yaml:"urls"`
}

// Feed says what the rss and atom formats carry.
type Feed struct {
	Items number `yaml:"items"`
	Title text   `yaml:"title"`
}

// LLMS says what the llms format carries.
type LLMS struct {
	Title         text  `yaml:"title"`
	Summary       text  `yaml:"summary"`
	FirstSentence truth `yaml:"first_sentence"`
}

// Diff says what may be missing from a new list.
type Diff struct {
	Gone texts `yaml:"gone"`
}

// Links says which links are not to be followed.
type Links struct {
	Ignore texts `yaml:"ignore"`
}

// Submit configures submissions to Search Console.
type Submit struct {
	Google strict.Value[Word] `yaml:"google"`
}

// A level is the word for what becomes of the findings of a code.
type level = strict.Value[Word]

// A Word is one of the words that a setting takes. True and false are words, too.
type Word string

// DecodeNode implements strict.Custom.
func (c *Word) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	if v, ok := strict.Bool(n); ok {
		*c = Word(strconv.FormatBool(v))
		return true
	}
	if n.Kind == yaml.ScalarNode { // which words are valid is said where they are known
		*c = Word(n.Value)
		return true
	}
	return d.Decode(n, (*string)(c))
}
