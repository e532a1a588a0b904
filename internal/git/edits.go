package git

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"

	"github.com/sitewalk/sitewalk/internal/files"
)

// markEdited marks the tracked files whose content is not that of the last commit. `git
// status` does the same, but runs the filters that the repository names.
func (g git) markEdited(ctx context.Context, w *search, list []file) error {
	files.ParallelWorkers(ctx, len(list), func() func(i int) {
		var content bytes.Buffer
		return func(i int) {
			if t := &w.files[i]; t.tracked && !t.link {
				t.edited = !hasContent(filepath.Join(g.dir, filepath.FromSlash(list[i].name)), t.object, &content)
			}
		}
	})
	return context.Cause(ctx)
}

// hasContent reports whether a file has the content of an object, with the same line ends
// or with CRLF. It returns false for a file that is larger than maxObject. It reads the
// file into content.
func hasContent(path, object string, content *bytes.Buffer) bool {
	f, err := files.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	content.Reset()
	if _, err := content.ReadFrom(io.LimitReader(f, maxObject)); err != nil {
		return false
	}
	src, ends := content.Bytes(), []byte("\r\n")
	return isObject(src, object) || bytes.Contains(src, ends) && isObject(bytes.ReplaceAll(src, ends, []byte("\n")), object)
}

// isObject reports whether content has the given object name, a hash of kind, size and
// content. See the chapter "Git Objects" of the Git book.
func isObject(content []byte, name string) bool {
	sum := sha1.New()
	if len(name) == hex.EncodedLen(sha256.Size) {
		sum = sha256.New()
	}
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil)) == name
}
