package facts

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestBodies checks that Bodies gets every page completely, including large pages, and
// that the facts do not change because of it.
func TestBodies(t *testing.T) {
	e := &editor{pages: fstest.MapFS{}}
	for i := range 60 {
		text := fmt.Sprintf("<title>%d</title>%s<p>end %d", i, strings.Repeat("<p>text", i%7*testsite.Repeat(10_000, 40_000)), i)
		e.pages[fmt.Sprintf("p%d.html", i)] = &fstest.MapFile{Data: []byte(text)}
	}
	for _, size := range []int{8<<10 - 1, 8 << 10, 8<<10 + 1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 128 << 10} {
		e.pages[fmt.Sprintf("exact%d.html", size)] = &fstest.MapFile{Data: bytes.Repeat([]byte{'a'}, size)}
	}
	o := e.options(t)
	o.Content = nil
	want := valueOf(learned(t, o))
	var mu sync.Mutex
	seen := map[string]bool{}
	o.Bodies = func(b Body) {
		mu.Lock()
		defer mu.Unlock()
		if seen[b.File] = true; !bytes.Equal(b.Src, e.pages[b.File].Data) {
			t.Errorf("%s: %d bytes of %d", b.File, len(b.Src), len(e.pages[b.File].Data))
		}
	}
	if got := valueOf(learned(t, o)); !reflect.DeepEqual(got, want) {
		t.Error("pages read whole say other things")
	}
	if len(seen) != len(e.pages) {
		t.Errorf("%d bodies of %d", len(seen), len(e.pages))
	}
}
