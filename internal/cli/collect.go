package cli

import (
	"runtime"
	"runtime/debug"
)

// firstCollection is how many bytes the heap grows to before the garbage
// collector runs for the first time: a little more than 100,000 pages take.
const firstCollection = 48 << 20

// delayCollection keeps the garbage collector from running until the heap has
// grown to firstCollection, and is itself from then on. While it marks, and
// with many threads in system calls it marks for long, each pointer that is
// written costs several times as much.
func delayCollection(getenv func(string) string) {
	if getenv("GOGC") != "" {
		return
	}
	// The runtime's least heap at 100 percent, see runtime/debug.SetGCPercent
	// and the guide to the collector at go.dev.
	const least = 4 << 20
	percent := debug.SetGCPercent(100 * firstCollection / least)
	first := new(*byte) // dies in the first collection
	runtime.AddCleanup(first, func(percent int) { debug.SetGCPercent(percent) }, percent)
}
