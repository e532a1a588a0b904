package git_test

import (
	"context"
	"fmt"

	"github.com/sitewalk/sitewalk/internal/git"
)

func ExampleDates_Query() {
	files := []string{"content/_index.md", "content/about.md"}
	dates := new(git.Dates).Query(context.Background(), files, git.Options{Dir: "/srv/site"})
	for _, file := range files {
		if r := dates.Results[file]; r.Date.IsZero() {
			fmt.Println(file, "has no date:", r.Why)
		} else {
			fmt.Println(file, "last changed", r.Date)
		}
	}
	for _, f := range dates.Trouble {
		fmt.Println(f, "—", f.Hint)
	}
}
