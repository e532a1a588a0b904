package site

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// releaseName matches the name of a release: 1.2, v1.2.3, 2.x, 1.0.0-beta.2, 2.1rc1.
var releaseName = regexp.MustCompile(`^[vV]?(\d+)((?:[._](?:\d+|[xX]))*)(?:[-._+]?((?:a|b|c|rc|alpha|beta|pre|preview|dev|snapshot|m)[-._]?\d*(?:[-._+].*)?)|[-+][0-9A-Za-z.+-]+)?$`)

// movingNames are the names of versions that change with each build.
var movingNames = []string{
	"latest", "stable", "current", "dev", "devel", "develop", "development", "main", "master", "next", "nightly", "unstable", "canary", "edge", "trunk", "head",
}

// bareRelease returns the name of a release without words before it: release-0.9, rust-1.29.0. A
// point must follow, because page-2 and part-3 are no releases.
func bareRelease(name string) string {
	i := strings.IndexAny(name, "0123456789")
	if i > 0 && (name[i-1] == 'v' || name[i-1] == 'V') {
		i--
	}
	if i < 2 || name[i-1] != '-' || !strings.Contains(name[i:], ".") {
		return name
	}
	return name[i:]
}

// isRelease reports whether a folder has a name such as releases have: 1.2, v3, release-0.9.
func isRelease(name string) bool {
	if len(name) >= 40 {
		return false
	}
	name = bareRelease(name)
	m := releaseName.FindStringSubmatch(strings.ToLower(name))
	// A number and words, as 9-lives, is a title: behind words there is a point or a v.
	return m != nil && (m[2] != "" || m[3] != "" || len(m[0]) == len(m[1]) || m[0][0] == 'v' || isPlainNumber(name))
}

// isMoving reports whether a folder has a name such as latest or dev, whose content changes
// with each build.
func isMoving(name string) bool {
	return len(name) <= len("development") && slices.Contains(movingNames, strings.ToLower(name))
}

// isVersion reports whether a name is either. It is called for every folder of every path,
// so it looks at the first letters before it matches the expression.
func isVersion(name string) bool {
	if name == "" || len(name) > 40 {
		return false
	}
	digit := func(at int) bool { return at < len(name) && name[at] >= '0' && name[at] <= '9' }
	return (digit(0) || digit(1) || strings.Contains(name, ".")) && isRelease(name) || isMoving(name)
}

// isPlainNumber reports whether a name may as well be a year, a month or the number of a page.
func isPlainNumber(name string) bool {
	_, err := strconv.Atoi(strings.ReplaceAll(name, "-", ""))
	return err == nil
}

// isPrerelease reports whether a release is one before a release.
func isPrerelease(name string) bool {
	name = bareRelease(name)
	m := releaseName.FindStringSubmatch(strings.ToLower(name))
	return m == nil || m[3] != "" || strings.Contains(name, "-")
}

func releaseRank(name string) int {
	if isPrerelease(name) {
		return 0
	}
	return 1
}

// releaseNumbers are those of a release; an x stands for all.
func releaseNumbers(name string) (all []int) {
	m := releaseName.FindStringSubmatch(strings.ToLower(bareRelease(name)))
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
