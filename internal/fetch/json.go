package fetch

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// maxJSON is the maximum size in bytes of a local JSON report. The report of a million pages is
// smaller. For a report from a site, the limit is MaxFileBytes. Limits are necessary because the
// JSON decoder may keep a whole value in memory.
const maxJSON = 512 << 20

// A reportEntry is one URL in a JSON report. In JSON, it is an object with the following keys, or a
// string that is the URL.
type reportEntry struct {
	URL     string `json:"url"`
	Loc     string `json:"loc"`
	LastMod string `json:"lastmod"`
	Title   string `json:"title"`
	Listed  *bool  `json:"listed"`
	Content string `json:"content"`
}

// UnmarshalJSON decodes an object, or a string. It stores a string in the field Loc.
func (j *reportEntry) UnmarshalJSON(src []byte) error {
	if src[0] == '"' {
		return json.Unmarshal(src, &j.Loc)
	}
	type plain reportEntry
	return json.Unmarshal(src, (*plain)(j))
}

// readJSON calls r.visit for each URL of a JSON report. The report is an array, or an object with
// an array under the key "pages" or "urls".
func (r *reader) readJSON(s source, src io.Reader) error {
	limit := int64(maxJSON)
	if s.at.URL != nil {
		limit = MaxFileBytes
	}
	d := json.NewDecoder(fullReader{&limitReader{src, limit, fmt.Errorf("it is JSON of more than %d MiB", limit>>20)}})
	err := r.skipToArray(d)
	if err == nil {
		err = r.readURLArray(d, diag.Pos{File: s.name})
	}
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// A fullReader fills the whole buffer in each call of Read. Otherwise, a json.Decoder would be
// slow, because it scans the white space in its buffer again after each short read.
type fullReader struct{ io.Reader }

func (f fullReader) Read(p []byte) (int, error) {
	n, err := io.ReadFull(f.Reader, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// skipToArray reads tokens up to the "[" that begins the array of URLs. It returns an error if
// there is no such array.
func (r *reader) skipToArray(d *json.Decoder) error {
	t, err := d.Token()
	if err != nil || t == json.Delim('[') {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if key != "pages" && key != "urls" {
			if err := d.Decode(new(json.RawMessage)); err != nil {
				return err
			}
			continue
		}
		switch t, err := d.Token(); {
		case err != nil:
			return err
		case t == json.Delim('['):
			return nil
		case t == json.Delim('{'):
			return fmt.Errorf("%q is not an array of URLs", key)
		} // sitewalk's own report has a number "urls" before the array
	}
	return errors.New(`it is JSON without "pages" or "urls", an array of URLs`)
}

// readURLArray calls r.visit for each URL of the array. It skips entries without a URL, and entries
// with "listed": false.
func (r *reader) readURLArray(d *json.Decoder, pos diag.Pos) error {
	for d.More() {
		var u reportEntry
		if err := d.Decode(&u); err != nil {
			return err
		}
		e := Entry{Pos: pos, Fingerprint: u.Content}
		e.Loc, e.Title = strings.TrimSpace(cmp.Or(u.Loc, u.URL)), u.Title
		e.LastMod, _ = sitemap.ParseDate(u.LastMod, nil)
		if e.Loc == "" || u.Listed != nil && !*u.Listed {
			continue
		}
		if err := r.deliverEntry(e); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}
