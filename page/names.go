package page

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
)

// IsErrorPage reports whether a host serves file, a slash-separated path, for
// addresses that do not exist or that it cannot serve: 404.html in any folder,
// 404/index.html, and at the root, in a language's folder or in one for errors
// the pages of the other statuses (500.html, 50x.html) and a fallback 200.html
// at the root. templates/404/index.html is a page about such pages.
func IsErrorPage(file string) bool {
	dir, name := path.Split(file)
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	if !slices.Contains([]string{".html", ".htm", ".xhtml"}, strings.ToLower(ext)) {
		return false
	}
	dir = strings.Trim(dir, "/")
	if strings.EqualFold(stem, "index") {
		dir, stem = path.Split(dir)
		dir = strings.TrimSuffix(dir, "/")
		return stem == "404" && isErrorDir(dir)
	}
	switch {
	case stem == "404":
		return true
	case stem == "200":
		return dir == ""
	}
	return statusName.MatchString(stem) && isErrorDir(dir)
}

var (
	statusName  = regexp.MustCompile(`^(?i:40[0-9x]|4xx|410|429|451|50[0-9x]|5xx)$`)
	languageDir = regexp.MustCompile(`^[A-Za-z]{2}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?$`)
)

func isErrorDir(dir string) bool {
	return dir == "" || languageDir.MatchString(dir) || strings.HasSuffix("/"+dir, "/errors") || strings.HasSuffix("/"+dir, "/error")
}

// verifications are the files by which search engines and their like let an
// owner prove that a site is theirs: a name, and what the file then holds,
// where $1 is the name's variable part.
var verifications = []struct {
	prefix string
	name   *regexp.Regexp
	holds  string
}{
	{"google", regexp.MustCompile(`^google([0-9a-z]{8,})\.html$`), "google-site-verification: google$1.html"},
	{"yandex_", regexp.MustCompile(`^yandex_([0-9a-f]{8,})\.html$`), "Verification: $1"},
	{"naver", regexp.MustCompile(`^naver([0-9a-f]{16,})\.html$`), "naver-site-verification: naver$1.html"},
	{"baidu_verify_", regexp.MustCompile(`^baidu_verify_(?:code(?:va)?-)?([0-9A-Za-z]+)\.html$`), "$1"},
	{"pinterest-", regexp.MustCompile(`^pinterest-([0-9a-z]+)\.html$`), "$1"},
	{"seznam-wmt-", regexp.MustCompile(`^seznam-wmt-([0-9A-Za-z]+)\.html$`), "seznam-wmt-$1"},
	{"mailru-verification", regexp.MustCompile(`^mailru-verification([0-9a-f]+)\.html$`), "mailru-verification: $1"},
}

// maxVerification is more than a verification file ever holds.
const maxVerification = 2 << 10

// IsVerification reports whether file, a slash-separated path, proves to a
// search engine who owns the site. The name alone is not enough: head, the
// file's first bytes, must hold what the engine asks for.
func IsVerification(file string, head []byte) bool {
	name := file[strings.LastIndexByte(file, '/')+1:]
	for _, v := range verifications {
		if !strings.HasPrefix(name, v.prefix) {
			continue
		}
		m := v.name.FindStringSubmatch(name)
		return m != nil && len(head) <= maxVerification &&
			bytes.Contains(head, []byte(strings.ReplaceAll(v.holds, "$1", m[1])))
	}
	return false
}
