package frontmatter

import (
	"strconv"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/sitemap"
	"gopkg.in/yaml.v3"
)

// Fields are the fields of a sitemap entry as front matter, a rule and an extra
// URL write them.
type Fields struct {
	LastMod    strict.Value[string] `yaml:"lastmod"`
	ChangeFreq strict.Value[string] `yaml:"changefreq"`
	Priority   strict.Value[Number] `yaml:"priority"`
	Alternates Alternates           `yaml:"alternates"`
	Images     []Image              `yaml:"images"`
	Videos     []Video              `yaml:"videos"`
	News       *News                `yaml:"news"`
}

// URL returns what the fields say. A value that cannot be is a finding and says
// nothing. A date without a zone is in the one given, nil meaning UTC.
func (s *Fields) URL(zone *time.Location, diags *diag.List) sitemap.URL {
	c := converter{zone, diags}
	u := sitemap.URL{LastMod: c.date(s.LastMod), News: s.News.news(c)}
	if s.ChangeFreq.Said() {
		f, err := sitemap.ParseChangeFreq(s.ChangeFreq.V)
		c.bad(s.ChangeFreq.Pos, err)
		u.ChangeFreq = f
	}
	if s.Priority.Said() {
		p, err := sitemap.PriorityOf(float64(s.Priority.V))
		c.bad(s.Priority.Pos, err)
		u.Priority = p
	}
	for _, a := range s.Alternates {
		u.Alternates = append(u.Alternates, sitemap.Alternate(a))
	}
	for _, m := range s.Images {
		u.Images = append(u.Images, sitemap.Image(m))
	}
	for _, v := range s.Videos {
		u.Videos = append(u.Videos, v.video(c))
	}
	return u
}

// A converter turns what was typed into what the protocol knows.
type converter struct {
	zone  *time.Location
	diags *diag.List
}

func (c converter) bad(pos diag.Pos, err error) {
	if err != nil {
		c.diags.Errorf(pos, "bad-value", "", "%v", err)
	}
}

func (c converter) date(v strict.Value[string]) sitemap.Date {
	if v.V == "" {
		return sitemap.Date{}
	}
	d, err := sitemap.ParseDate(v.V, c.zone)
	if err != nil {
		c.diags.Errorf(v.Pos, "bad-date", "", "%v", err)
	}
	return d
}

// A Number is a number that front matter may quote.
type Number float64

// DecodeNode implements strict.Custom.
func (f *Number) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" && d.Lenient {
		if v, err := strconv.ParseFloat(strings.TrimSpace(n.Value), 64); err == nil {
			*f = Number(v)
			return true
		}
	}
	return d.Decode(n, (*float64)(f))
}

// Alternates are a page's versions in other languages: a list of lang and href,
// or a map from one to the other.
type Alternates []Alternate

// An Alternate is a page in another language.
type Alternate struct {
	Lang string `yaml:"lang"`
	Href string `yaml:"href"`
}

// DecodeNode implements strict.Custom.
func (a *Alternates) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return d.Decode(n, (*[]Alternate)(a))
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		var href string
		if d.Decode(n.Content[i+1], &href) {
			*a = append(*a, Alternate{strings.Clone(n.Content[i].Value), href})
		}
	}
	return true
}

// An Image is an image's address, or a map with its address.
type Image struct {
	Loc string `yaml:"loc"`
}

// DecodeNode implements strict.Custom.
func (m *Image) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return d.Decode(n, &m.Loc)
	}
	type plain Image
	d.Decode(n, (*plain)(m))
	if m.Loc == "" {
		d.Errorf(n, "bad-value", "", "%s has no loc", d.Path())
	}
	return m.Loc != ""
}

// A News is the news entry of an article.
type News struct {
	Publication struct {
		Name     string `yaml:"name"`
		Language string `yaml:"language"`
	} `yaml:"publication"`
	PublicationDate strict.Value[string] `yaml:"publication_date"`
	Title           string               `yaml:"title"`
}

func (n *News) news(c converter) *sitemap.News {
	if n == nil {
		return nil
	}
	return &sitemap.News{
		Publication: n.Publication.Name, Language: n.Publication.Language,
		PublicationDate: c.date(n.PublicationDate), Title: n.Title,
	}
}
