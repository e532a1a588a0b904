package writer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	oneKey   = "0123456789abcdef0123456789abcdef"
	otherKey = "key-two--for-IndexNow"
)

func TestKeyFile(t *testing.T) {
	tests := map[string]struct {
		there    map[string]string
		keys     []string // of the runs, one after the other
		robots   bool
		sub      string // of the output below the publish directory
		want     string // files other than sitemaps, sorted: "NAME=CONTENT"
		wantFail string
	}{
		"written":                  {keys: []string{oneKey}, want: oneKey + ".txt=" + oneKey},
		"changed":                  {keys: []string{oneKey, otherKey}, want: oneKey + ".txt=" + oneKey + " " + otherKey + ".txt=" + otherKey},
		"taken back":               {keys: []string{oneKey, ""}, want: oneKey + ".txt=" + oneKey},
		"output in a folder":       {keys: []string{oneKey}, sub: "maps", want: oneKey + ".txt=" + oneKey},
		"somebody else's key":      {there: map[string]string{"aaaaaaaa.txt": "aaaaaaaa"}, keys: []string{oneKey, ""}, want: oneKey + ".txt=" + oneKey + " aaaaaaaa.txt=aaaaaaaa"},
		"with a line feed":         {there: map[string]string{oneKey + ".txt": oneKey + "\n"}, keys: []string{oneKey, ""}, want: oneKey + ".txt=" + oneKey + "\n"},
		"another text of the name": {there: map[string]string{oneKey + ".txt": "mine"}, keys: []string{oneKey}, want: oneKey + ".txt=mine", wantFail: "in the way"},
		"too short":                {keys: []string{"0123456"}, wantFail: "no key"},
		"out of the folder":        {keys: []string{"../../../etc"}, wantFail: "no key"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tt.there {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			o := Options{Dir: filepath.Join(dir, tt.sub), Publish: dir, Base: base}
			var failed error
			for _, o.IndexNowKey = range tt.keys {
				if _, err := Write(t.Context(), site("", "a"), o); err != nil {
					failed = err
				}
			}
			if tt.wantFail == "" && failed != nil || tt.wantFail != "" && (failed == nil || !strings.Contains(failed.Error(), tt.wantFail)) {
				t.Errorf("error %v, want %q", failed, tt.wantFail)
			}
			var got []string
			for _, e := range must(os.ReadDir(dir)) {
				if strings.HasSuffix(e.Name(), ".txt") {
					got = append(got, e.Name()+"="+string(must(os.ReadFile(filepath.Join(dir, e.Name())))))
				}
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("there is %q, want %q", s, tt.want)
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
