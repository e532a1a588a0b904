package fetch

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// maxJSON is the maximum size in bytes of a local JSON report. The report of a million pages is
// smaller. For a report from a site, the limit is MaxFileBytes. Limits are necessary because the
// JSON decoder may keep a whole value in memory.
const maxJSON = 512 << 20

// A reportEntry is one page in a JSON report.
type reportEntry struct {
	URL     string `json:"url"`
	LastMod string `json:"lastmod"`
	Title   string `json:"title"`
	Listed  bool   `json:"listed"`
	Content string `json:"content"`
}

// readJSON calls r.visit for each listed page of a JSON report that sitewalk wrote.
func (r *reader) readJSON(s source, src io.Reader) error {
	limit := int64(maxJSON)
	if s.at.URL != nil {
		limit = MaxFileBytes
	}
	d := json.NewDecoder(fullReader{&limitReader{src, limit, fmt.Errorf("it is JSON of more than %d MiB", limit>>20)}})
	err := skipToPages(d)
	if err == nil {
		err = r.readPages(d, diag.Pos{File: s.name})
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

// errNoPages is the error for JSON that is not a report with pages.
var errNoPages = errors.New(`it is JSON without an array "pages"; sitewalk build --report json=FILE writes one`)

// skipToPages reads tokens up to the "[" that begins the array "pages". It returns an error if
// there is no such array.
func skipToPages(d *json.Decoder) error {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return cmp.Or(err, errNoPages)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if key == "pages" {
			t, err := d.Token()
			if err == nil && t != json.Delim('[') {
				err = errNoPages
			}
			return err
		}
		if err := d.Decode(new(json.RawMessage)); err != nil {
			return err
		}
	}
	return errNoPages
}

// readPages calls r.visit for each listed page of the array "pages".
func (r *reader) readPages(d *json.Decoder, pos diag.Pos) error {
	for d.More() {
		var p reportEntry
		if err := d.Decode(&p); err != nil {
			return err
		}
		if p.URL == "" || !p.Listed {
			continue
		}
		e := Entry{Pos: pos, Fingerprint: p.Content}
		e.Loc, e.Title = p.URL, p.Title
		e.LastMod, _ = sitemap.ParseDate(p.LastMod, nil)
		if err := r.deliverEntry(e); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}
