package page

import "testing"

func TestIsErrorPage(t *testing.T) {
	for file, want := range map[string]bool{
		"404.html": true, "de/404.html": true, "docs/v1/404.html": true, "404.htm": true, "404/index.html": true,
		"zh-Hans-CN/404/index.html": true, "500.html": true, "pt-BR/500.html": true, "50x.html": true, "403.html": true,
		"errors/503.html": true, "200.html": true, "429.html": true,
		"templates/404/index.html": false, "posts/404-explained.html": false, "404.md": false, "404": false,
		"posts/500.html": false, "posts/200.html": true, "1404.html": false, "index.html": false, "400/a.html": false,
		"499.html": false, "2024.html": false, "posts/404/index.html": false, "": false, "404.html.gz": false,
	} {
		if got := IsErrorPage(file); got != want {
			t.Errorf("%q: %v", file, got)
		}
	}
}

func TestIsErrorTitled(t *testing.T) {
	for file, want := range map[string]bool{
		"404_not_found/index.html": true, "not-found/index.html": true, "not-found.html": true, "error/index.html": true, "error.htm": true,
		"de/notfound.html": true, "page-not-found/index.html": true, "404-page.html": true, "Error404.html": true,
		"errors-in-go/index.html": false, "posts/found/index.html": false, "terror.html": false, "not-found/other.html": false,
	} {
		for title, says := range map[string]bool{"404": true, "Page not found | Lakes": true, "Seite nicht\ngefunden": true, "Errors in Go": false, "Area 4040": false} {
			if got := IsErrorTitled(file, []byte("<!doctype html><title>"+title+"</title>")); got != (want && says) {
				t.Errorf("%s, %q: %v", file, title, got)
			}
		}
	}
}

func TestIsVerification(t *testing.T) {
	for _, c := range []struct {
		file, head string
		want       bool
	}{
		{"google1234567890abcdef.html", "google-site-verification: google1234567890abcdef.html", true},
		{"docs/google1234567890abcdef.html", "google-site-verification: google1234567890abcdef.html\n", true},
		{"google1234567890abcdef.html", "google-site-verification: google0000567890abcdef.html", false},
		{"google1234567890abcdef.html", "<html><title>A page</title>", false},
		{"google-maps.html", "google-site-verification: google-maps.html", false},
		{"yandex_1234567890abcdef.html", "<html>\n<body>Verification: 1234567890abcdef</body>\n</html>", true},
		{"yandex_1234567890abcdef.html", "<html>\n<body>Hello</body>\n</html>", false},
		{"naver0123456789abcdef0123456789abcdef.html", "naver-site-verification: naver0123456789abcdef0123456789abcdef.html", true},
		{"baidu_verify_codeva-AbCd1234.html", "AbCd1234", true},
		{"pinterest-a1b2c.html", "<html>pinterest-a1b2c</html>", true},
		{"y_key_0123456789abcdef.html", "x", true},
		{"abcdefghij0123456789abcdefghij.html", "k3j4h5g6f7d8s9a0k3j4h5g6f7d8s9\n", true},
		{"abcdefghij0123456789abcdefghij.html", "<!doctype html><title>A hash</title>", false},
		{"index.html", "google-site-verification: google1234567890abcdef.html", false},
		{"", "", false},
	} {
		if got := IsVerification(c.file, []byte(c.head)); got != c.want {
			t.Errorf("%s %q: %v", c.file, c.head, got)
		}
	}
}
