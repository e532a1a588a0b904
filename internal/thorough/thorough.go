// Package thorough says how much a test has to try, and where.
//
// It refuses to be asked whether a test runs at all: what is tried is the same,
// only how often, or how large.
package thorough

import (
	"flag"
	"os"
)

// Or returns few, with which a test proves its point in moments, so that the
// suite is run often; or many, where SITEWALK_THOROUGH is set, as .ci/run sets it.
func Or(few, many int) int {
	if os.Getenv("SITEWALK_THOROUGH") != "" {
		return many
	}
	return few
}

// Fuzzing reports whether this run looks for new inputs. Seeds that a test of its own
// tries by name are needed only then.
func Fuzzing() bool {
	f := flag.Lookup("test.fuzz")
	return f != nil && f.Value.String() != ""
}
