package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// firstCollection is how many bytes the heap grows to before the garbage
	// collector runs for the first time: a little more than what 100,000 pages take.
	firstCollection = 56 << 20
	// firstWithLinks is it where links are kept, too, for 100,000 pages of fifty.
	firstWithLinks = 144 << 20
	// firstLive is it where the live site is asked: the network is slower than any
	// collection, and 25,000 URLs take 13 MiB.
	firstLive = 24 << 20
	// usualPercent is by how much the heap may grow from then on before the next
	// collection. Go's own 100 would double the memory for nothing: a walk allocates
	// next to no garbage, so that a collection frees little.
	usualPercent = 50
	// largePercent takes its place from largeHeap on, where half as much again would
	// be too much.
	largePercent = 20
	largeHeap    = 192 << 20
)

// delayCollection keeps the garbage collector from running until the heap has
// grown to so many bytes. While it marks, and with many threads in system
// calls it marks for long, each pointer that is written costs several times as
// much.
func delayCollection(getenv func(string) string, first int) {
	if getenv("GOGC") != "" {
		return
	}
	// The runtime's least heap at 100 percent, see runtime/debug.SetGCPercent
	// and the guide to the collector at go.dev.
	const least = 4 << 20
	debug.SetGCPercent(100 * (first / least))
	onCollection(func() { debug.SetGCPercent(usualPercent); onCollection(watchHeap) })
}

// watchHeap lets a large heap grow by less. It looks at each collection until then.
func watchHeap() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if live[0].Value.Uint64() < largeHeap {
		onCollection(watchHeap)
		return
	}
	debug.SetGCPercent(largePercent)
}

// onCollection calls a function when the next collection has ended.
func onCollection(do func()) {
	dies := new(*byte) // in that
	runtime.AddCleanup(dies, func(do func()) { do() }, do)
}
