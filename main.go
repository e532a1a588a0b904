// Sitewalk reads the site that a generator has built, and writes a sitemap that a crawler can
// trust. Run "sitewalk help" for its commands.
package main

import (
	"os"

	"github.com/sitewalk/sitewalk/internal/cli"
)

func main() {
	os.Exit(cli.Main())
}
