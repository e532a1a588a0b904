// A module of its own, so that what sitewalk is only compared with is not
// among what it depends on.
module github.com/sitewalk/sitewalk/testdata/bench

go 1.26.0

replace github.com/sitewalk/sitewalk => ../..

require (
	github.com/charlievieth/fastwalk v1.0.14
	github.com/sitewalk/sitewalk v0.0.0-00010101000000-000000000000
	golang.org/x/net v0.62.0
)

require (
	github.com/bmatcuk/doublestar/v4 v4.10.4 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)
