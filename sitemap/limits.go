package sitemap

// The limits of the protocol and of its extensions. Sizes are bytes before
// compression.
const (
	MaxURLs         = 50000    // entries of one sitemap
	MaxChildren     = 50000    // entries of one index
	MaxLoc          = 2047     // characters of a loc: "less than 2,048"
	DefaultMaxBytes = 10485760 // the limit until November 2016; valid under both
	MaxBytes        = 52428800 // the limit since
	MaxImages       = 1000     // images of one URL
	MaxNews         = 1000     // news entries of one sitemap
	MaxTags         = 32       // tags of one video
	MaxAlternates   = 1000     // ours: no page exists in more languages
)
