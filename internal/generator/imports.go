package generator

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// maxNames bounds how many names of a file are found out, as each is searched for in
// its tokens, and maxImports how many files are read. No configuration has as many.
const (
	maxNames   = 250
	maxImports = 100
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
	if v, ok := s.names[name]; ok || len(s.names) == maxNames {
		return v
	}
	s.names[name] = nil
	s.names[name] = find()
	return s.names[name]
}

// importOf returns what the file imports as name: "import name from", or
// "import { name } from" with or without "as".
func (s *script) importOf(name string) *value {
	for i := range s.top() {
		if !s.seq(i, "import") {
			continue
		}
		from := i + slices.IndexFunc(s.tokens[i:], func(t token) bool { return t.kind == word && t.text == "from" })
		if from < i || s.tok(from+1).kind != text {
			continue
		}
		for j := i + 1; j < from; j++ {
			if s.tok(j).text != name || s.tok(j+1).text == "as" {
				continue
			}
			other := s.other(s.tok(from + 1).text)
			switch {
			case other == nil:
				return nil
			case j == i+1:
				return other.exports()
			case s.seq(j-1, "as"):
				name = s.tok(j - 2).text
			}
			return other.resolve(name)
		}
	}
	return nil
}

// other returns the script that an import names, with or without its extension.
func (s *script) other(from string) *script {
	file := path.Join(path.Dir(s.file), from)
	if !strings.HasPrefix(from, ".") || s.reader == nil || !fs.ValidPath(file) {
		return nil
	}
	if known, ok := s.read[file]; ok || len(s.read) == maxImports {
		return known
	}
	s.read[file] = nil
	names := withScriptExts(file, strings.TrimSuffix(file, path.Ext(file)))
	if slices.Contains(scriptExts, path.Ext(file)) {
		names = append([]string{file}, names...)
	}
	for _, name := range names {
		src, place, ok := s.reader.read(name)
		if !ok {
			continue
		}
		if other, fault := newScript(src, place); fault == nil {
			other.file, other.reader, other.read = name, s.reader, s.read
			s.read[file] = other
		}
		break
	}
	return s.read[file]
}
