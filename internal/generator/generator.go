// Package generator reads what a site generator's own files say of a project:
// its folders, its base URL, its languages and how it names what it writes.
//
// It refuses to run them: a value that only running a file would tell is not
// known.
package generator

import (
	"io/fs"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/mapping"
)

// A Project is one site that a generator builds, or a folder that holds a built
// one. Folders are relative to the project's root, slash-separated.
type Project struct {
	Name      string              // "hugo", "jekyll", …; "" when only the publish folder is known
	Publish   []string            // folders that the generator publishes to, more than one when the files leave it open
	Content   []string            // folders of its sources; none for a generator whose pages are programs
	BaseURL   string              // "" when the files name none, or only a local one
	Zone      *time.Location      // nil when the files name none
	DateOrder map[string][]string // Hugo's [frontmatter], nil for its default
	GitInfo   bool                // Hugo's enableGitInfo
	Mapping   mapping.Content
	Found     []Found
}

// A Found is one value and the place it was read from.
type Found struct {
	Key, Value string
	Pos        diag.Pos
}

// Detect returns the projects whose files lie in root; rootName stands before
// the names of files in findings, "" for none. More than one is the caller's to
// ask about. A local base URL is left out, and so is every value that only
// running a file would tell.
func Detect(root fs.FS, rootName string, getenv func(string) string) ([]Project, diag.List) {
	return nil, nil
}
