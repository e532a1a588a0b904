package strict

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
	"gopkg.in/yaml.v3"
)

// SitemapTypes returns the Types for settings and front matter that contain values of package
// sitemap, such as dates, priorities and images. zone is the zone of dates without a zone; nil
// means UTC.
func SitemapTypes(zone *time.Location) Types {
	types := Types{}
	AddConverted(types, func(d *Decoder, n *yaml.Node, s string) (sitemap.Date, error) {
		if s == "" {
			return sitemap.Date{}, nil
		}
		date, err := sitemap.ParseDate(s, zone)
		if err != nil {
			d.Errorf(n, "bad-date", "", "%v", err)
		}
		return date, nil
	})
	AddConverted(types, func(d *Decoder, _ *yaml.Node, s string) (sitemap.ChangeFreq, error) {
		if d.Lenient && s == "" {
			return 0, nil
		}
		if d.Lenient {
			s = strings.ToLower(s)
		}
		return sitemap.ParseChangeFreq(s)
	})
	AddConverted(types, func(d *Decoder, _ *yaml.Node, v quotedNumber) (sitemap.Priority, error) {
		if d.Lenient && v < 0 { // Hugo's default
			return 0, nil
		}
		return sitemap.PriorityOf(float64(v))
	})
	AddConverted(types, func(_ *Decoder, _ *yaml.Node, v float64) (sitemap.Rating, error) { return sitemap.RatingOf(v) })
	AddConverted(types, func(_ *Decoder, _ *yaml.Node, v int) (sitemap.Count, error) {
		if v < 0 {
			return 0, fmt.Errorf("view_count %d is negative", v)
		}
		return sitemap.CountOf(uint64(v)), nil
	})
	AddConverted(types, func(_ *Decoder, _ *yaml.Node, yes bool) (sitemap.YesNo, error) {
		if yes {
			return sitemap.Yes, nil
		}
		return sitemap.No, nil
	})
	AddConverted(types, toRestriction)
	addCustom(types, readAlternates)
	addCustom(types, readImage)
	return types
}

// A quotedNumber is a number that may be in quotes, as in "0.5", if the decoder is lenient.
type quotedNumber float64

// DecodeNode decodes a number or, if the decoder is lenient, a number in quotes.
func (q *quotedNumber) DecodeNode(d *Decoder, n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" && d.Lenient {
		if v, err := strconv.ParseFloat(strings.TrimSpace(n.Value), 64); err == nil {
			*q = quotedNumber(v)
			return true
		}
	}
	return d.Decode(n, (*float64)(q))
}

// A restriction lists the countries or platforms in which a video may be shown, or the countries or
// platforms in which it may not be shown.
type restriction struct {
	Allow Value[[]string] `yaml:"allow"`
	Deny  Value[[]string] `yaml:"deny"`
}

// toRestriction converts r into a sitemap.Restriction. For an invalid r, it adds a finding, and
// returns the zero Restriction, which does not allow the video anywhere. The error is always nil.
func toRestriction(d *Decoder, n *yaml.Node, r restriction) (none sitemap.Restriction, _ error) {
	switch {
	case r.Allow.IsSet() && r.Deny.IsSet():
		d.Errorf(n.Content[len(n.Content)-1], "bad-value", "keep one of the two", "a restriction has both allow and deny")
	case r.Deny.IsSet():
		return sitemap.Restriction{Deny: true, Values: r.Deny.V}, nil
	case !r.Allow.IsSet():
		d.Errorf(n, "bad-value", "write {allow: [DE, AT]} or {deny: [US]}", "a restriction has neither allow nor deny")
	default:
		return sitemap.Restriction{Values: r.Allow.V}, nil
	}
	return none, nil
}

// readAlternates decodes n into *all: a list of maps with the keys lang and href, or a map from
// language to URL.
func readAlternates(all *[]sitemap.Alternate, d *Decoder, n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		type plain []sitemap.Alternate
		return d.Decode(n, (*plain)(all))
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		var href string
		if d.Decode(n.Content[i+1], &href) {
			*all = append(*all, sitemap.Alternate{Lang: n.Content[i].Value, Href: href})
		}
	}
	return true
}

// readImage decodes n into *m: the URL of an image, or a map with the key loc.
func readImage(m *sitemap.Image, d *Decoder, n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return d.Decode(n, &m.Loc)
	}
	type plain sitemap.Image
	if d.Decode(n, (*plain)(m)); m.Loc == "" {
		d.Errorf(n, "bad-value", "", "%s has no loc", d.Path())
	}
	return m.Loc != ""
}

// Types maps Go types of other packages, which cannot implement Custom, to their decoding
// functions.
type Types map[reflect.Type]Type

// A Type defines how values of one Go type are decoded.
type Type struct {
	FileType reflect.Type // the type of the value in files, such as string for a date; nil if it is the Go type itself
	decode   func(d *Decoder, n *yaml.Node, v any) bool
}

// AddConverted adds the type T to types. A file contains a value of type S instead, and convert
// turns this value into a T. An error of convert becomes a finding.
func AddConverted[T, S any](types Types, convert func(d *Decoder, n *yaml.Node, s S) (T, error)) {
	types[reflect.TypeFor[T]()] = Type{FileType: reflect.TypeFor[S](), decode: func(d *Decoder, n *yaml.Node, v any) bool {
		var s S
		if !d.Decode(n, &s) {
			return false
		}
		t, err := convert(d, n, s)
		if err != nil {
			d.Errorf(n, "bad-value", "", "%v", err)
			return false
		}
		*v.(*T) = t
		return true
	}}
}

// addCustom adds the type T to types, with decode as its decoding function.
func addCustom[T any](types Types, decode func(v *T, d *Decoder, n *yaml.Node) bool) {
	types[reflect.TypeFor[T]()] = Type{decode: func(d *Decoder, n *yaml.Node, v any) bool { return decode(v.(*T), d, n) }}
}
