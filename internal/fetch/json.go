package fetch

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
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
	v := &values{r: src}
	d := &decoder{Decoder: json.NewDecoder(v), values: v, r: r, pos: diag.Pos{File: s.name}}
	err := d.top()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// A decoder reads one token or one URL after the other, and holds no more.
type decoder struct {
	*json.Decoder
	values *values
	r      *reader
	pos    diag.Pos
}

// maxValue is how many bytes a token, or a URL with all that is said of it, may have.
const maxValue = sitemap.DefaultMaxBytes

// values reads a document in pieces as long as they are asked for: a Decoder, which asks
// for twice as much each time, looks at the blanks ahead again whenever more come.
type values struct {
	r    io.Reader
	read int // since the last value
}

func (v *values) Read(p []byte) (n int, err error) {
	if v.read > maxValue {
		return 0, fmt.Errorf("one value has more than %d bytes", maxValue)
	}
	for n < len(p) && err == nil {
		var more int
		more, err = v.r.Read(p[n:])
		n += more
	}
	v.read += n
	return n, err
}

// Token and Decode are those of the Decoder, for a value of bounded size.
func (d *decoder) Token() (json.Token, error) {
	d.values.read = 0
	return d.Decoder.Token()
}

func (d *decoder) Decode(v any) error {
	d.values.read = 0
	return d.Decoder.Decode(v)
}

// skip reads past the value ahead.
func (d *decoder) skip() error {
	for depth := 0; ; {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('['), json.Delim('{'):
			depth++
		case json.Delim(']'), json.Delim('}'):
			depth--
		}
		switch {
		case depth == 0:
			return nil
		case depth > maxNested:
			return fmt.Errorf("its values are nested more than %d deep", maxNested)
		}
	}
}

const maxNested = 1000

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
			err = d.skip()
		} else if t, err = d.Token(); err == nil && t == json.Delim('[') {
			return d.array()
		} else if t == json.Delim('{') {
			err = fmt.Errorf("%q is not an array of URLs", name)
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
		if len(e.Loc) < len(u.Loc) {
			e.Loc = strings.Clone(e.Loc) // else it keeps the blanks
		}
		e.LastMod, _ = sitemap.ParseDate(u.LastMod, nil)
		if e.Loc == "" || u.Listed != nil && !*u.Listed {
			continue
		}
		if d.r.o.Content != nil && u.Content != "" {
			if err := d.r.take(len(u.Content)); err != nil {
				return err
			}
			d.r.o.Content(e.Loc, u.Content)
		}
		if err := d.r.add(e, d.pos); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}
