package sitemap

// A YesNo answers a question of a video. The zero YesNo says nothing.
type YesNo uint8

// The answers.
const (
	Yes YesNo = 1 + iota
	No
)

// String returns "yes", "no" or "".
func (y YesNo) String() string { return answers[y] }

var answers = []string{"", "yes", "no"}
