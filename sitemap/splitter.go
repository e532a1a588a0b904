package sitemap

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// A Splitter writes any number of entries as url sets that stay within the limits,
// one after another, and on Close an index that names them. Base and Create are
// required.
//
//	NAME-1.xml, NAME-2.xml, …   url sets
//	NAME.xml                    the index
type Splitter struct {
	Base   string                                    // the URL of the folder in which the files are served, with a slash at its end
	Create func(name string) (io.WriteCloser, error) // creates one of the files
	Name   string                                    // of the index; "" is "sitemap.xml"
	Head   Head                                      // of each url set, and of the index
	Limits Limits                                    // of each file

	file     io.WriteCloser
	writer   *Writer
	newest   Date // of the url set at hand; zero unless each entry has a date
	children []Entry
}

// Write writes an entry, to a further url set if the one at hand is full. An entry
// that no url set can hold is an error, and the next one may be written all the same.
func (s *Splitter) Write(e *Entry) error {
	if s.writer == nil {
		if err := s.next(); err != nil {
			return err
		}
	}
	err := s.writer.Write(e)
	if errors.Is(err, ErrFull) && s.writer.Len() > 0 {
		if err := s.end(); err != nil {
			return err
		}
		return s.Write(e)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", e.Loc, err)
	}
	if s.writer.Len() == 1 || !s.newest.IsZero() && (e.LastMod.IsZero() || e.LastMod.Compare(s.newest) > 0) {
		s.newest = e.LastMod
	}
	return nil
}

// next begins a url set.
func (s *Splitter) next() (err error) {
	name := fmt.Sprintf("%s-%d.xml", strings.TrimSuffix(s.name(), path.Ext(s.name())), len(s.children)+1)
	if s.file, err = s.Create(name); err == nil {
		s.writer = NewWriter(s.file, FormatURLSet, s.Head, s.Limits)
		s.children = append(s.children, Entry{URL: URL{Loc: s.Base + name}})
	}
	return err
}

// end ends the url set at hand.
func (s *Splitter) end() error {
	s.children[len(s.children)-1].LastMod = s.newest
	err := errors.Join(s.writer.Close(), s.file.Close())
	s.writer, s.file = nil, nil
	return err
}

func (s *Splitter) name() string { return cmp.Or(s.Name, "sitemap.xml") }

// Close ends the last url set and writes the index. Without an entry there is one url
// set without URLs.
func (s *Splitter) Close() error {
	if len(s.children) == 0 {
		if err := s.next(); err != nil {
			return err
		}
	}
	if s.writer != nil {
		if err := s.end(); err != nil {
			return err
		}
	}
	file, err := s.Create(s.name())
	if err != nil {
		return err
	}
	index := NewWriter(file, FormatIndex, s.Head, s.Limits)
	for i := range s.children {
		if err := index.Write(&s.children[i]); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	return errors.Join(index.Close(), file.Close())
}
