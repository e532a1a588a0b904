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
	return appendDecimal(b, p.Float64())
}

// appendDecimal appends v with at least one decimal and no exponent.
func appendDecimal(b []byte, v float64) []byte {
	if v == math.Trunc(v) {
		return strconv.AppendFloat(b, v, 'f', 1, 64)
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}
