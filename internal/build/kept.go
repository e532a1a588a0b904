package build

import (
	"github.com/sitewalk/sitewalk/site"
	"github.com/sitewalk/sitewalk/writer"
)

// A carryover is what one build leaves for the next one with the same settings: the list that
// was written, and what the writer remembers of that.
type carryover struct {
	list   site.List
	memory *writer.Memory
}

// since returns what is remembered, with what of a list is as it was.
func (k *carryover) since(list site.List) *writer.Memory {
	if k.memory == nil {
		k.memory = new(writer.Memory)
		return k.memory
	}
	k.memory.Since(list.Since(k.list))
	return k.memory
}
