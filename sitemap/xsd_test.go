package sitemap

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// validate checks data against an official schema with xmllint. The repository does not contain the
// schemas. SITEWALK_XSD is a folder with them, and with an all.xsd that imports sitemap.xsd and the
// extensions.
func validate(t *testing.T, schema string, data []byte) {
	t.Helper()
	dir := os.Getenv("SITEWALK_XSD")
	if dir == "" {
		t.Skip("SITEWALK_XSD names no folder of schemas")
	}
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("xmllint is not installed")
	}
	cmd := exec.Command(xmllint, "--nonet", "--noout", "--schema", filepath.Join(dir, schema), "-")
	cmd.Stdin = bytes.NewReader(data)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %.2000s\nin %.4000s", err, out, data)
	}
}

// TestSchemaURLSet checks that random URLs are valid against the schemas after Check.
func TestSchemaURLSet(t *testing.T) {
	rnd := rand.New(rand.NewPCG(12, 13))
	var urls []URL
	for range 2000 {
		u := randomURL(rnd)
		u.Check(discard)
		urls = append(urls, u)
	}
	validate(t, "all.xsd", encode(urls))
}

func TestSchemaPlain(t *testing.T) {
	validate(t, "all.xsd", encode([]URL{{Loc: "https://example.com/"}}))
}

func TestSchemaIndex(t *testing.T) {
	children := []Entry{{URL: URL{Loc: "https://example.com/sitemap-a.xml"}}}
	rnd := rand.New(rand.NewPCG(14, 15))
	for range 500 {
		children = append(children, Entry{URL: URL{Loc: "https://example.com/sitemap-b.xml?a&b", LastMod: randomDate(rnd)}})
	}
	validate(t, "siteindex.xsd", encodeAs(FormatIndex, Frame{Stylesheet: "style.css?a&b", Comments: []string{"ours"}}, children...))
}

// TestSchemaVideo validates a URL with every element of the extensions.
func TestSchemaVideo(t *testing.T) {
	u := fullURL()
	u.Check(func(code, message, _ string) { t.Errorf("%s: %s", code, message) })
	validate(t, "all.xsd", encode([]URL{u}))
}
