package facts

import (
	"math"

	"github.com/sitewalk/sitewalk/walker"
)

// StampWindow is within how many seconds of its own time a page was built.
const StampWindow = 10 * 60

// BuiltThen reports whether a page's file was written within StampWindow of the date
// that the page names.
func BuiltThen(r *Page) bool {
	apart := r.LastMod.Unix() - int64(r.MTime)
	return r.MTime != 0 && Clocked(r.LastMod) && apart > -StampWindow && apart < StampWindow
}

// askMTime notes when a page's file was written.
func askMTime(r *Page, f *walker.File) {
	if info, err := f.Stat(); err == nil {
		r.MTime = uint32(min(max(info.ModTime().Unix(), 0), math.MaxUint32))
	}
}
