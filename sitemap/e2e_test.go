//go:build e2e

package sitemap

import (
	"os/exec"
	"strings"
	"testing"
)

// TestFeedsInAnotherParser parses both feeds with Ruby's rss library, which also validates them.
func TestFeedsInAnotherParser(t *testing.T) {
	const script = `require "rss"
ARGV.each do |feed|
  puts RSS::Parser.parse(feed, true).items.map { |i| i.link.respond_to?(:href) ? i.link.href : i.link }
end`
	rss, atom := encodeFeed(FormatRSS), encodeFeed(FormatAtom)
	out, err := exec.Command("ruby", "-e", script, rss, atom).CombinedOutput()
	want := strings.Repeat(feedEntries[0].Loc+"\n"+feedEntries[1].Loc+"\n", 2)
	if err != nil || string(out) != want {
		t.Errorf("%v: %s\nin %s\n%s", err, out, rss, atom)
	}
}
