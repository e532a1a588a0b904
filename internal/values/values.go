// Package values reads what the protocol's types hold as people write it: in front
// matter, and in the rules and extra URLs of sitemap.yaml.
//
// It refuses to know which key a value stands under.
package values

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/sitemap"
	"gopkg.in/yaml.v3"
)

// Types say how front matter, a rule and an extra URL write what the protocol's
// types hold. A date without a zone is in the one given, nil meaning UTC.
func Types(zone *time.Location) strict.Types {
	types := strict.Types{}
	strict.As(types, func(d *strict.Decoder, n *yaml.Node, s string) (sitemap.Date, error) {
		return Date(s, zone, func(err error) { d.Errorf(n, "bad-date", "", "%v", err) }), nil
	})
	strict.As(types, func(d *strict.Decoder, _ *yaml.Node, s string) (sitemap.ChangeFreq, error) {
		if d.Lenient && s == "" {
			return 0, nil
		}
		if d.Lenient {
			s = strings.ToLower(s)
		}
		return sitemap.ParseChangeFreq(s)
	})
	strict.As(types, func(d *strict.Decoder, _ *yaml.Node, v number) (sitemap.Priority, error) {
		if d.Lenient && v < 0 { // Hugo's word for none
			return 0, nil
		}
		return sitemap.PriorityOf(float64(v))
	})
	strict.As(types, func(_ *strict.Decoder, _ *yaml.Node, v float64) (sitemap.Rating, error) { return sitemap.RatingOf(v) })
	strict.As(types, func(_ *strict.Decoder, _ *yaml.Node, v int) (sitemap.Count, error) {
		if v < 0 {
			return 0, fmt.Errorf("view_count %d is negative", v)
		}
		return sitemap.CountOf(uint64(v)), nil
	})
	strict.As(types, func(_ *strict.Decoder, _ *yaml.Node, yes bool) (sitemap.YesNo, error) {
		if yes {
			return sitemap.Yes, nil
		}
		return sitemap.No, nil
	})
	strict.As(types, readRestriction)
	strict.Also(types, readAlternates)
	strict.Also(types, readImage)
	return types
}

// Date reads a date, "" being none. One without a zone is in the one given, nil meaning UTC.
func Date(s string, zone *time.Location, bad func(error)) sitemap.Date {
	if s == "" {
		return sitemap.Date{}
	}
	d, err := sitemap.ParseDate(s, zone)
	if err != nil {
		bad(err)
	}
	return d
}

// CutDate cuts off the day, or the day and the time, with which a file's name begins:
// "2024-01-02-a", "2024-01-02-15-04-05-a". The date is zero where there is none.
func CutDate(name string, zone *time.Location) (date sitemap.Date, rest string) {
	const day, full = len(time.DateOnly), len(time.DateTime)
	if len(name) >= full {
		text := name[:day] + " " + strings.ReplaceAll(name[day+1:full], "-", ":")
		if _, err := time.Parse(time.DateTime, text); err == nil {
			date, _ = sitemap.ParseDate(text, zone)
			return date, name[full:]
		}
	}
	if len(name) < day {
		return date, name
	}
	t, err := time.Parse(time.DateOnly, name[:day])
	if err != nil {
		return date, name
	}
	return sitemap.DayOf(t), name[day:]
}

// A number is a number that front matter may quote.
type number float64

// DecodeNode implements strict.Custom.
func (f *number) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" && d.Lenient {
		if v, err := strconv.ParseFloat(strings.TrimSpace(n.Value), 64); err == nil {
			*f = number(v)
			return true
		}
	}
	return d.Decode(n, (*float64)(f))
}

// A restriction allows or denies a video in the places that it lists.
type restriction struct {
	Allow strict.Value[[]string] `yaml:"allow"`
	Deny  strict.Value[[]string] `yaml:"deny"`
}

// readRestriction returns what r says. One that does not say which visitors it keeps out
// keeps out all: without it the video would be promised to everyone.
func readRestriction(d *strict.Decoder, n *yaml.Node, r restriction) (none sitemap.Restriction, _ error) {
	switch {
	case r.Allow.Said() && r.Deny.Said():
		d.Errorf(n.Content[len(n.Content)-1], "bad-value", "keep one of the two", "a restriction says allow and deny")
	case r.Deny.Said():
		return sitemap.Restriction{Deny: true, Values: r.Deny.V}, nil
	case !r.Allow.Said():
		d.Errorf(n, "bad-value", "write {allow: [DE, AT]} or {deny: [US]}", "a restriction says neither allow nor deny")
	default:
		return sitemap.Restriction{Values: r.Allow.V}, nil
	}
	return none, nil
}

// readAlternates reads a list of lang and href, or a map from one to the other.
func readAlternates(all *[]sitemap.Alternate, d *strict.Decoder, n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return d.Plain(n, all)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		var href string
		if d.Decode(n.Content[i+1], &href) {
			*all = append(*all, sitemap.Alternate{Lang: strings.Clone(n.Content[i].Value), Href: href})
		}
	}
	return true
}

// readImage reads an image's address, or a map with its address.
func readImage(m *sitemap.Image, d *strict.Decoder, n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return d.Decode(n, &m.Loc)
	}
	if d.Plain(n, m); m.Loc == "" {
		d.Errorf(n, "bad-value", "", "%s has no loc", d.Path())
	}
	return m.Loc != ""
}
