package gensite

import "strings"

// Faults are the codes of findings that every page of a site may have, and where
// several mistakes have one, which it is. Those of the content tree are about the
// front matter.
var Faults = map[string]fault{
	"alternate-elsewhere": {head: `<link rel="alternate" hreflang="de" href="https://example.de/LOC">`},
	"alternate-missing":   {head: `<link rel="alternate" hreflang="de" href="/de/LOC">`},
	"alternate-one-way":   {head: `<link rel="alternate" hreflang="de" href="/">`},
	"alternate-out":       {head: `<link rel="alternate" hreflang="de" href="/404.html">`},
	"bad-alternate":       {head: `<link rel="alternate" hreflang="german" href="/LOC">`},
	"bad-canonical":       {canonical: "file:///srv/site/LOC"},
	"bad-date":            {head: `<meta property="article:modified_time" content="yesterday">`, front: "expiryDate: tomorrow\n"},
	"bad-syntax":          {front: "tags: [one\n"},
	"bad-syntax-alias":    {front: "files: *.pdf\n"},
	"bad-syntax-indent":   {front: "tags:\n  - one\n - two\n"},
	"bad-syntax-tab":      {front: "menu:\n\tmain: one\n"},
	"canonical-ignored":   {canonical: "/missing/"},
	"doubtful-date":       {head: `<meta property="article:modified_time" content="2999-01-01">`, front: "lastmod: 2999-01-01\n"},
	"two-canonicals":      {head: `<link rel="canonical" href="/">`},
	"wrong-type":          {front: "draft: [no]\n"},
}

// A fault is what stands in a page, where LOC is the path of its URL.
type fault struct {
	head      string // a line before those that are right
	canonical string // in place of the right one
	front     string // lines of the front matter
}

func (f fault) in(p Page, text string) string { return strings.ReplaceAll(text, "LOC", p.loc) }
