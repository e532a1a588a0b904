//go:build race

package testsite

const raced = true
