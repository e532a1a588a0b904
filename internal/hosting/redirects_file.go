package hosting

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A redirectsFileFormat describes how a host parses its redirects file, such as _redirects. A line
// of the file is "from [query] [to] [status[!]] [conditions]".
type redirectsFileFormat struct {
	status      int                            // default status: 301
	statuses    []int                          // allowed statuses; nil allows all
	force       bool                           // every rule takes precedence over files
	comments    bool                           // a "#" begins a comment after a rule
	noQuery     bool                           // a line is "from to [status[!]]"
	rejectsFile bool                           // the host ignores all rules if it cannot parse one line
	add         func(*loader, *lineRule) error // adds a rule to l.host, or returns why the host rejects the rule
	maxBytes    int                            // maximum size of the file; 0 means no limit of the host
	maxRules    int                            // maximum number of rules that are read
}

// A lineRule is a line of a redirects file, or an item of "redirects" in netlify.toml.
type lineRule struct {
	rule
	from       string   // path or URL that the rule is for
	hasQuery   bool     // the rule applies only to URLs with a query, which pages do not have
	conditions []string // names of other conditions: "Country"
}

// readRedirectsFile reads the redirects file called name in the publish directory, and adds its
// rules to l.host. It reports and ignores a file that is larger than format.maxBytes. If
// format.rejectsFile is true and a line cannot be parsed, it discards all rules of the file.
func (l *loader) readRedirectsFile(name string, format redirectsFileFormat) {
	f, ok := l.openInPublish(name)
	if !ok {
		return
	}
	if format.maxBytes > 0 && len(f.src) > format.maxBytes {
		l.diags.Warnf(f.pos(0), "oversized", "shorten the file", "it has %d bytes; the host ignores a file of more than %d", len(f.src), format.maxBytes)
		return
	}
	for pos, line := range l.ruleLines(f, format.maxRules) {
		r, readable, err := format.parseLine(line)
		r.pos, r.text = pos, line
		if format.rejectsFile && !readable {
			l.host.redirects = ruleList{}
			l.diags.Warnf(pos, "bad-host-rule", "correct the line, or remove it",
				"rule %q is not valid, so the host ignores all rules of the file: %v", truncate(line), err).Subject = line
			return
		}
		if err == nil {
			err = format.add(l, &r)
		}
		if err != nil {
			l.reportBadRule(pos, line, err)
		}
	}
}

// parseLine parses a line of the file. readable is false if the line has fewer than two words
// before a comment, or an invalid status; err is then the reason. If readable is true and err is
// not nil, the host ignores only this line.
func (format *redirectsFileFormat) parseLine(line string) (r lineRule, readable bool, err error) {
	words := strings.Fields(line)
	if i := slices.IndexFunc(words, func(w string) bool { return w[0] == '#' }); i >= 0 && format.comments {
		words = words[:i]
	}
	r.status, r.force = format.status, format.force
	if len(words) < 2 {
		return r, false, errors.New("it has no target; write the path, then a path or a URL")
	}
	r.from, words = words[0], words[1:]
	if _, _, ok := parseStatus(words[0]); !ok || format.noQuery {
		i := slices.IndexFunc(words, isTarget)
		if format.noQuery {
			i = 0
		}
		if i < 0 {
			return r, true, errors.New("the target must be a path, or a URL with http or https")
		}
		r.hasQuery, r.to, words = i > 0, words[i], words[i+1:]
	}
	if len(words) > 0 {
		code, force, ok := parseStatus(words[0])
		if !ok || format.noQuery && strings.Trim(words[0], "0123456789!") != "" {
			return r, false, fmt.Errorf("%q is not a status", words[0])
		}
		r.status, r.force, words = code, force || format.force, words[1:]
	}
	if format.statuses != nil && !slices.Contains(format.statuses, r.status) {
		statuses := strings.ReplaceAll(strings.Trim(fmt.Sprint(format.statuses), "[]"), " ", ", ")
		return r, true, fmt.Errorf("the status must be one of %s, not %d", statuses, r.status)
	}
	for _, w := range words {
		name, _, _ := strings.Cut(w, "=")
		r.conditions = append(r.conditions, name)
	}
	return r, true, nil
}

// isTarget reports whether w begins like a path or like an http or https URL.
func isTarget(w string) bool {
	return w[0] == '/' || strings.HasPrefix(w, "http:") || strings.HasPrefix(w, "https:")
}

// parseStatus parses a status such as "301" or "301!". force reports whether w ends in "!". Like
// the hosts, parseStatus ignores other text after the digits. ok is false if w does not begin with
// a number.
func parseStatus(w string) (code int, force, ok bool) {
	code, err := strconv.Atoi(w[:len(w)-len(strings.TrimLeft(w, "0123456789"))])
	return code, strings.HasSuffix(w, "!"), err == nil
}

// splitRuleAddress splits s, the source or target of a rule, into scheme, host and path. s must be
// an http or https URL or a path with a leading slash; otherwise err is not nil. For a path,
// scheme and host are "".
func splitRuleAddress(s string) (scheme, host, path string, err error) {
	if strings.HasPrefix(s, "/") {
		return "", "", s, nil
	}
	scheme, rest, _ := strings.Cut(s, "://")
	if scheme != "http" && scheme != "https" {
		return "", "", "", fmt.Errorf("%q is neither a path nor a URL; write a slash before it", s)
	}
	host, path, _ = strings.Cut(rest, "/")
	return scheme, host, "/" + path, nil
}
