package sitemap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"
)

func discard(string, string, string) {}

// readAll returns all items of a file. It fails the test if the file has a mistake.
func readAll(t testing.TB, data []byte) []Item {
	t.Helper()
	r := NewReader(bytes.NewReader(data))
	var items []Item
	for {
		item, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in:\n%s", err, data)
		}
		if len(item.Problems) > 0 {
			t.Fatalf("problems %v in:\n%s", item.Problems, data)
		}
		items = append(items, item)
	}
	if unknown := r.UnknownElements(); len(unknown) > 0 {
		t.Fatalf("unknown %v in:\n%s", unknown, data)
	}
	return items
}

// encode returns a sitemap with the given URLs.
func encode(urls []URL) []byte {
	var used Extensions
	for i := range urls {
		used |= urls[i].Extensions()
	}
	entries := make([]Entry, len(urls))
	for i := range urls {
		entries[i].URL = urls[i]
	}
	return encodeAs(FormatURLSet, Frame{Extensions: used}, entries...)
}

// TestRoundTrip checks random URLs with Check, writes them, and reads them again. The result is the
// same.
func TestRoundTrip(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		urls := randomSlice(rnd, 10, randomURL)
		for i := range urls {
			urls[i].Check(discard)
		}
		data := encode(urls)
		checkWellFormed(t, data)
		items := readAll(t, data)
		if len(items) != len(urls) {
			t.Fatalf("%d items, want %d", len(items), len(urls))
		}
		for i := range urls {
			if !reflect.DeepEqual(items[i].URL, urls[i]) {
				t.Fatalf("read\n%+v\nwant\n%+v\nin %s", items[i].URL, urls[i], data)
			}
		}
	}
}

// checkWellFormed checks that data is well-formed XML.
func checkWellFormed(t testing.TB, data []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in:\n%s", err, data)
		}
	}
}

// TestCheckProperties checks that a second Check finds and changes nothing, and that Check does not
// change slices that another URL shares.
func TestCheckProperties(t *testing.T) {
	for i := range uint64(500) {
		u, twin := randomURL(rand.New(rand.NewPCG(9, i))), randomURL(rand.New(rand.NewPCG(9, i)))
		checked := u
		checked.Check(discard)
		if !reflect.DeepEqual(u, twin) {
			t.Fatalf("Check changed what it was given in place:\n%+v\n%+v", u, twin)
		}
		again := checked
		again.Check(func(code, message, _ string) { t.Errorf("a second Check reports %s: %s", code, message) })
		if !reflect.DeepEqual(again, checked) {
			t.Fatalf("a second Check makes\n%+v\nof\n%+v", again, checked)
		}
	}
}

// TestOrProperties checks that Or is associative, and that Or with the same URL or with the zero
// URL changes nothing.
func TestOrProperties(t *testing.T) {
	rnd := rand.New(rand.NewPCG(10, 11))
	partial := func() URL {
		u := randomURL(rnd)
		if rnd.IntN(2) == 0 {
			u.Loc = ""
		}
		return u
	}
	for range 500 {
		u, v, w := partial(), partial(), partial()
		if got, want := u.Or(v).Or(w), u.Or(v.Or(w)); !reflect.DeepEqual(got, want) {
			t.Fatalf("Or is not associative:\n%+v\n%+v", got, want)
		}
		if !reflect.DeepEqual(u.Or(u), u) || !reflect.DeepEqual(u.Or(URL{}), u) || !reflect.DeepEqual(URL{}.Or(u), u) {
			t.Fatalf("Or changes %+v", u)
		}
	}
}

// TestOrCoversURL checks that Or copies every field of a URL. fullURL sets each field.
func TestOrCoversURL(t *testing.T) {
	full := fullURL()
	if got := (URL{}).Or(full); !reflect.DeepEqual(got, full) {
		t.Errorf("Or makes %+v of %+v", got, full)
	}
}
