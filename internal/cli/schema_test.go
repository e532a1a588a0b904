package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sitewalk/sitewalk/internal/cli"
)

// project is a site whose reports use every field.
const project = `
-- sitemap.yaml --
base_url: https://example.com/
pages: {dir: public}
content: {dir: content}
lastmod: [rule, frontmatter, html]
rules: [{files: "a/**", priority: 0.8}, {files: "none/**", priority: 0.1}]
findings: {bad-date: error}
-- before.xml --
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/gone/</loc></url>
<url><loc>https://example.com/hidden/</loc></url><url><loc>https://example.com/</loc><lastmod>2024-01-01</lastmod></url></urlset>
-- known --
sitewalk-baseline 1
bad-date	gone
-- content/a.md --
---
lastmod: soon
---
-- public/index.html --
<html lang=en><title>Home</title><meta property="article:modified_time" content="2025-01-02">
-- public/a/index.html --
<title>A</title><meta property="article:modified_time" content="soon"><link rel=canonical href="file:///x">
-- public/hidden/index.html --
<title>Hidden</title><meta name=robots content=noindex>
`

// TestReportsMatchSchema validates the JSON report of each command with docs/report.schema.json.
// The test also rejects fields that are not in the schema.
func TestReportsMatchSchema(t *testing.T) {
	schema := reportSchema(t)
	for name, args := range map[string]string{
		"build":            "build --json --baseline known",
		"build --strict":   "build --json --strict",
		"failed build":     "build --json missing",
		"diff":             "diff before.xml --json",
		"diff of lists":    "diff before.xml before.xml --json",
		"check":            "check public --json",
		"check of sitemap": "check before.xml --json",
		"check --google":   "check public --google --json", // the request to the API fails
		"submit":           "submit --since before.xml --dry-run --json --key 7e3f6e8bc47b4f2380ba54aab6088521",
		"submit nothing":   "submit --json",
		"explain":          "explain --json / /a/ public/hidden/index.html /nothing/ content/a.md",
		"list":             "list --json",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := txtar.Write(txtar.Parse([]byte(project)), dir); err != nil {
				t.Fatal(err)
			}
			printJSON(t, dir, "build -q --lastmod none") // creates the previous sitemap
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(printJSON(t, dir, args)))
			if err == nil {
				err = schema.Validate(doc)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestWatchEventsMatchSchema validates the events of watch with the same schema: a build, an error
// after the site is moved away, and a build after the site is moved back.
func TestWatchEventsMatchSchema(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot rename a watched folder")
	}
	schema, dir := reportSchema(t), t.TempDir()
	if err := txtar.Write(txtar.Parse([]byte(project)), dir); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- cli.Run(ctx, cli.Env{
			Args: []string{"watch", "--json"}, Stdin: strings.NewReader(""), Stdout: w, Stderr: io.Discard,
			Getenv: func(string) string { return "" }, Dir: dir, Now: time.Now,
		})
		w.Close()
	}()
	public, away := filepath.Join(dir, "public"), filepath.Join(dir, "away")
	steps := []func() error{
		func() error { return os.Rename(public, away) },
		func() error { return os.Rename(away, public) },
		func() error { cancel(); return nil },
	}
	events := bufio.NewScanner(r)
	for _, want := range []string{"build", "error", "build"} {
		for {
			if !events.Scan() {
				t.Fatalf("watch ended before the event %q", want)
			}
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(events.Bytes()))
			if err == nil {
				err = schema.Validate(doc)
			}
			if err != nil {
				t.Errorf("%v\nin %s", err, events.Text())
			}
			if event, _ := doc.(map[string]any); event["event"] == want {
				break
			}
		}
		if err := steps[0](); err != nil {
			t.Fatal(err)
		}
		steps = steps[1:]
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
	<-ended
}

// reportSchema returns the schema of reports, without additional fields.
func reportSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	src, err := os.ReadFile("../../docs/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(src, &doc); err != nil {
		t.Fatal(err)
	}
	doc["additionalProperties"] = false // readers must accept unknown fields, but the schema must describe all fields
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("report")
}

// printJSON runs a command and returns its standard output.
func printJSON(t *testing.T, dir, line string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cli.Run(t.Context(), cli.Env{
		Args: strings.Fields(line), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(name string) string {
			return map[string]string{"SITEWALK_GOOGLE_TOKEN": "t", "SITEWALK_GOOGLE_API": "none"}[name]
		},
		Dir: dir, Now: time.Now,
	})
	return stdout.String()
}
