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

func TestWriteKeyFile(t *testing.T) {
	tests := map[string]struct {
		existing map[string]string
		keys     []string // IndexNowKey of the successive runs
		robots   bool
		sub      string // output folder below the publish directory
		want     string // files other than sitemaps, sorted: "NAME=CONTENT"
		wantErr  string
	}{
		"new key":                  {keys: []string{oneKey}, want: oneKey + ".txt=" + oneKey},
		"changed key":              {keys: []string{oneKey, otherKey}, want: oneKey + ".txt=" + oneKey + " " + otherKey + ".txt=" + otherKey},
		"removed key":              {keys: []string{oneKey, ""}, want: oneKey + ".txt=" + oneKey},
		"output in folder":         {keys: []string{oneKey}, sub: "maps", want: oneKey + ".txt=" + oneKey},
		"key of another program":   {existing: map[string]string{"aaaaaaaa.txt": "aaaaaaaa"}, keys: []string{oneKey, ""}, want: oneKey + ".txt=" + oneKey + " aaaaaaaa.txt=aaaaaaaa"},
		"key with line feed":       {existing: map[string]string{oneKey + ".txt": oneKey + "\n"}, keys: []string{oneKey, ""}, want: oneKey + ".txt=" + oneKey + "\n"},
		"other file with the name": {existing: map[string]string{oneKey + ".txt": "mine"}, keys: []string{oneKey}, want: oneKey + ".txt=mine", wantErr: "in the way"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tt.existing {
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
			if tt.wantErr == "" && failed != nil || tt.wantErr != "" && (failed == nil || !strings.Contains(failed.Error(), tt.wantErr)) {
				t.Errorf("got error %v, want %q", failed, tt.wantErr)
			}
			var got []string
			for _, e := range must(os.ReadDir(dir)) {
				if strings.HasSuffix(e.Name(), ".txt") {
					got = append(got, e.Name()+"="+string(must(os.ReadFile(filepath.Join(dir, e.Name())))))
				}
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got files %q, want %q", s, tt.want)
			}
		})
	}
}

// must returns v, and panics if err is not nil.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
