package gitdates

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxText is how much of one state of a page is compared: 16 MiB.
const maxText = 16 << 20

// texts compares what readers see of a page at different commits. It asks one git for the
// contents, one after the other.
type texts struct {
	questions io.Writer
	answers   *bufio.Reader
	text      func(src []byte) string
	broken    bool // git has no more answers
}

// of returns the text of an object, named as git names one; ok is false if it cannot be had.
// See git-cat-file(1), "BATCH OUTPUT".
func (t *texts) of(object string) (text string, ok bool) {
	if t == nil || t.broken || strings.Contains(object, "\n") {
		return "", false
	}
	t.broken = true // until the answer has been read
	if _, err := io.WriteString(t.questions, object+"\n"); err != nil {
		return "", false
	}
	line, err := t.answers.ReadString('\n')
	if err != nil {
		return "", false
	}
	line = strings.TrimSuffix(line, "\n")
	if rest, found := strings.CutPrefix(line, object+" "); found && !strings.Contains(rest, " ") { // missing, ambiguous
		t.broken = false
		return "", false
	}
	size, err := strconv.ParseInt(line[strings.LastIndexByte(line, ' ')+1:], 10, 64)
	if err != nil || size < 0 {
		return "", false
	}
	src := make([]byte, min(size, maxText))
	if _, err := io.ReadFull(t.answers, src); err != nil {
		return "", false
	}
	if _, err := io.CopyN(io.Discard, t.answers, size-int64(len(src))+1); err != nil {
		return "", false
	}
	t.broken = false
	if size > maxText || !strings.Contains(line, " blob ") {
		return "", false
	}
	return t.text(src), true
}

// withTexts calls run while w can compare texts. Without built files no git is started.
func (g git) withTexts(ctx context.Context, w *search, text func(src []byte) string, run func() error) error {
	if len(w.deploys.folders) == 0 || text == nil {
		return run()
	}
	read, write := io.Pipe()
	g.stdin = read
	ran := false
	var err error
	// That git ends without an answer is no trouble: then no text is known.
	_ = g.stream(ctx, func(answers io.Reader) error {
		ran = true
		w.texts = &texts{questions: write, answers: bufio.NewReaderSize(answers, 64<<10), text: text}
		err = run()
		w.texts = nil
		write.Close()
		return errEnough
	}, "cat-file", "--batch")
	read.Close()
	if !ran {
		return run()
	}
	return err
}

// sameText reports whether the text of the files that are wanted as name is at HEAD what it
// is in a state of the page, named as "COMMIT:./PATH".
func (w *search) sameText(name, state string) bool {
	text, ok := w.texts.of(state)
	for _, t := range w.wanted[name] {
		if ok && t.text == "" {
			t.text, ok = w.texts.of(t.entry.object)
		}
		ok = ok && t.text == text
	}
	return ok
}

// changedText reports whether a commit that is no deploy changed the text of a page. It may be
// a deploy of few pages.
func (w *search) changedText(name string, added bool) bool {
	return added || !w.sameText(name, fmt.Sprintf("%s^:./%s", w.commit.name, name))
}

// deployedText reports whether a deploy after the commit changed the text of a page.
func (w *search) deployedText(name string) bool {
	return w.wanted[name][0].deployed && !w.sameText(name, fmt.Sprintf("%s:./%s", w.commit.name, name))
}
