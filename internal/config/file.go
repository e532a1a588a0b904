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
	text    = strict.Value[string]
	boolean = strict.Value[bool]
	number  = strict.Value[int]
	texts   = strict.Value[[]text]
)

// A File is a decoded settings file. docs/configuration.md explains the keys.
type File struct {
	Name string // of the file, as findings name it

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

	node *yaml.Node // all of it
}

// decode fills f. Dates without a zone are in the given zone. If zone is nil, decode ignores
// all dates.
func (f *File) decode(zone *time.Location) diag.List {
	o := strict.Options{Suggest: suggestKey, Types: strict.SitemapTypes(zone)}
	if zone == nil {
		strict.AddConverted(o.Types, func(*strict.Decoder, *yaml.Node, string) (none sitemap.Date, _ error) { return none, nil })
	}
	return o.Decode(f.Name, f.node, f)
}

// decodeDates decodes the dates in f again, in the zone of dates without a zone.
func (f *File) decodeDates(zone *time.Location) diag.List {
	again := &File{Name: f.Name, node: f.node}
	diags := again.decode(zone)
	f.Rules, f.Extra = again.Rules, again.Extra
	return slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Code != "bad-date" }) // the others were said
}

// Pages selects the files of the built site.
type Pages struct {
	Dir     text  `yaml:"dir"`
	Include texts `yaml:"include"`
	Exclude texts `yaml:"exclude"`
}

// Content names the content files.
type Content struct {
	Dir       text    `yaml:"dir"`
	EditLinks boolean `yaml:"edit_links"`
}

// URLs overrides the URL style of the host.
type URLs struct {
	HTML  text `yaml:"html"`
	Slash text `yaml:"slash"`
}

// Defaults are the fields of entries that do not set these fields.
type Defaults struct {
	ChangeFreq sitemap.ChangeFreq `yaml:"changefreq"`
	Priority   sitemap.Priority   `yaml:"priority"`
}

// Fields are the fields of a sitemap entry.
type Fields = sitemap.URL

// A Rule sets fields of the pages that a glob matches, or leaves them out.
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

// An Extra is a URL without a file: a loc, or a map with loc and fields.
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

// A Ledger is the path of the ledger, or a map of its settings. The value false disables the
// ledger.
type Ledger struct {
	Read        text        `yaml:"read"`
	Write       text        `yaml:"write"`
	New         text        `yaml:"new"`
	OnError     text        `yaml:"on_error"`
	Fingerprint Fingerprint `yaml:"fingerprint"`
}

// A Fingerprint selects the page content that is compared to detect changes.
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

// A Lang is the folder of the pages in one language.
type Lang struct {
	Dir      text    `yaml:"dir"`
	Code     text    `yaml:"code"`
	XDefault boolean `yaml:"x_default"`
}

// A SubSite is a folder that another host serves.
type SubSite struct {
	Dir     text `yaml:"dir"`
	BaseURL text `yaml:"base_url"`
}

// Output describes the files that are written.
type Output struct {
	Name       text                  `yaml:"name"`
	Formats    texts                 `yaml:"formats"`
	Gzip       strict.Value[Word]    `yaml:"gzip"`
	Split      text                  `yaml:"split"`
	Sitemaps   []strict.Value[Group] `yaml:"sitemaps"`
	MaxURLs    number                `yaml:"max_urls"`
	MaxBytes   number                `yaml:"max_bytes"`
	Index      []text                `yaml:"index"`
	Robots     boolean               `yaml:"robots"`
	Feed       Feed                  `yaml:"feed"`
	LLMS       LLMS                  `yaml:"llms"`
	Page       text                  `yaml:"page"`
	Stylesheet boolean               `yaml:"stylesheet"`
	IndexNow   text                  `yaml:"indexnow"`
}

// A Group is a sitemap for the URLs that a glob matches.
type Group struct {
	Name text `yaml:"name"`
	URLs text `yaml:"urls"`
}

// Feed describes the rss and atom files.
type Feed struct {
	Items number `yaml:"items"`
	Title text   `yaml:"title"`
}

// LLMS describes the llms.txt file.
type LLMS struct {
	Title         text    `yaml:"title"`
	Summary       text    `yaml:"summary"`
	FirstSentence boolean `yaml:"first_sentence"`
	Copies        text    `yaml:"copies"`
}

// Diff lists the URLs that a new list may lose.
type Diff struct {
	Gone texts `yaml:"gone"`
}

// Links lists the links that are not checked.
type Links struct {
	Ignore texts `yaml:"ignore"`
}

// Check names the checks that the command check adds.
type Check struct {
	Heads boolean `yaml:"heads"`
}

// Submit names further places for submissions.
type Submit struct {
	Google strict.Value[Word] `yaml:"google"`
}

// A level is the level of the findings of a code.
type level = strict.Value[Word]

// A Word is one of the words of a setting. The values true and false are words, too.
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
