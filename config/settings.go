package config

import (
	"context"
	"errors"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/site"
	"github.com/sitewalk/sitewalk/writer"
)

// Flags are what the command line says, as the user typed it.
type Flags struct {
	Dir                                                           string // the publish directory
	Config, BaseURL, Content, Output, Host, LastMod, Format, Gzip string
	Include, Exclude                                              []string
	Jobs                                                          int
	Set                                                           map[string]bool // long names of the flags that were given, and "dir"
}

// An Input is all that settings are resolved from.
type Input struct {
	Flags  Flags
	Getenv func(string) string
	Dir    string // working directory
	Now    time.Time
}

// Settings are what the program needs to know, all of it checked.
type Settings struct {
	Site          site.Options
	Writer        writer.Options
	Stdout        bool   // print the sitemap, write nothing
	LedgerFrom    string // path or URL; "" is no ledger
	LedgerTo      string
	LedgerOptions ledger.ReadOptions
	Origins       []Origin
	File          string // the sitemap.yaml used; "" is none
	Skip          string // why this deployment is to write nothing
}

// Resolve joins flags, environment, file and what is detected, in this order.
func Resolve(ctx context.Context, in Input) (*Settings, diag.List, error) {
	return nil, nil, errors.New("not yet")
}

// Init returns the sitemap.yaml for the project at hand, and its name.
func Init(ctx context.Context, in Input) (name string, src []byte, err error) {
	return "", nil, errors.New("not yet")
}
