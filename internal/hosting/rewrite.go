package hosting

import (
	"cmp"
	"io/fs"
	"net/http"
	"net/url"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
)

// A rewriter carries out the rules of mod_rewrite that .htaccess files have.
// https://httpd.apache.org/docs/2.4/mod/mod_rewrite.html
type rewriter struct {
	*Site
	publish fs.FS
	folders []*rewrites
}

// The rewrites of one .htaccess.
type rewrites struct {
	in      string // the path of its folder on the server, "" for the top
	engine  string // "on", "off"; "" where it does not say
	base    string // RewriteBase
	rules   []rewriteRule
	pending []rewriteCond // for the rule to come
}

// A rewriteRule is RewriteRule with the conditions before it.
type rewriteRule struct {
	pattern
	pos      diag.Pos
	text     string
	to       string
	status   int // of a redirect or an error; 0 rewrites within the server
	last     bool
	end      bool
	raw      bool // the target is not escaped
	whole    bool // not for what the server asks itself
	discards bool // DPI
	conds    []rewriteCond

	unknown bool // what it does, only the server knows
}

// redirects reports whether a rule is one for what is asked from outside alone.
func (r *rewriteRule) redirects() bool { return r.status >= 300 && r.status < 400 }

// A rewriteCond is RewriteCond.
type rewriteCond struct {
	test    string
	not, or bool
	kind    byte // 'f', 'd', '=', 'r' for an expression; 0 for what only a request can tell
	text    string
	pattern pattern
}

// A rewritten is what comes of a request.
type rewritten struct {
	Verdict              // where the answer is known
	path    string       // on the server, for which it asks itself elsewhere; "" where it does not
	rule    *rewriteRule // the last that changed the path
	end     bool

	tried *int // expressions so far
}

const (
	mostTried   = 200     // expressions that are tried on one address, in all rounds
	mostWritten = 8 << 10 // bytes of a path, or of what a condition looks at
)

// mostRewrites are as many rounds as Apache goes with one request.
// https://httpd.apache.org/docs/2.4/mod/core.html#limitinternalrecursion
const mostRewrites = 10

// rules returns the rules for a path on the server: those of the innermost folder with any.
func (w *rewriter) rules(path string) *rewrites {
	var inner *rewrites
	engine := ""
	for _, f := range w.folders { // outer ones come first
		if rest, in := strings.CutPrefix(path, f.in); !in || rest != "" && rest[0] != '/' {
			continue
		}
		inner, engine = f, cmp.Or(f.engine, engine)
	}
	if inner == nil || engine != "on" || path == inner.in && path != "" { // a folder without its slash is redirected first
		return nil
	}
	return inner
}

// style is how the site forms addresses, where the rules lead away from those with file names.
func (w *rewriter) style() (style mapping.Style) {
	const file, folder = "a-page-of-the-site.html", "a-page-of-the-site/index.html"
	if files := w.endings(file, mapping.FileName, mapping.Bare, mapping.Slashed); len(files) > 0 && files[0] != mapping.FileName {
		style.HTML = mapping.StripHTML
		if files[0] == mapping.Slashed {
			style.Slash = mapping.AddSlash
		}
	}
	if folders := w.endings(folder, mapping.Slashed, mapping.Bare); len(folders) > 0 && folders[0] == mapping.Bare {
		style.Slash = mapping.RemoveSlash
	}
	return style
}

// A rewriteRequest is a request under way.
type rewriteRequest struct {
	*rewriter
	request
	path   string    // on the server
	name   string    // what the rules have made of it
	local  bool      // name is a path of the folder whose rules these are
	made   rewritten // by the rules so far
	groups []string  // of the rule's pattern
	others []string  // of the condition that matched last
}

// run applies the rules to a path below the base; sub says that the server asks itself for
// the index file of a folder.
func (w *rewriter) run(path string, r request) rewritten {
	q := &rewriteRequest{rewriter: w, request: r, path: w.redirects.below + path, local: true}
	q.tried = cmp.Or(r.tried, new(int))
	q.name = q.path
	f, sub := w.rules(q.path), path != r.urlPath
	if f == nil || r.ended && !sub {
		return rewritten{}
	}
	for i := range f.rules {
		rule := &f.rules[i]
		if sub && (rule.whole || rule.redirects()) || !q.matches(rule, q.subject(f)) && *q.tried <= mostTried {
			continue
		}
		if q.apply(rule, f) {
			break
		}
	}
	return q.outcome(f)
}

// subject is what the next rule is tried on.
func (q *rewriteRequest) subject(f *rewrites) string {
	subject := q.name
	if q.made.rule != nil && !q.made.rule.discards { // what lay behind the file is added once more
		subject += q.path[len(q.filename()):]
	}
	if rest, in := strings.CutPrefix(subject, f.in+"/"); in && q.local {
		return rest
	}
	return subject
}

// apply carries out a rule that matches, and reports whether none comes after it.
func (q *rewriteRequest) apply(rule *rewriteRule, f *rewrites) (last bool) {
	switch {
	case rule.unknown || *q.tried > mostTried:
		q.made.Verdict = servesOther
		return true
	case rule.status >= 400:
		q.made.Verdict = Verdict{Pos: rule.pos, Text: rule.text, Status: rule.status}
		return true
	case rule.to != "-" && q.substitute(rule, f):
		return true
	case rule.last:
		q.made.end = rule.end
	}
	return rule.last
}

// substitute replaces the path by a rule's target, and reports whether the answer is
// known: the next rule would match against a whole address.
func (q *rewriteRequest) substitute(rule *rewriteRule, f *rewrites) (known bool) {
	to, ok := q.expand(rule.to)
	if !ok {
		q.made.Verdict = servesOther
		return true
	}
	if rest, own := strings.CutPrefix(to, q.origin.Origin()+"/"); own {
		to = "/" + rest
	}
	q.name, q.local = to, false
	if !strings.HasPrefix(q.name, "/") && !isAbsolute(q.name) {
		q.name, q.local = f.in+"/"+q.name, true
	}
	q.made = rewritten{rule: rule, tried: q.tried}
	if rule.status == 0 && !isAbsolute(q.name) {
		return false
	}
	q.made.Verdict = Verdict{Pos: rule.pos, Text: rule.text, Status: http.StatusNotFound}
	if !q.local || f.base != "" { // else Apache names the folder on its disk
		q.made.To, q.made.Status = escaped(f.based(q.name, q.local), rule.raw), cmp.Or(rule.status, http.StatusFound)
	}
	return true
}

// outcome is what came of the rules.
func (q *rewriteRequest) outcome(f *rewrites) rewritten {
	if q.made.Status != 0 || q.made.rule == nil {
		return q.made
	}
	name, _, _ := strings.Cut(q.name, "?")
	if q.local && name == q.path {
		return rewritten{}
	}
	q.made.path = f.based(name, q.local)
	return q.made
}

// based returns a path of the folder under RewriteBase.
func (f *rewrites) based(name string, local bool) string {
	if rest, in := strings.CutPrefix(name, f.in+"/"); in && local && f.base != "" {
		return strings.TrimSuffix(f.base, "/") + "/" + rest
	}
	return name
}

func isAbsolute(to string) bool {
	scheme, _, ok := strings.Cut(to, "://")
	return ok && !strings.ContainsAny(scheme, "/?")
}

// matches reports whether a rule is for a path, and sets what its target may name.
func (q *rewriteRequest) matches(rule *rewriteRule, subject string) bool {
	if !rule.not && !contains(subject, rule.texts) {
		return false
	}
	*q.tried++
	groups, ok := rule.match(subject)
	if !ok {
		return false
	}
	q.groups, q.others = groups, nil
	for i := 0; i < len(rule.conds); i++ {
		switch c := &rule.conds[i]; {
		case q.holds(c):
			for ; rule.conds[i].or && i+1 < len(rule.conds); i++ { // one of those that follow each other is enough
			}
		case !c.or:
			return false
		}
	}
	return true
}

// contains reports whether a path has the texts, in their order and in any case.
func contains(path string, texts []string) bool {
	path = folded(path)
	for _, text := range texts {
		_, rest, ok := strings.Cut(path, text)
		if !ok {
			return false
		}
		path = rest
	}
	return true
}

// holds reports whether a condition holds for each visitor who asks for the URL.
func (q *rewriteRequest) holds(c *rewriteCond) bool {
	text, ok := q.expand(c.test)
	if !ok || c.kind == 0 {
		return false
	}
	is := false
	switch c.kind {
	case 'f', 'd':
		file, below := strings.CutPrefix(strings.TrimPrefix(text, serverRoot), q.redirects.below+"/")
		if !below || q.publish == nil {
			return false
		}
		if is = c.kind == 'f' && q.exists(file); !is && c.kind == 'd' {
			file = strings.TrimSuffix(file, "/")
			is = file == "" || q.isFolder("/"+file)
		}
	case '=':
		is = text == c.text
	case 'r':
		*q.tried++
		values, found := c.pattern.match(text)
		if is = found; found && !c.not {
			q.others = values
		}
	}
	return is != c.not
}

// serverRoot stands for the folder that the server serves.
const serverRoot = "/\ue000"

// variable returns what a variable of the server is; ok is false where visitors differ.
func (q *rewriteRequest) variable(name string) (value string, ok bool) {
	host, port, _ := strings.Cut(q.origin.Host(), ":")
	scheme, _, known := strings.Cut(q.origin.String(), "://")
	switch name {
	case "REQUEST_URI":
		return q.path, true
	case "REQUEST_FILENAME", "SCRIPT_FILENAME":
		return serverRoot + q.filename(), true
	case "DOCUMENT_ROOT":
		return serverRoot, true
	case "QUERY_STRING":
		return "", true
	case "REQUEST_METHOD":
		return http.MethodGet, true
	case "THE_REQUEST":
		return "GET " + (&url.URL{Path: q.redirects.below + cmp.Or(q.asked, q.urlPath)}).EscapedPath() + " HTTP/1.1", true
	case "ENV:REDIRECT_STATUS":
		return map[bool]string{true: "200"}[q.hops > 0], true
	case "HTTP_HOST":
		return q.origin.Host(), known
	case "SERVER_NAME":
		return host, known
	case "REQUEST_SCHEME":
		return scheme, known
	case "HTTPS":
		return map[bool]string{true: "on", false: "off"}[scheme == "https"], known
	case "SERVER_PORT":
		return cmp.Or(port, map[string]string{"https": "443", "http": "80"}[scheme]), known
	}
	return "", false
}

// isFolder reports whether a path below the base is that of a folder on the disk.
func (w *rewriter) isFolder(urlPath string) bool {
	if w.publish == nil || len(urlPath) < 2 || strings.HasSuffix(urlPath, "/") {
		return false
	}
	info, err := fs.Stat(w.publish, urlPath[1:])
	return err == nil && info.IsDir()
}

// filename is the path up to the first name that is no folder.
func (q *rewriteRequest) filename() string {
	rest, below := strings.CutPrefix(q.path, q.redirects.below+"/")
	if !below || q.publish == nil || q.exists(rest) {
		return q.path
	}
	for i := range len(rest) {
		if rest[i] != '/' {
			continue
		}
		if !q.isFolder("/" + rest[:i]) {
			return q.redirects.below + "/" + rest[:i]
		}
	}
	return q.path
}

// expand fills a target or the subject of a condition.
func (q *rewriteRequest) expand(text string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		next := byte(0)
		if i+1 < len(text) {
			next = text[i+1]
		}
		switch c := text[i]; {
		case c == '\\' && next != 0:
			b.WriteByte(next)
			i++
		case (c == '$' || c == '%') && next >= '0' && next <= '9':
			values := q.groups
			if c == '%' {
				values = q.others
			}
			if n := int(next - '0'); n < len(values) {
				b.WriteString(values[n])
			}
			i++
		case c == '%' && next == '{':
			name, _, ok := strings.Cut(text[i+2:], "}")
			value, known := q.variable(name)
			if !ok || !known {
				return "", false
			}
			b.WriteString(value)
			i += len(name) + 2
		case c == '$' && next == '{': // of a map
			return "", false
		default:
			b.WriteByte(c)
		}
		if b.Len() > mostWritten {
			return "", false
		}
	}
	return b.String(), true
}

// escaped returns the target of a redirect as Apache sends it: its path is encoded,
// signs of percent too, unless the rule says otherwise.
func escaped(to string, raw bool) string {
	to = strings.TrimPrefix(to, serverRoot)
	if raw {
		return to
	}
	path, query, asks := strings.Cut(to, "?")
	head := ""
	if isAbsolute(path) {
		scheme, rest, _ := strings.Cut(path, "://")
		host, _, _ := strings.Cut(rest, "/")
		head, path = scheme+"://"+host, rest[len(host):]
	}
	to = head + escapePath(path)
	if asks && query != "" {
		to += "?" + escapePath(query)
	}
	return to
}

func escapePath(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// rewritten is what the server answers when it asks itself for another path.
func (s *Site) rewritten(to rewritten, r request) Verdict {
	urlPath, below := strings.CutPrefix(slashes.ReplaceAllString(to.path, "/"), s.redirects.below+"/")
	switch {
	case !below:
		return servesOther // another site on the server
	case r.hops == mostRewrites:
		return Verdict{Pos: to.rule.pos, Text: to.rule.text, Status: http.StatusInternalServerError}
	}
	next := newRequest("/"+urlPath, r.exists)
	next.tried, next.hops, next.ended, next.asked = to.tried, r.hops+1, to.end, cmp.Or(r.asked, r.urlPath)
	v := s.answer(next)
	if v.Status != http.StatusOK && v.To == "" {
		v.Pos, v.Text = to.rule.pos, to.rule.text
	}
	return v
}
