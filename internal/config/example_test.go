package config_test

import (
	"fmt"

	"github.com/sitewalk/sitewalk/internal/config"
)

func ExampleLoad() {
	file, diags := config.Load("sitemap.yaml", []byte("base_url: https://example.internal/\npages: {dri: public}\n"))
	fmt.Println(file.BaseURL.V, file.BaseURL.Pos)
	for _, d := range diags {
		fmt.Println(d)
	}
	// Output:
	// https://example.internal/ sitemap.yaml:1:11
	// sitemap.yaml:2:9: error: unknown key "dri" in pages, did you mean "dir"? [unknown-key]
}
