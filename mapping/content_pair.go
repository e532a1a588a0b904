package mapping

// PairKey returns what the name of an output file has in common with its other
// spellings: case, "a/index.html" and "a.html", composed and decomposed letters.
func PairKey(file string) string { return file }

// Pair joins the files of a built tree with the outputs of content files and
// returns, for each page, the index of its output, or -1. An empty output is
// none. Two candidates on either side are no pair.
func Pair(pages, outputs []string) []int32 {
	pairs := make([]int32, len(pages))
	for i := range pairs {
		pairs[i] = -1
	}
	return pairs
}
