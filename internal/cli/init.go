package cli

import (
	"crypto/rand"
	"encoding/hex"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/files"
)

func newInitCommand(env Env, p *Printer) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "write a sitemap.yaml for this project",
		Args:  limitArguments(0, 1),
		Long: `Writes a sitemap.yaml with every key explained. What you name by DIR and
flags is set. Values from the generator's own files are written as comments,
because every build reads them again. So are rules that leave out its tag,
category, author and pagination pages. An existing sitemap.yaml is not changed.`,
		Example: "  sitewalk init\n  sitewalk init public -b https://example.com/",
	}
	var indexNow bool
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in := newInput(env, cmd, args)
		if indexNow {
			in.Flags["key"] = []string{newIndexNowKey()}
		}
		name, src, missing, err := config.Init(in)
		if err != nil {
			return err
		}
		path := filepath.Join(env.Dir, name)
		if config.HasFile(env.Dir, "sitewalk.yaml") {
			name = "sitewalk.yaml"
		}
		if config.HasFile(env.Dir, name) {
			hint := "edit it, or move it away and run init again"
			if indexNow {
				hint = "add a new key to its output yourself: {indexnow: " + in.Flags.Value("key") + "}"
			}
			return diag.Hintedf(hint, "%s is there already", name)
		}
		if err := files.Replace(path, src); err != nil {
			return err
		}
		if len(missing) == 0 {
			p.Printf("wrote %s; sitewalk build uses it", name)
			return nil
		}
		p.Printf("wrote %s; before sitewalk can build:", name)
		for _, err := range missing {
			p.Printf("%v", err)
		}
		return nil
	}
	cmd.Flags().StringP("base-url", "b", "", "the `URL` at which the site is published")
	cmd.Flags().String("content", "", "the folder `DIR` of the content files")
	cmd.Flags().BoolVar(&indexNow, "indexnow", false, "make a key for IndexNow")
	return cmd
}

// newIndexNowKey returns a random key for IndexNow: 32 hexadecimal digits.
func newIndexNowKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
