package sitemap

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
)

// firstLine reads the first line of what may be a text sitemap: it is one when
// that line is a URL.
func (r *Reader) firstLine() error {
	err := r.nextLine()
	if _, ok := cutScheme(r.item.Loc); err == nil && !ok {
		return fmt.Errorf("line %d: %.60q is neither XML nor a URL; expected a sitemap", r.line, r.item.Loc)
	}
	return err
}

// nextLine reads the next line that is not empty.
func (r *Reader) nextLine() error {
	for {
		line, err := r.lines.ReadSlice('\n')
		r.line++
		if errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("line %d has more than %d bytes", r.line, len(line))
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			r.item.Loc, r.item.Line, r.item.Col = string(text), r.line, 1
			return nil
		}
		if err != nil {
			return err
		}
	}
}
