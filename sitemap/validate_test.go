package sitemap

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

func validateAll(t testing.TB, src []byte) (*Validator, []Problem) {
	t.Helper()
	var ps []Problem
	j := NewValidator(func(p Problem) { ps = append(ps, p) })
	if err := j.Validate(bytes.NewReader(src)); err != nil {
		t.Fatalf("%v\nin %.300s", err, src)
	}
	return j, ps
}

func inSet(s string) string {
	return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"" + Namespace + "\">\n" + s + "\n</urlset>\n"
}

func TestValidator(t *testing.T) {
	const loc = "<loc>https://example.com/</loc>"
	long := strings.Repeat("a", 3000)
	for _, tt := range []struct{ name, src, want string }{
		{"right", inSet("<url>" + loc + "<lastmod>2024-01-02</lastmod><changefreq>daily</changefreq><priority>0.5</priority></url>"), ""},
		{"right index", `<sitemapindex xmlns="` + Namespace + `"><sitemap>` + loc + "<lastmod>2024-01-02T03:04:05Z</lastmod></sitemap></sitemapindex>", ""},
		{"schema location", `<urlset xmlns="` + Namespace + `" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b"><url>` + loc + "</url></urlset>", ""},
		{"text", "https://example.com/\nhttps://example.com/a\n", ""},
		{"image", inSet("<url>" + loc + `<i:image xmlns:i="` + NamespaceImage + `"><i:loc>x</i:loc><i:title>y</i:title><i:caption>z</i:caption></i:image></url>`), ""},
		{"image of unknown parts", inSet("<url>" + loc + `<i:image xmlns:i="` + NamespaceImage + `"><i:url>x</i:url><i:loc>x</i:loc><i:loc>x</i:loc></i:image></url>`), "3:104 off-schema, 3:136 duplicate-element"},
		{"image without its element", inSet("<url>" + loc + `<i:loc xmlns:i="` + NamespaceImage + `">x</i:loc></url>`), "3:37 off-schema"},
		{"video", inSet("<url>" + loc + `<v:video xmlns:v="` + NamespaceVideo + `"><v:tag>x</v:tag><v:tag>y</v:tag><v:titel>x</v:titel></v:video></url>`), "3:136 off-schema"},
		{"news", inSet("<url>" + loc + `<n:news xmlns:n="` + NamespaceNews + `"><n:publication><n:name>x</n:name></n:publication><n:genres>Blog</n:genres></n:news></url>`), ""},
		{"namespace of another scheme", inSet("<url>" + loc + strings.Repeat(`<i:image xmlns:i="https://www.google.com/schemas/sitemap-image/1.1"/>`, 2) + "</url>"), "3:37 wrong-namespace"},
		{"namespace of another version", inSet("<url>" + loc + `<v:video xmlns:v="http://www.google.com/schemas/sitemap-video/1.0"/></url>`), "3:37 wrong-namespace"},
		{"prefix of no namespace", inSet("<url>" + loc + "<image:image><image:loc>x</image:loc></image:image></url>"), "3:37 wrong-namespace"},
		{"another extension", inSet("<url>" + loc + `<m:mobile xmlns:m="http://www.google.com/schemas/sitemap-mobile/1.0"/></url>`), ""},
		{"order", inSet("<url><lastmod>2024-01-02</lastmod>" + loc + "</url>"), "3:35 off-schema"},
		{"extension first", inSet("<url><x:y xmlns:x=\"urn:x\"/>" + loc + "</url>"), "3:28 off-schema"},
		{"unknown element", inSet("<url>" + loc + "\n <rank>1</rank></url>"), "4:2 off-schema"},
		{"twice", inSet("<url>" + loc + loc + "</url>"), "3:37 duplicate-element"},
		{"no loc", inSet("<url></url>"), "3:1 missing-loc"},
		{"empty loc", inSet("<url><loc/></url>"), "3:12 missing-loc"},
		{"not encoded", inSet("<url><loc>https://example.com/ü</loc></url>"), "3:11 invalid-url"},
		{"blank", inSet("<url><loc>https://example.com/a b</loc></url>"), "3:11 invalid-url"},
		{"relative", inSet("<url><loc>\n  /a</loc></url>"), "4:3 invalid-url"},
		{"long", inSet("<url><loc>https://example.com/" + long + "</loc></url>"), "3:11 invalid-url"},
		{"no escape", inSet("<url><loc>https://example.com/?a=1&b=2</loc></url>"), "3:11 bad-xml"},
		{"html entity", inSet("<url><loc>https://example.com/&eacute;</loc></url>"), "3:11 bad-xml"},
		{"control", inSet("<url><loc>https://example.com/\x01</loc></url>"), "3:11 bad-xml"},
		{"latin", inSet("<url>" + loc + "</url>\n<!-- \n-->\n <url><loc>https://example.com/\xe9</loc></url>"), "6:12 bad-xml"},
		{"cut", strings.TrimSuffix(inSet("<url>"+loc+"</url>"), "</urlset>\n"), "4:1 bad-xml"},
		{"crossed", inSet("<url><loc>https://example.com/</url></loc>"), "3:31 bad-xml"},
		{"behind", inSet("<url>"+loc+"</url>") + "x", "4:10 bad-xml"},
		{"date", inSet("<url>" + loc + "<lastmod>2024-13-01</lastmod></url>"), "3:46 bad-date"},
		{"year", inSet("<url>" + loc + "<lastmod>2024</lastmod></url>"), "3:46 bad-date"},
		{"zone", inSet("<url>" + loc + "<lastmod>2024-01-02T03:04:05</lastmod></url>"), "3:46 bad-date"},
		{"empty date", inSet("<url>" + loc + "<lastmod></lastmod></url>"), "3:46 bad-date"},
		{"changefreq", inSet("<url>" + loc + "<changefreq>Daily</changefreq></url>"), "3:49 bad-changefreq"},
		{"priority", inSet("<url>" + loc + "<priority>1.5</priority></url>"), "3:47 bad-priority"},
		{"no namespace", "<urlset><url>" + loc + "</url></urlset>", "1:1 wrong-namespace"},
		{"https namespace", strings.ReplaceAll(inSet("<url>"+loc+"</url>"), "http://www.sitemaps", "https://www.sitemaps"), "2:1 wrong-namespace"},
		{"attribute", inSet("<url id=\"1\">" + loc + "</url>"), "3:1 off-schema"},
		{"text between", inSet("<url>" + loc + "and</url>"), "3:37 off-schema"},
		{"empty", inSet(""), "4:1 off-schema"},
		{"web page", "<!doctype html>\n<html><head><title>Not found</title>", "2:7 not-a-sitemap"},
		{"other root", "<feeds/>", "1:9 not-a-sitemap"},
		{"no text sitemap", "hello\n", "1:1 not-a-sitemap"},
		{"nothing", "", "1:1 not-a-sitemap"},
		{"text with a header", "https://example.com/\n# more\n", "2:1 invalid-url"},
		{"UTF-16", "\xff\xfe" + wide(inSet("<url>"+loc+"</url>")), "1:1 wrong-encoding"},
		{"declared", strings.Replace(inSet("<url>"+loc+"</url>"), "UTF-8", "ISO-8859-1", 1), "1:1 wrong-encoding"},
		{"unknown encoding", strings.Replace(inSet("<url>"+loc+"</url>"), "UTF-8", "EBCDIC", 1), "1:1 not-a-sitemap"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, ps := validateAll(t, []byte(tt.src))
			var got []string
			for _, p := range ps {
				got = append(got, fmt.Sprintf("%d:%d %s", p.Line, p.Col, p.Code))
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("got %q, want %q: %v", got, tt.want, ps)
			}
		})
	}
}

func wide(s string) string {
	var b strings.Builder
	for _, c := range s {
		b.WriteByte(byte(c))
		b.WriteByte(byte(c >> 8))
	}
	return b.String()
}

func TestValidatorLimits(t *testing.T) {
	codes := func(src string) []string {
		_, ps := validateAll(t, []byte(src))
		var out []string
		for _, p := range ps {
			out = append(out, p.Code)
		}
		return out
	}
	const loc = "https://example.com/"
	if got := codes(strings.Repeat(loc+"\n", MaxURLs)); got != nil {
		t.Errorf("a full file: %v", got)
	}
	if got := codes(strings.Repeat(loc+"\n", MaxURLs+1)); !slices.Equal(got, []string{"too-many-entries"}) {
		t.Errorf("one URL more: %v", got)
	}
}

// TestValidatorOwn checks that a Validator accepts the files that a Writer writes.
func TestValidatorOwn(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var urls []URL
	for range 500 {
		u := randomURL(rnd)
		u.Check(discard)
		urls = append(urls, u)
	}
	if _, ps := validateAll(t, encode(urls)); len(ps) > 0 {
		t.Errorf("%v", ps[0])
	}
}

// protocolOnly lists the codes of mistakes that the schema allows and the protocol does not.
var protocolOnly = []string{"invalid-url", "wrong-namespace", "wrong-encoding"}

// TestValidatorSchema compares a Validator with xmllint and the official schemas. The documents are
// valid except for a few random edits.
func TestValidatorSchema(t *testing.T) {
	schemas := os.Getenv("SITEWALK_XSD")
	xmllint, err := exec.LookPath("xmllint")
	if schemas == "" || err != nil {
		t.Skip("SITEWALK_XSD names no folder of schemas, or xmllint is not installed")
	}
	rnd, dir := rand.New(rand.NewPCG(7, 8)), t.TempDir()
	docs := map[string][][]byte{}
	tried := testsite.Repeat(500, 3000)
	for i := range tried {
		schema := []string{"sitemap.xsd", "siteindex.xsd"}[i%2]
		docs[schema] = append(docs[schema], randomDocument(rnd, i%2 == 1))
	}
	valid := 0
	for schema, all := range docs {
		args := []string{"--nonet", "--noout", "--schema", filepath.Join(schemas, schema)}
		for i, doc := range all {
			name := filepath.Join(dir, fmt.Sprintf("%s-%04d.xml", schema, i))
			if err := os.WriteFile(name, doc, 0o644); err != nil {
				t.Fatal(err)
			}
			args = append(args, name)
		}
		out, _ := exec.Command(xmllint, args...).CombinedOutput()
		for i, doc := range all {
			is := bytes.Contains(out, []byte(args[4+i]+" validates"))
			if is {
				valid++
			}
			_, ps := validateAll(t, doc)
			i := slices.IndexFunc(ps, func(p Problem) bool {
				return !slices.Contains(protocolOnly, p.Code) && !strings.Contains(p.Message, "without a zone")
			})
			if is && i >= 0 {
				t.Errorf("the schema allows what %d:%d %s %q does not:\n%s", ps[i].Line, ps[i].Col, ps[i].Code, ps[i].Message, doc)
			}
			if !is && len(ps) == 0 {
				t.Errorf("the schema does not allow what is not reported:\n%s", doc)
			}
		}
	}
	if valid < tried/10 || valid > tried-tried/10 {
		t.Errorf("%d of %d documents are valid, which tries little", valid, tried)
	}
}

// TestSchemaDate contains times that package time accepts and the schema does not, such as 5:01:15.
func TestSchemaDate(t *testing.T) {
	for date, want := range map[string][2]bool{
		"2024-01-02T05:01:15Z": {true, true}, "2024-01-02T05:01:15": {true, false}, "2024-01-02": {true, true},
		"2024-01-02T5:01:15Z": {false, true}, "2024-01-02T5:01:15+01:00": {false, true}, "2024-01-02T5:01:15": {false, true},
		"2024-01-02T05:01:15,5Z": {false, true},
	} {
		if valid, zoned := checkSchemaDate(date); [2]bool{valid, zoned} != want {
			t.Errorf("%s: valid %t, zoned %t", date, valid, zoned)
		}
	}
}

// randomDocument returns a sitemap or an index with a few random mistakes.
func randomDocument(rnd *rand.Rand, index bool) []byte {
	root, entry := "urlset", "url"
	if index {
		root, entry = "sitemapindex", "sitemap"
	}
	pick := func(all ...string) string { return all[rnd.IntN(len(all))] }
	rare := func(usual string, others ...string) string {
		if rnd.IntN(12) > 0 {
			return usual
		}
		return pick(others...)
	}
	field := func(name, text string) string { return "<" + name + ">" + text + "</" + name + ">" }
	var b strings.Builder
	b.WriteString("<" + root + ` xmlns="` + Namespace + `"` + rare("", ` id="1"`, ` xmlns:x="urn:x"`) + ">\n")
	for range 1 + rnd.IntN(3) {
		loc := field("loc", rare("https://example.com/"+pick("", "a", "a?b&amp;c", "%C3%BC"), "http://a.io", "http://a.io/", "", " https://example.com/ ", "https://example.com/"+strings.Repeat("x", 2020+rnd.IntN(20)), "<b/>"))
		date := field("lastmod", pick(
			"2024-01-02", "2024-01-02T03:04:05Z", "2024-01-02T03:04:05.67+08:00", "2024-02-29", " 2024-01-02 ",
			rare("2024-01-02", "2024", "2024-01", "2024-01-02T03:04Z", "2023-02-29", "2024-01-02T03:04:05+0800", "2024-01-02 03:04:05", "", "2024-01-02Z", "2024-01-02+01:00",
				"2024-01-02T03:04:05", "2024-01-02T5:01:15Z", "2024-01-02T24:00:01Z", "2024-01-02T25:00:00Z", "2024-01-02T03:60:00Z", "02024-01-02", "0000-01-02",
				"2024-01-02T03:04:05+14:00", "2024-01-02T03:04:05+14:01", "2024-01-02T03:04:05.Z", "2024-1-2", "2024-01-02t03:04:05z", "20240102", "2024-00-10", "2024-01-00", "2024-01-02T23:59:60Z")))
		freq := field("changefreq", rare(pick("always", "hourly", "daily", "weekly", "monthly", "yearly", "never"), "Daily", " daily", "", "often"))
		prio := field("priority", rare(pick("0.0", "0.5", "1.0", "1", "0", ".5", "0.55", " 0.5 "), "1.1", "-0.1", "5e-1", "", "+0.5", "1.", "-0", "NaN", "0,5", "1.0000000001"))
		parts := []string{loc}
		for _, p := range []string{date, freq, prio} {
			if rnd.IntN(2) == 0 && (!index || p == date || rnd.IntN(15) == 0) {
				parts = append(parts, p)
			}
		}
		switch rnd.IntN(14) {
		case 0:
			rnd.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		case 1:
			parts = append(parts, parts[rnd.IntN(len(parts))])
		case 2:
			parts = parts[1:]
		case 3:
			parts = append(parts, pick("<rank>1</rank>", "text", "<!-- c -->", "<?p i?>", "\n", "<loc xmlns=\"\">x</loc>"))
		}
		fmt.Fprintf(&b, "<%s%s>%s</%[1]s>\n", rare(entry, "urls"), rare("", ` a="b"`), strings.Join(parts, rare("", " ", "\n")))
	}
	b.WriteString("</" + root + ">\n")
	return []byte(b.String())
}

// TestValidatorNamesTheURL checks that a message about a field contains the URL of the entry, if
// the loc comes before the field.
func TestValidatorNamesTheURL(t *testing.T) {
	doc := "<urlset xmlns=\"" + Namespace + "\"><url><loc>https://example.com/a</loc><priority>2</priority></url><url><priority>3</priority><loc>https://example.com/b</loc></url></urlset>"
	var got []string
	j := NewValidator(func(p Problem) {
		if p.Code == "bad-priority" {
			got = append(got, p.Message)
		}
	})
	if err := j.Validate(strings.NewReader(doc)); err != nil {
		t.Fatal(err)
	}
	want := []string{`priority "2" of https://example.com/a is not between 0.0 and 1.0`, `priority "3" is not between 0.0 and 1.0`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzValidator(f *testing.F) {
	f.Add([]byte(inSet("<url><loc>https://example.com/</loc></url>")))
	f.Add([]byte("https://example.com/\n"))
	f.Add([]byte("<rss><channel><item><link>https://example.com/</link></item></channel></rss>"))
	f.Fuzz(func(t *testing.T, src []byte) {
		j, ps := validateAll(t, src)
		if j.Bytes > int64(len(src)) {
			t.Errorf("%d of %d bytes", j.Bytes, len(src))
		}
		for _, p := range ps {
			if p.Line < 0 || p.Col < 0 || p.Code == "" || p.Message == "" {
				t.Errorf("%+v", p)
			}
		}
	})
}
