package sitemap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// summary reads all of r. It returns one line for each item, problem and unknown element, and for
// the final error.
func summary(src io.Reader) string {
	r := NewReader(src)
	var b strings.Builder
	for {
		item, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Fprintf(&b, "error: %v\n", err)
			break
		}
		kind := "url"
		if item.Sitemap {
			kind = "sitemap"
		}
		fmt.Fprintf(&b, "%d: %s %s", item.Line, kind, item.Loc)
		for _, s := range []string{item.LastMod.String(), item.ChangeFreq.String(), item.Priority.String(), item.Title, item.Summary} {
			if s != "" {
				fmt.Fprintf(&b, " %s", s)
			}
		}
		b.WriteString("\n")
		for _, p := range item.Problems {
			fmt.Fprintf(&b, "%d: [%s] %s\n", p.Line, p.Code, p.Message)
		}
	}
	for _, u := range r.UnknownElements() {
		fmt.Fprintf(&b, "unknown %s at %d, %d times\n", u.Name, u.Line, u.Count)
	}
	return b.String()
}

func TestReader(t *testing.T) {
	for name, test := range map[string]struct{ in, want string }{
		"url set": {
			`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="` + Namespace + `">
  <url>
    <loc> https://example.com/?a=1&amp;b=2 </loc>
    <lastmod>2024-01-02</lastmod>
    <changefreq>daily</changefreq>
    <priority>0.8</priority>
  </url>
  <url><loc><![CDATA[https://example.com/b&c]]></loc></url>
</urlset>`,
			"3: url https://example.com/?a=1&b=2 2024-01-02 daily 0.8\n9: url https://example.com/b&c\n",
		},
		"index": {
			"<sitemapindex xmlns='" + Namespace + "'>\n<sitemap><loc>https://example.com/a.xml</loc><lastmod>2024-01-02T03:04:05Z</lastmod></sitemap></sitemapindex>",
			"2: sitemap https://example.com/a.xml 2024-01-02T03:04:05Z\n",
		},
		"other namespaces of the protocol": {
			`<urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>a</loc></url></urlset>`, "1: url a\n",
		},
		"no namespace":      {`<urlset><url><loc>a</loc></url></urlset>`, "1: url a\n"},
		"with a prefix":     {`<s:urlset xmlns:s="` + Namespace + `"><s:url><s:loc>a</s:loc></s:url></s:urlset>`, "1: url a\n"},
		"empty":             {`<urlset xmlns="` + Namespace + `"/>`, ""},
		"nothing":           {"", ""},
		"white space":       {" \n\t\n", ""},
		"byte order mark":   {"\uFEFF<urlset><url><loc>a</loc></url></urlset>", "1: url a\n"},
		"declared Latin-1":  {"<?xml version='1.0' encoding='ISO-8859-1'?><urlset><url><loc>\xe4\x80</loc></url></urlset>", "1: url ä€\n"},
		"declared US-ASCII": {"<?xml version='1.0' encoding='us-ascii'?><urlset><url><loc>a</loc></url></urlset>", "1: url a\n"},
		"mistakes that can be read over": {
			`<urlset>
<url><lastmod>yesterday</lastmod><loc>a</loc></url>
<url><loc>b</loc><changefreq>Daily</changefreq><priority>5e-1</priority><priority>2</priority></url>
<url><loc>c</loc><lastmod>2024-01-02 10:00</lastmod><changefreq>often</changefreq><loc>d</loc></url>
<url><lastmod>2024-01-02</lastmod></url>
</urlset>`,
			"2: url a\n" +
				"2: [bad-date] lastmod: date \"yesterday\" is not a date; write 2006-01-02 or 2006-01-02T15:04:05+07:00\n" +
				"3: url b daily\n" +
				"3: [bad-changefreq] changefreq \"Daily\" is not one of always, hourly, daily, weekly, monthly, yearly, never\n" +
				"3: [bad-priority] priority \"5e-1\" is not between 0.0 and 1.0\n" +
				"3: [bad-priority] priority \"2\" is not between 0.0 and 1.0\n" +
				"4: url c 2024-01-02T10:00:00Z\n" +
				"4: [bad-changefreq] changefreq \"often\" is not one of always, hourly, daily, weekly, monthly, yearly, never\n" +
				"4: [duplicate-element] an entry has more than one loc\n" +
				"5: url  2024-01-02\n" +
				"5: [missing-loc] an entry has no loc\n",
		},
		"unknown extensions": {
			`<urlset xmlns="` + Namespace + `" xmlns:m="urn:m" xmlns:xhtml="` + NamespaceXHTML + `" xmlns:image="` + NamespaceImage + `">
<m:head>x</m:head>
<url><loc>a</loc><m:mobile/><changed>x</changed></url>
<url><loc>b</loc><m:mobile><loc>no</loc></m:mobile><xhtml:link rel="amphtml" href="c"/><image:image><image:size/></image:image></url>
</urlset>`,
			"3: url a\n4: url b\n" +
				"unknown urn:m head at 2, 1 times\nunknown urn:m mobile at 3, 2 times\n" +
				"unknown " + Namespace + " changed at 3, 1 times\nunknown " + NamespaceXHTML + " link at 4, 1 times\n" +
				"unknown " + NamespaceImage + " size at 4, 1 times\n",
		},
		"extensions with mistakes": {
			`<urlset xmlns:video="` + NamespaceVideo + `" xmlns:news="` + NamespaceNews + `"><url><loc>a</loc>
<video:video><video:live>perhaps</video:live><video:rating>6</video:rating><video:view_count>-1</video:view_count>
<video:duration>1:30</video:duration><video:size/></video:video>
<news:news/><news:news/><news:paper/><video:clip/></url></urlset>`,
			"1: url a\n2: [bad-video] \"perhaps\" is not yes or no\n" +
				"2: [bad-video] rating \"6\" is not between 0.0 and 5.0\n2: [bad-video] view_count \"-1\" is not a whole number\n" +
				"3: [bad-video] \"1:30\" is not a whole number\n4: [duplicate-element] an entry has more than one news:news\n" +
				"unknown " + NamespaceVideo + " size at 3, 1 times\n" +
				"unknown " + NamespaceNews + " paper at 4, 1 times\nunknown " + NamespaceVideo + " clip at 4, 1 times\n",
		},
		"obsolete": {
			`<urlset xmlns="` + Namespace + `" xmlns:i="` + NamespaceImage + `" xmlns:v="` + NamespaceVideo + `" xmlns:n="` + NamespaceNews + `"><url><loc>a</loc>
<i:image><i:loc>b</i:loc><i:caption>c</i:caption><i:title>d</i:title></i:image><i:image><i:title>e</i:title></i:image>
<v:video><v:player_loc autoplay="a" allow_embed="no" x="y">p</v:player_loc><v:tvshow><v:show_title>s</v:show_title></v:tvshow><v:id type="url">h</v:id><v:title>f</v:title></v:video>
<n:news><n:genres>Blog</n:genres><n:title>g</n:title></n:news></url></urlset>`,
			"1: url a\nunknown image:caption at 2, 1 times\nunknown image:title at 2, 2 times\n" +
				"unknown video:tvshow at 3, 1 times\nunknown video:id at 3, 1 times\nunknown news:genres at 4, 1 times\n",
		},
		"RSS": {
			`<rss version="2.0" xmlns:dc="urn:dc"><channel><title>T</title><link>https://example.com/</link><image><url>x</url></image>
<item><title>One &amp; two</title><link>https://example.com/1</link><pubDate>Tue, 02 Jan 2024 10:00:00 GMT</pubDate><dc:creator>A</dc:creator><description>a &amp;lt; b</description></item>
<item><guid>https://example.com/2</guid><description>&lt;p&gt;HTML</description></item>
<item><guid isPermaLink="false">3</guid></item>
</channel></rss>`,
			"2: url https://example.com/1 2024-01-02T10:00:00Z One & two a < b\n3: url https://example.com/2\n" +
				"4: url \n4: [missing-loc] an entry has no loc\n",
		},
		"Atom": {
			`<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link href="https://example.com/"/>
<entry><title type="html">A &amp;amp; B</title><link rel="self" href="no"/><link rel="edit" href="no"/><link href="https://example.com/1"/><updated>2024-01-02T10:00:00Z</updated><published>2020-01-01</published></entry>
</feed>`,
			"2: url https://example.com/1 2024-01-02T10:00:00Z A & B\n",
		},
		"text": {
			"https://example.com/a\r\n\n  https://example.com/b \nhttps://example.com/c",
			"1: url https://example.com/a\n3: url https://example.com/b\n4: url https://example.com/c\n",
		},
		"text with a byte order mark": {"\uFEFFhttps://example.com/a\n", "1: url https://example.com/a\n"},
		"text with a stray line":      {"https://example.com/a\n# b\n", "1: url https://example.com/a\n2: url # b\n"},

		"prose":              {"Dear reader,\n", "error: line 1: \"Dear reader,\" is neither XML nor a URL; expected a sitemap\n"},
		"HTML":               {"<!doctype html>\n<html>", "error: line 2: it is a web page, not a sitemap: the home page, a login, or the error page of a host\n"},
		"XHTML":              {"\n<html>", "error: line 2: it is a web page, not a sitemap: the home page, a login, or the error page of a host\n"},
		"gzip":               {"\x1f\x8b\x08\x00", "error: the sitemap is compressed with gzip\n"},
		"UTF-7":              {"<?xml version='1.0' encoding=\"UTF-7\"?><urlset/>", "error: the encoding \"utf-7\" is not read; write the sitemap in UTF-8\n"},
		"cut off":            {"<urlset>\n<url><loc>a</loc></url>\n<url><loc>b", "2: url a\nerror: line 3: the file ends inside <loc>\n"},
		"not UTF-8":          {"<urlset>\n<url><loc>\xff</loc></url></urlset>", "error: line 2: invalid UTF-8\n"},
		"not balanced":       {"<urlset><url></urlset>", "error: line 1: element <url> closed by </urlset>\n"},
		"bare ampersand":     {"<urlset><url><loc>a?b&c=d</loc></url></urlset>", "error: line 1: & without a reference; write &amp;\n"},
		"only a declaration": {"<?xml version='1.0'?>", "error: line 1: the file has no element\n"},
		"two documents":      {"<urlset/><urlset/>", "error: line 1: <urlset> follows the document element\n"},
	} {
		if got := summary(strings.NewReader(test.in)); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, test.want)
		}
		if got := summary(iotest.OneByteReader(strings.NewReader(test.in))); got != test.want {
			t.Errorf("%s, byte by byte:\n%s\nwant\n%s", name, got, test.want)
		}
	}
}

func TestReaderUTF16(t *testing.T) {
	for _, in := range []string{
		"<?xml version='1.0' encoding='UTF-16'?>\n<urlset><url><loc>ä𝄞</loc></url></urlset>",
		"https://example.com/𝄞\n",
	} {
		want := summary(strings.NewReader(strings.Replace(in, " encoding='UTF-16'", "", 1)))
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			var b []byte
			for _, unit := range utf16.Encode([]rune("\uFEFF" + in)) {
				b = order.AppendUint16(b, unit)
			}
			if got := summary(bytes.NewReader(b)); got != want {
				t.Errorf("%v: %s, want %s", order, got, want)
			}
			if in[0] == '<' {
				if got := summary(bytes.NewReader(b[2:])); got != want {
					t.Errorf("%v without a mark: %s, want %s", order, got, want)
				}
				if got := summary(bytes.NewReader(b[:len(b)-1])); !strings.Contains(got, "error: ") {
					t.Errorf("%v, half a character: %s", order, got)
				}
			}
		}
	}
}

func TestReaderFormats(t *testing.T) {
	for in, want := range map[string]Format{
		"<urlset xmlns='u'><url><loc>a</loc></url></urlset>":                     FormatURLSet,
		"<sitemapindex xmlns='u'><sitemap><loc>a</loc></sitemap></sitemapindex>": FormatIndex,
		"<rss xmlns='u'><channel><item><link>a</link></item></channel></rss>":    FormatRSS,
		"<feed xmlns='u'><entry><link href='a'/></entry></feed>":                 FormatAtom,
	} {
		r := NewReader(strings.NewReader(in))
		item, err := r.Next()
		if err != nil || item.Loc != "a" || r.Format() != want || r.Namespace() != "u" {
			t.Errorf("%s: %+v, %v, %v, namespace %q", in, item, err, r.Format(), r.Namespace())
		}
		for range 2 {
			if _, err := r.Next(); !errors.Is(err, io.EOF) {
				t.Errorf("%s: after the last item %v", in, err)
			}
		}
	}
}

// TestReaderPassesErrorsOn checks that Next returns an error of the underlying reader, also when it
// is called again.
func TestReaderPassesErrorsOn(t *testing.T) {
	broken := errors.New("the disk is on fire")
	for _, in := range []string{"", "<urlset><url>", "https://example.com/\n"} {
		r := NewReader(io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken)))
		var err error
		for err == nil {
			_, err = r.Next()
		}
		if _, again := r.Next(); !errors.Is(err, broken) || !errors.Is(again, broken) {
			t.Errorf("%q: %v, then %v", in, err, again)
		}
	}
}

// An endless reader returns head, and then repeats a text without end.
type endless struct {
	head   string
	repeat string
	read   int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.read < len(e.head) {
		n := copy(p, e.head[e.read:])
		e.read += n
		return n, nil
	}
	n := 0
	for n < len(p) {
		n += copy(p[n:], e.repeat[(e.read-len(e.head)+n)%len(e.repeat):])
	}
	e.read += n
	return n, nil
}

// TestReaderHostile checks that malicious files give an error soon, and that reading them needs
// limited memory.
func TestReaderHostile(t *testing.T) {
	for name, test := range map[string]struct{ head, repeat, want string }{
		"endless text":        {"<urlset><url><loc>", "a", "without an end"},
		"endless tag":         {"<urlset><url", " ", "without an end"},
		"endless attribute":   {"<urlset><url a='", "a", "without an end"},
		"endless comment":     {"<!--", "a", "without an end"},
		"endless instruction": {"<?a", "a", "without an end"},
		"endless CDATA":       {"<urlset><![CDATA[", "]", "without an end"},
		"endless doctype":     {"<!DOCTYPE a ", "a", "without an end"},
		"endless end tag":     {"<urlset></urlset", " ", "without an end"},
		"endless depth":       {"<urlset><url>", "<a>", "100 elements within each other"},
		"endless namespaces":  {"<urlset>", "<a xmlns='a' xmlns:b='b' xmlns:c='c'>", "100 elements within each other"},
		"endless pieces":      {"<urlset><url><loc>", "a<!-- -->", "one entry has more than"},
		"endless images":      {"<urlset xmlns:i='" + NamespaceImage + "'><url>", "<i:image/>", "one entry has more than"},
		"endless names":       {"https://example.com/", "a", "has more than"},
		"billion laughs": {
			`<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>`, " ", "has declarations",
		},
		"external entity": {
			`<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>&a;</loc></url></urlset>`, " ", "has declarations",
		},
	} {
		src := &endless{head: test.head, repeat: strings.Repeat(test.repeat, 50)}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := NewReader(src)
		var err error
		for err == nil {
			_, err = r.Next()
		}
		runtime.ReadMemStats(&after)
		if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		if src.read > 2*maxEntry {
			t.Errorf("%s: %d bytes were read", name, src.read)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<30 {
			t.Errorf("%s: %d bytes were allocated", name, used)
		}
	}
}

func TestReaderBoundsReports(t *testing.T) {
	var b strings.Builder
	b.WriteString("<urlset><url>")
	for i := range 500 {
		fmt.Fprintf(&b, "<x%d/><priority>x</priority>", i)
	}
	b.WriteString("</url></urlset>")
	r := NewReader(strings.NewReader(b.String()))
	item, err := r.Next()
	if err != nil || len(item.Problems) != maxProblems || len(r.UnknownElements()) != maxUnknown {
		t.Errorf("%v: %d problems, %d unknown", err, len(item.Problems), len(r.UnknownElements()))
	}
	if last := item.Problems[len(item.Problems)-1]; last.Code != "missing-loc" {
		t.Errorf("last problem: got %s, want missing-loc", last.Code)
	}
}

// TestReaderItemsStay checks that reading a later item does not change an earlier item.
func TestReaderItemsStay(t *testing.T) {
	u := fullURL()
	data := encode([]URL{u, validURL(), u})
	items := readAll(t, data)
	for i, want := range []URL{u, validURL(), u} {
		if !reflect.DeepEqual(items[i].URL, want) {
			t.Errorf("item %d is %+v, want %+v", i, items[i].URL, want)
		}
	}
}

func TestReadText(t *testing.T) {
	b := "https://example.com/a?b&c\nhttps://example.com/'\n"
	want := "1: url https://example.com/a?b&c\n2: url https://example.com/'\n"
	if got := summary(strings.NewReader(b)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
