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
// the pages of the other statuses (500.html, 50x.html), and a fallback 200.html in any
// folder. templates/404/index.html is a page about such pages.
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
	if stem == "404" || stem == "200" {
		return true
	}
	return statusName.MatchString(stem) && isErrorDir(dir)
}

var (
	statusName  = regexp.MustCompile(`^(?i:40[0-9x]|4xx|410|429|451|50[0-9x]|5xx)$`)
	languageDir = regexp.MustCompile(`^[A-Za-z]{2}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?$`)
)

// errorName is what the page for addresses that do not exist is called where its name is
// no status; errorTitle is what the title of such a page says.
var (
	errorName  = regexp.MustCompile(`(?i)(^|/)(404[-_ ]?(error|page|not[-_ ]?found)?|errors?|error[-_ ]?(404|page)|(page[-_ ]?)?not[-_ ]?found)(\.x?html?|/index\.x?html?)$`)
	errorTitle = regexp.MustCompile(`(?i)<title[^>]*>[^<]*(\b404\b|not\s+found|nicht\s+gefunden|introuvable|no\s+encontrad|non\s+trovat|niet\s+gevonden|não\s+encontrad|не\s+найден|找不到|見つかりません)`)
)

// IsErrorTitled reports whether a file is called as the page for addresses that do not
// exist often is, as not-found/index.html, and its title says that it is. head is what the
// file begins with.
func IsErrorTitled(file string, head []byte) bool {
	may := strings.Contains(file, "404") || strings.Contains(file, "rror") || strings.Contains(file, "ound")
	return may && errorName.MatchString(file) && errorTitle.Match(head)
}

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
	{"y_key_", regexp.MustCompile(`^y_key_([0-9a-f]{8,})\.html$`), ""},
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
	return len(name) == len("0123456789abcdefghijklmnopqrst.html") && facebookFile.MatchString(name) && facebookToken.Match(head)
}

// Facebook's file is called as one token, and holds another.
// https://developers.facebook.com/docs/sharing/domain-verification/verifying-your-domain
var (
	facebookFile  = regexp.MustCompile(`^[a-z0-9]{30}\.html$`)
	facebookToken = regexp.MustCompile(`^[a-z0-9]{20,64}\s*$`)
)
