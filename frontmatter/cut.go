package frontmatter

import (
	"bytes"
	"encoding/json"
)

// cut finds front matter in the first bytes of a file where no two readers
// could differ: it is a valid JSON object, or between two lines --- or +++ that
// begin the file, and no other line looks like one. It is false for all that
// split has to look at.
func (c *Conventions) cut(head []byte) (b block, ok bool) {
	if len(head) < len(bom) {
		return block{}, false
	}
	first, rest, whole := bytes.Cut(head, newline)
	first = bytes.TrimSuffix(first, []byte("\r"))
	switch {
	case c.Headers && !c.opens(string(first)):
		return block{}, false
	case !mayOpen(head):
		return block{}, true
	case head[0] == '{' && c.readsAll():
		b.notation = inJSON
		b.data, ok = object(head)
		return b, ok
	case !whole:
		return block{}, false
	case string(first) == "---":
		b.notation = inYAML
	case string(first) == "+++" && c.opens("+++"):
		b.notation = inTOML
	default:
		return block{}, false
	}
	b.line = 1
	b.data, ok = between(rest, first)
	return b, ok
}

var newline = []byte("\n")

// mayOpen reports whether a file that begins like this may have front matter.
func mayOpen(head []byte) bool {
	switch head[0] {
	case '-', '+', ';', '{', ' ', '\t', '\r', '\n', bom[0]:
		return true
	case '#':
		return head[1] == '+'
	}
	return false
}

// object returns the JSON object that b begins with.
func object(b []byte) (data []byte, ok bool) {
	var raw json.RawMessage
	err := json.NewDecoder(bytes.NewReader(b)).Decode(&raw)
	return raw, err == nil
}

// between returns the lines before the first line that is a fence.
func between(b, fence []byte) (lines []byte, ok bool) {
	end := 0
	if !bytes.HasPrefix(b, fence) {
		end = 1 + bytes.Index(b, append([]byte("\n"), fence...))
		if end == 0 {
			return nil, false
		}
	}
	lines, after := b[:end], b[end+len(fence):]
	if !bytes.HasPrefix(after, newline) && !bytes.HasPrefix(after, []byte("\r\n")) {
		return nil, false
	}
	return lines, !looksFenced(lines)
}

// looksFenced reports whether a line may look like the end of front matter.
func looksFenced(lines []byte) bool {
	return bytes.Contains(lines, []byte("---")) || bytes.Contains(lines, []byte("+++")) || bytes.Contains(lines, []byte(";;;")) ||
		bytes.HasPrefix(lines, []byte("...")) || bytes.Contains(lines, []byte("\n..."))
}
