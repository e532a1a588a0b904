//go:build race

package thorough

const raced = true
