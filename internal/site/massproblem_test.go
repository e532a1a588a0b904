package site

import (
	"slices"
	"testing"

	"github.com/sitewalk/sitewalk/page"
)

// TestMassProblemHints requires a decision about each reason: either one mistake can give it to many
// pages, and massProblemHints contains advice, or it is in one of these lists.
func TestMassProblemHints(t *testing.T) {
	countedWithoutHint := []page.Reason{page.Listed, page.Canonical, page.Duplicate}
	forSinglePages := []page.Reason{
		page.Excluded, page.Unlisted, page.NotHTML, page.Fragment, page.InvalidURL, page.OutOfScope, page.ErrorPage, page.Verification, page.Tool,
		page.ByRule, page.OptedOut, page.Draft, page.Scheduled, page.Expired, page.NotRendered, page.Version,
	}
	listed := append(countedWithoutHint, forSinglePages...)
	for i, hint := range massProblemHints {
		if reason := page.Reason(i); (hint != "") == slices.Contains(listed, reason) {
			t.Errorf("reason %s: add advice to massProblemHints, or add the reason to a list of this test, but not both", reason)
		}
	}
}
