package site

import (
	"testing"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/page"
)

// remembered builds the sites one after another, each with the ledger of the build before. It
// returns the ledger's date for a page of the last site.
func remembered(t *testing.T, path string, sites ...map[string]string) string {
	t.Helper()
	memory := &ledger.Ledger{}
	for _, pages := range sites {
		o := Options{Options: facts.Options{Page: page.Options{ContentHash: true}}, LastMod: []string{"ledger"}, Ledger: memory}
		_, r := build(t, o, pages, nil)
		memory = r.Ledger
	}
	date, _ := memory.Date(path)
	return date.String()
}

// TestFingerprintIgnoresOwnCanonical checks that the fingerprint does not contain the canonical
// link of a page to itself. A page that only moves therefore does not count as changed.
func TestFingerprintIgnoresOwnCanonical(t *testing.T) {
	before := map[string]string{"a/index.html": canonical("https://example.com/a/"), "index.html": plain}
	after := map[string]string{"b/index.html": canonical("https://example.com/b/"), "index.html": plain}
	if got := remembered(t, "/b/", before, after); got != "" {
		t.Errorf("a page that moved is dated %s", got)
	}
}

func TestFingerprintIncludesOtherCanonical(t *testing.T) {
	self := map[string]string{"a/index.html": canonical("https://example.com/a/")}
	none := map[string]string{"a/index.html": canonical("https://example.com/nothing/there/")}
	other := map[string]string{"a/index.html": canonical("https://example.com/nothing/here/")}
	for name, after := range map[string]map[string]string{"from its own": none, "from another": other} {
		before := self
		if name == "from another" {
			before = none
		}
		if got := remembered(t, "/a/", before, after); got != "2026-01-01" {
			t.Errorf("%s: dated %q", name, got)
		}
	}
	if got := remembered(t, "/a/", none, none); got != "" {
		t.Errorf("unchanged, and dated %s", got)
	}
}

// TestLedgerKeyIsListedURL checks that the key of a page in the ledger is its listed URL, even if
// the canonical link spells it differently from the file name.
func TestLedgerKeyIsListedURL(t *testing.T) {
	before := map[string]string{"a/index.html": canonical("https://example.com/a")}
	after := map[string]string{"a/index.html": canonical("https://example.com/a") + "<p>new"}
	if got := remembered(t, "/a", before, after); got != "2026-01-01" {
		t.Errorf("/a is dated %q", got)
	}
}
