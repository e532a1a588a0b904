package git_test

import (
	"context"
	"fmt"

	"github.com/sitewalk/sitewalk/internal/git"
)

func ExampleRead() {
	files := []string{"content/_index.md", "content/about.md"}
	dates, findings := git.Read(context.Background(), files, git.Options{Dir: "/srv/site"})
	for _, file := range files {
		if r := dates[file]; r.Date.IsZero() {
			fmt.Println(file, "has no date:", r.Why)
		} else {
			fmt.Println(file, "last changed", r.Date)
		}
	}
	for _, f := range findings {
		fmt.Println(f, "—", f.Hint)
	}
}
