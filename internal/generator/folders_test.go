package generator

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestDetectFoldersFindsClientFolder checks that DetectFolders finds a site that a JavaScript
// framework writes below a usual publish directory, and that it ignores other folders there.
func TestDetectFoldersFindsClientFolder(t *testing.T) {
	for _, test := range []struct {
		name, files, want string
	}{
		{"react router", "build/client/index.html build/client/a/index.html build/server/index.js", "build/client"},
		{"tanstack start", "dist/client/index.html dist/server/server.js", "dist/client"},
		{"angular", "dist/shop/browser/index.html dist/shop/3rdpartylicenses.txt dist/shop/server/index.server.html", "dist/shop/browser"},
		{"angular without a name", "dist/browser/index.html", "dist/browser"},
		{"two applications", "dist/a/browser/index.html dist/b/browser/index.html", "dist"},
		{"home page above", "dist/index.html dist/client/index.html", "dist"},
		{"page above", "dist/404.html dist/client/index.html", "dist"},
		{"pages beside", "dist/client/index.html dist/server/index.html dist/docs/a.html", "dist"},
		{"no home page", "dist/client/a.html", "dist"},
		{"another folder name", "dist/docs/index.html", "dist"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fsys := fstest.MapFS{}
			for name := range strings.FieldsSeq(test.files) {
				fsys[name] = &fstest.MapFile{}
			}
			all := DetectFolders(fsys)
			if len(all) != 1 || len(all[0].Publish) != 1 || all[0].Publish[0] != test.want || all[0].Settings[0].Value != test.want {
				t.Errorf("got projects %+v, want publish directory %s", all, test.want)
			}
		})
	}
}
