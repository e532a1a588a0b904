package sitemap

import (
	"fmt"
	"math"
	"strconv"
)

// A Priority is a page's weight within its own site, from 0.0 to 1.0 in steps
// of a thousandth. The zero Priority says nothing; PriorityOf(0) says 0.0.
type Priority uint16

// PriorityOf returns the priority v; an error when v is not within 0.0 and 1.0.
func PriorityOf(v float64) (Priority, error) {
	if !(v >= 0 && v <= 1) {
		return 0, fmt.Errorf("priority %v is not between 0.0 and 1.0", v)
	}
	return Priority(1 + math.Round(v*1000)), nil
}

// Float64 returns the priority, or the protocol's default of 0.5 when p says
// nothing.
func (p Priority) Float64() float64 {
	if p == 0 {
		return 0.5
	}
	return float64(p-1) / 1000
}

// String returns the priority with at least one decimal and no exponent, or ""
// when p says nothing.
func (p Priority) String() string { return string(p.AppendTo(nil)) }

// AppendTo appends what String returns.
func (p Priority) AppendTo(b []byte) []byte {
	if p == 0 {
		return b
	}
	return appendDecimal(b, uint64(p-1), 3)
}

// appendDecimal appends n/10^places with at least one decimal, no trailing
// zeros after it and no exponent.
func appendDecimal(b []byte, n uint64, places int) []byte {
	unit := uint64(1)
	for range places {
		unit *= 10
	}
	b = strconv.AppendUint(b, n/unit, 10)
	b = append(b, '.')
	for n %= unit; ; n %= unit {
		unit /= 10
		b = append(b, byte('0'+n/unit))
		if n%unit == 0 {
			return b
		}
	}
}
