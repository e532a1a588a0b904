package facts

const chunkSize = 128 // a chunk of each worker stays half empty

// chunks hand out values side by side: one costs no allocation of its own, and
// a pass over all, which waits for memory and for little else, is a short one.
type chunks[T any] [][]T // all but the last are full

// next returns a zero value that stays where it is.
func (c *chunks[T]) next() *T {
	last := len(*c) - 1
	if last < 0 || len((*c)[last]) == chunkSize {
		*c = append(*c, make([]T, 0, chunkSize))
		last++
	}
	chunk := &(*c)[last]
	*chunk = (*chunk)[:len(*chunk)+1]
	return &(*chunk)[len(*chunk)-1]
}

// undo takes the last value back.
func (c chunks[T]) undo() {
	chunk := &c[len(c)-1]
	clear((*chunk)[len(*chunk)-1:])
	*chunk = (*chunk)[:len(*chunk)-1]
}

// appendTo appends the values that were handed out.
func (c chunks[T]) appendTo(out []*T) []*T {
	for _, chunk := range c {
		for i := range chunk {
			out = append(out, &chunk[i])
		}
	}
	return out
}
