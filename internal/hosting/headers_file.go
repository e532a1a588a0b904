package hosting

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// A headersFileFormat describes how a host parses the file _headers in the publish directory. The
// file is a list of paths. The headers for a path are on the lines below the path.
type headersFileFormat struct {
	compile  func(*loader, string) (p pattern, applies bool, err error) // compiles a path or URL; applies is false if it is for another host
	unsets   bool                                                       // "! Name" removes the header that earlier paths set
	replaces bool                                                       // a repeated path replaces the earlier path
	maxPaths int                                                        // maximum number of paths that are read
}

// A headerBlock is a path in _headers, with the values of X-Robots-Tag on the lines below the
// path.
type headerBlock struct {
	path    string
	pattern pattern
	applies bool     // the path is valid, and not for another host
	pos     diag.Pos // position of the last value with noindex, or else of the first value, or else of the path
	unset   bool     // remove the X-Robots-Tag that earlier paths set
	values  []string // values of X-Robots-Tag
}

// headerPath matches the beginning of a line that is a path or a URL.
var headerPath = regexp.MustCompile(`^(\S+://|/)`)

// readHeadersFile reads _headers. It adds a rule for each path that sets X-Robots-Tag, and a rule
// for each path that removes it. It ignores paths for other hosts. It joins several values for one
// path: "noindex, nofollow".
func (l *loader) readHeadersFile(format headersFileFormat) {
	f, _ := l.openInPublish("_headers")
	var all []headerBlock
	paths := 0
	for pos, line := range l.ruleLines(f, maxRules) {
		var err error
		if headerPath.MatchString(line) {
			if paths++; paths > format.maxPaths {
				l.reportBadRule(pos, line, fmt.Sprintf("only the first %d rules count", format.maxPaths))
				break
			}
			b := headerBlock{path: line, pos: pos}
			b.pattern, b.applies, err = format.compile(l, line)
			if format.replaces {
				all = slices.DeleteFunc(all, func(other headerBlock) bool { return other.path == line })
			}
			all = append(all, b)
		} else {
			err = format.addHeaderLine(all, pos, line)
		}
		if err != nil {
			l.reportBadRule(pos, line, err)
		}
	}
	for _, b := range all {
		if b.applies && b.unset {
			l.host.headers.add(b.pattern, rule{pos: b.pos, removesEarlier: true})
		}
		if b.applies && b.values != nil {
			l.host.headers.add(b.pattern, rule{pos: b.pos, tag: strings.Join(b.values, ", ")})
		}
	}
}

// addHeaderLine adds line to the last element of all, the path above the line. The line is "Name:
// value", or "! Name" to remove a header that earlier paths set. addHeaderLine ignores headers
// other than X-Robots-Tag. It returns an error if the line is invalid, or if all is empty.
func (format *headersFileFormat) addHeaderLine(all []headerBlock, pos diag.Pos, line string) error {
	name, value, ok := strings.Cut(line, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	unset, isUnset := strings.CutPrefix(name, "! ")
	isUnset = isUnset && format.unsets && !ok
	switch {
	case !ok && !isUnset:
		return errors.New("it is neither a path nor a header; write \"Name: value\"")
	case !isUnset && (name == "" || strings.Contains(name, " ")):
		return errors.New("a header needs a name without spaces")
	case !isUnset && value == "":
		return errors.New("it has no header value")
	case len(all) == 0:
		return errors.New("no path precedes it")
	}
	b := &all[len(all)-1]
	switch {
	case isUnset:
		b.unset = b.unset || strings.EqualFold(strings.TrimSpace(unset), robotsHeader)
	case strings.EqualFold(name, robotsHeader):
		if b.values == nil || hasNoIndex(value) {
			b.pos = pos
		}
		b.values = append(b.values, value)
	}
	return nil
}
