package mapping

import (
	"testing"
)

func TestEndings(t *testing.T) {
	tests := []struct {
		file, urlPath string
		want          Ending
	}{
		{"a.html", "/a.html", FileName},
		{"a.html", "/a", Bare},
		{"a.html", "/a/", Slashed},
		{"a.html", "/b", NoEnding},
		{"a.html", "/A.html", NoEnding},
		{"a/index.html", "/a/index.html", FileName},
		{"a/index.html", "/a", Bare},
		{"a/index.html", "/a/", Slashed},
		{"index.html", "/", Slashed},
		{"index.html", "/index.html", FileName},
		{"a.htm", "/a.htm", FileName},
		{"a.htm", "/a", NoEnding},
		{".html", "/.html", FileName},
		{"x.html/index.html", "/x.html", Bare},
	}
	for _, tt := range tests {
		if got := EndingOf(tt.file, tt.urlPath); got != tt.want {
			t.Errorf("%s at %s: %d, want %d", tt.file, tt.urlPath, got, tt.want)
		}
		if tt.want == NoEnding {
			continue
		}
		if got := tt.want.Style().URLPath(tt.file); got != tt.urlPath {
			t.Errorf("%s with ending %d is %s, want %s", tt.file, tt.want, got, tt.urlPath)
		}
		if got := tt.want.Style().Ending(tt.file); got != tt.want {
			t.Errorf("%s in the style of ending %d has %d", tt.file, tt.want, got)
		}
	}
}
