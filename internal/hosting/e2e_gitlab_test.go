//go:build e2e

package hosting

import (
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// gitlabParser is a program that parses _redirects files with go-redirects, the parser of GitLab
// Pages, and prints the rules.
const gitlabParser = `package main

import (
	"encoding/json"
	"os"

	"github.com/tj/go-redirects"
)

func main() {
	var texts []string
	json.NewDecoder(os.Stdin).Decode(&texts)
	all := make([][]redirects.Rule, len(texts))
	for i, text := range texts {
		rules, err := redirects.ParseString(text)
		if err == nil {
			all[i] = rules
		}
	}
	json.NewEncoder(os.Stdout).Encode(all)
}
`

// TestGitLabParser compares how sitewalk and go-redirects parse random lines of _redirects.
func TestGitLabParser(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), []byte(gitlabParser))
	write(t, filepath.Join(dir, "go.mod"), []byte("module parser\n\ngo 1.24\n"))
	run(t, dir, nil, "go", "get", "github.com/tj/go-redirects@v0.0.0-20200911105812-fd1ba1020b37")
	words := []string{"/a", "/b/", "/c/*", "/:x", "301", "302", "200", "404", "301!", "!", "302x", "# more", "https://example.org/x", "id=:id", "\t", "relative", "200!!"}
	r := &random{rand.New(rand.NewPCG(1, 15))}
	var texts []string
	for range 800 {
		text := ""
		for range 1 + r.IntN(2) {
			text += r.pick("/a", "/b/*", "#", "  /c ")
			for range 1 + r.IntN(3) {
				text += " " + r.pick(words...)
			}
			text += "\n"
		}
		texts = append(texts, text)
	}
	in, _ := json.Marshal(texts)
	var all [][]struct {
		From, To string
		Status   int
		Force    bool
		Params   map[string]any
	}
	if err := json.Unmarshal(run(t, dir, in, "go", "run", "."), &all); err != nil {
		t.Fatal(err)
	}
	read := 0
	for i, text := range texts {
		l := &loader{host: new(Host)}
		var got []lineRule
		spoilt := false
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			rule, readable, err := gitlabRedirects.parseLine(line)
			rule.text = line
			given := rule.to // addGitLabRule changes it
			if err == nil {
				err = l.addGitLabRule(&rule)
			}
			if !readable {
				spoilt = true
			} else if err == nil {
				rule.to = given
				got = append(got, rule)
			}
		}
		if spoilt != (all[i] == nil && strings.Trim(text, "# \n") != "" && !onlyComments(text)) {
			t.Errorf("%q spoils the file: %v; the package has %v", text, spoilt, all[i])
		}
		if spoilt {
			continue
		}
		n := 0
		for _, want := range all[i] {
			if n < len(got) && got[n].text != "" && strings.HasPrefix(strings.TrimSpace(got[n].text), want.From+" ") && got[n].to == want.To && got[n].status == want.Status && !want.Force && want.Params == nil {
				n, read = n+1, read+1
			}
		}
		if n != len(got) {
			t.Errorf("%q: %d of %d rules are those of the package: %+v", text, n, len(got), all[i])
		}
	}
	if read < 50 {
		t.Errorf("only %d rules were read", read)
	}
}

func onlyComments(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}
