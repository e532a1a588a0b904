package generator

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// The scripts of a project that import each other, and what is known of their
// names.
type scripts struct {
	reader *reader            // nil for a script alone
	read   map[string]*script // nil for what is none
	values map[[2]string]*value
	open   int // names that are being found out
}

func newScripts(r *reader) *scripts {
	return &scripts{reader: r, read: map[string]*script{}, values: map[[2]string]*value{}}
}

// No configuration is so tangled: maxOpen bounds how many names lead from one to
// the other, maxValues how many there are, as each is searched for in its file.
const (
	maxOpen   = 32
	maxValues = 1000
)

// resolve returns what a name stands for: a constant of the file, or what it
// imports under that name from another file of the project; nil when it is
// neither, or not written out.
func (s *script) resolve(name string) *value {
	return s.once(name, func() *value {
		v, ok := s.constant(name)
		if !ok {
			v = s.importOf(name)
		}
		return v
	})
}

// once finds out what a name of the file stands for, "" being what it exports as
// a whole. A name that leads back to itself stands for nothing.
func (s *script) once(name string, find func() *value) *value {
	o, key := s.others, [2]string{s.file, name}
	if v, ok := o.values[key]; ok || o.open == maxOpen || len(o.values) == maxValues {
		return v
	}
	o.values[key] = nil
	o.open++
	o.values[key] = find()
	o.open--
	return o.values[key]
}

// importOf returns what the file imports as name.
func (s *script) importOf(name string) *value {
	for i := range s.top() {
		switch {
		case s.seq(i, "import"):
			from := slices.IndexFunc(s.tokens[i:], func(t token) bool { return t.kind == word && t.text == "from" })
			if export := s.binding(i+1, name, "as"); from > 0 && export != "" {
				return s.other(s.tok(i+from+1), export)
			}
		case s.seq(i, "const", "{"):
			at := s.match[i+1] + 1
			if export := s.binding(i+1, name, ":"); export != "" && s.seq(at, "=", "require", "(") {
				return s.other(s.tok(at+3), export)
			}
		}
	}
	return nil
}

// binding returns under which name another file exports what the names at i
// bind to name: one for the whole, or some in braces, each of which may be
// called otherwise here.
func (s *script) binding(i int, name, renamed string) string {
	if s.seq(i, name) {
		return "default"
	}
	if s.tok(i).kind == word && s.tok(i+1).is(",") {
		i += 2
	}
	if s.seq(i, "*", "as", name) {
		return "*"
	}
	if !s.tok(i).is("{") {
		return ""
	}
	for j := i + 1; j < s.match[i]; {
		end := s.comma(j, s.match[i])
		if s.tok(end-1).text == name && (end == j+1 || s.tok(j+1).text == renamed) {
			return s.tok(j).text
		}
		j = end + 1
	}
	return ""
}

// other returns what another file of the project exports under a name.
func (s *script) other(from *token, export string) *value {
	if from.kind != text || !strings.HasPrefix(from.text, ".") || s.others.reader == nil {
		return nil
	}
	file := path.Join(path.Dir(s.file), from.text)
	if path.Ext(file) == ".json" && fs.ValidPath(file) {
		return s.others.reader.config(file)
	}
	t := s.others.script(file)
	if t == nil {
		return nil
	}
	switch whole := t.exports(); {
	case export == "default" || export == "*":
		return whole
	case whole.at(export) != nil: // module.exports = {…}
		return whole.at(export)
	}
	return t.resolve(export)
}

// script returns the script that an import names, with or without its extension,
// or the folder of.
func (o *scripts) script(file string) *script {
	if !fs.ValidPath(file) {
		return nil
	}
	if s, ok := o.read[file]; ok {
		return s
	}
	o.read[file] = nil
	for _, name := range scriptNames(file) {
		src, place, ok := o.reader.read(name)
		if !ok {
			continue
		}
		if s, fault := newScript(src, place); fault == nil {
			s.file, s.others = name, o
			o.read[file] = s
		}
		break
	}
	return o.read[file]
}

// scriptNames returns the names that a script may have: its own, and those with
// an extension that it is imported without, or by another one, as .js for .ts.
func scriptNames(file string) []string {
	ext := path.Ext(file)
	names := withScriptExts(file, strings.TrimSuffix(file, ext), path.Join(file, "index"))
	if slices.Contains(scriptExts, ext) {
		names = append([]string{file}, names...)
	}
	return names
}

// withScriptExts returns names with each extension of a script.
func withScriptExts(stems ...string) (names []string) {
	for _, stem := range stems {
		for _, ext := range scriptExts {
			names = append(names, stem+ext)
		}
	}
	return names
}

var scriptExts = []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"}
