package list

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A jsonURL is a URL of a JSON report: an object, or its address alone.
type jsonURL struct {
	URL     string `json:"url"`
	Loc     string `json:"loc"`
	LastMod string `json:"lastmod"`
	Title   string `json:"title"`
	Listed  *bool  `json:"listed"`
	Content string `json:"content"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (u *jsonURL) UnmarshalJSON(src []byte) error {
	if src[0] == '"' {
		return json.Unmarshal(src, &u.Loc)
	}
	type plain jsonURL
	return json.Unmarshal(src, (*plain)(u))
}

// lists are the keys of an object under which its URLs may stand.
var lists = map[string]bool{"pages": true, "urls": true}

// json reads an array of URLs, or an object that has one as "pages" or "urls".
func (r *reader) json(s source, src *bufio.Reader) error {
	d := &decoder{Decoder: json.NewDecoder(src), r: r, pos: diag.Pos{File: s.name}}
	err := d.top()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

type decoder struct {
	*json.Decoder
	r   *reader
	pos diag.Pos
}

func (d *decoder) top() error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	if t == json.Delim('[') {
		return d.array()
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if name, _ := key.(string); !lists[name] {
			err = d.Decode(new(json.RawMessage))
		} else if t, err = d.Token(); err == nil && t == json.Delim('[') {
			return d.array()
		} else if t == json.Delim('{') {
			err = fmt.Errorf("%q is no array of URLs", name)
		} // the number of URLs, which a report of ours tells first
		if err != nil {
			return err
		}
	}
	return errors.New(`it is JSON without "pages" or "urls", an array of URLs`)
}

func (d *decoder) array() error {
	for d.More() {
		var u jsonURL
		if err := d.Decode(&u); err != nil {
			return err
		}
		if u.Loc == "" {
			u.Loc = u.URL
		}
		e := sitemap.Entry{URL: sitemap.URL{Loc: strings.TrimSpace(u.Loc)}, Title: u.Title}
		e.LastMod, _ = sitemap.ParseDate(u.LastMod, nil)
		if e.Loc == "" || u.Listed != nil && !*u.Listed {
			continue
		}
		if d.r.o.Content != nil && u.Content != "" {
			d.r.o.Content(e.Loc, u.Content)
		}
		if err := d.r.add(e, d.pos); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}
