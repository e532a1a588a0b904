package audit

import "testing"

func TestLanguageAndVersionFolders(t *testing.T) {
	tests := map[string]string{
		"a.html":            "",
		"de/a.html":         "de/",
		"pt-BR/docs/a.html": "pt-BR/",
		"v2/a.html":         "/v2/",
		"docs/1.4/a.html":   "/1.4/",
		"de/v2/a.html":      "de//v2/",
		"en/latest/a.html":  "en//latest/",
		"docs/de/a.html":    "",

		"docs/release-1/a.html":    "/release-1/",
		"pre-release/a.html":       "/pre-release/",
		"2024/a.html":              "",
		"3.16-announcement/a.html": "",
	}
	for file, want := range tests {
		if got := languageAndVersionFolders(file); got != want {
			t.Errorf("languageAndVersionFolders(%q) = %q, want %q", file, got, want)
		}
	}
}
