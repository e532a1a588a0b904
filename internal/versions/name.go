// Package versions finds the versions of a documentation that lie beside each other in a
// site: v1.0, v1.1, latest. It decides by names, by which files they share and by manifests,
// and refuses to say which versions are listed.
package versions

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// released matches the name of a release: 1.2, v1.2.3, 2.x, 1.0.0-beta.2, 2.1rc1.
var released = regexp.MustCompile(`^[vV]?(\d+)((?:[._](?:\d+|[xX]))*)(?:[-._+]?((?:a|b|c|rc|alpha|beta|pre|preview|dev|snapshot|m)[-._]?\d*(?:[-._+].*)?)|[-+][0-9A-Za-z.+-]+)?$`)

// moving are the names of versions that change with each build.
var moving = []string{
	"latest", "stable", "current", "dev", "devel", "develop", "development", "main", "master", "next", "nightly", "unstable", "canary", "edge", "trunk", "head",
}

// bare returns the name of a release without words before it: release-0.9, rust-1.29.0. A
// point must follow, because page-2 and part-3 are no releases.
func bare(name string) string {
	i := strings.IndexAny(name, "0123456789")
	if i > 0 && (name[i-1] == 'v' || name[i-1] == 'V') {
		i--
	}
	if i < 2 || name[i-1] != '-' || !strings.Contains(name[i:], ".") {
		return name
	}
	return name[i:]
}

// IsRelease reports whether a folder has a name such as releases have: 1.2, v3, release-0.9.
func IsRelease(name string) bool {
	if len(name) >= 40 {
		return false
	}
	name = bare(name)
	m := released.FindStringSubmatch(strings.ToLower(name))
	// A number and words, as 9-lives, is a title: behind words there is a point or a v.
	return m != nil && (m[2] != "" || m[3] != "" || len(m[0]) == len(m[1]) || m[0][0] == 'v' || doubtful(name))
}

// IsMoving reports whether a folder has a name such as latest or dev, whose content changes
// with each build.
func IsMoving(name string) bool {
	return len(name) <= len("development") && slices.Contains(moving, strings.ToLower(name))
}

// isVersion reports whether a name is either. It is called for every folder of every path,
// so it looks at the first letters before it matches the expression.
func isVersion(name string) bool {
	if name == "" || len(name) > 40 {
		return false
	}
	digit := func(at int) bool { return at < len(name) && name[at] >= '0' && name[at] <= '9' }
	return (digit(0) || digit(1) || strings.Contains(name, ".")) && IsRelease(name) || IsMoving(name)
}

// doubtful reports whether a name may as well be a year, a month or the number of a page.
func doubtful(name string) bool {
	_, err := strconv.Atoi(strings.ReplaceAll(name, "-", ""))
	return err == nil
}

// IsPrerelease reports whether a release is one before a release.
func IsPrerelease(name string) bool {
	name = bare(name)
	m := released.FindStringSubmatch(strings.ToLower(name))
	return m == nil || m[3] != "" || strings.Contains(name, "-")
}

// Compare orders releases, the older one first.
func Compare(a, b string) int {
	x, y := numbers(a), numbers(b)
	return cmp.Or(slices.Compare(x, y), cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

func rank(name string) int {
	if IsPrerelease(name) {
		return 0
	}
	return 1
}

// numbers are those of a release; an x stands for all.
func numbers(name string) (all []int) {
	m := released.FindStringSubmatch(strings.ToLower(bare(name)))
	if m == nil {
		return nil
	}
	for part := range strings.FieldsFuncSeq(m[1]+m[2], func(r rune) bool { return r == '.' || r == '_' }) {
		n, err := strconv.Atoi(part)
		if err != nil {
			n = 1 << 30
		}
		all = append(all, n)
	}
	return all
}
