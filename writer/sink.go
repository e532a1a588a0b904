package writer

import (
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/gzip"
)

// chunk is how much of a file is encoded before it is handed on: little enough
// to stay in a core's cache.
const chunk = 128 << 10

// gzipLevel gives the size of gzip -6 and pigz -6, or a little less, in about
// their time; BenchmarkGzip holds it beside its neighbours.
const gzipLevel = 7

// A sink takes the content of one file and drafts it plain, compressed or both.
// It is for one goroutine and one file after another.
type sink struct {
	dir         *folder
	plain, zip  bool // which of the two
	buf         []byte
	size        int64 // handed on, before compression
	plainDraft  *draft
	zippedDraft *draft
	gz          *gzip.Writer
}

func newSink(dir *folder, o *Options) *sink {
	return &sink{dir: dir, plain: o.Gzip != "only", zip: o.Gzip != ""}
}

// begin begins the file name; what is appended to buf becomes its content.
func (s *sink) begin(name string) (err error) {
	if s.buf == nil {
		s.buf = make([]byte, 0, chunk+chunk/4)
	}
	s.buf, s.size = s.buf[:0], 0
	if s.plain {
		if s.plainDraft, err = s.dir.draft(name); err != nil {
			return err
		}
	}
	if !s.zip {
		return nil
	}
	if s.zippedDraft, err = s.dir.draft(name + ".gz"); err != nil {
		return err
	}
	if s.gz == nil {
		s.gz, err = newZipper(s.zippedDraft)
		return err
	}
	s.gz.Reset(s.zippedDraft)
	s.gz.ModTime = noTime
	return nil
}

// noTime is the time in a gzip header that stands for none (RFC 1952, 2.3.1),
// which the zero time does not become.
var noTime = time.Unix(0, 0)

func newZipper(w io.Writer) (*gzip.Writer, error) {
	z, err := gzip.NewWriterLevel(w, gzipLevel)
	if err == nil {
		z.ModTime = noTime
	}
	return z, err
}

// step hands buf on when it has become long.
func (s *sink) step() error {
	if len(s.buf) < chunk {
		return nil
	}
	return s.flush()
}

func (s *sink) flush() error {
	s.size += int64(len(s.buf))
	if s.plainDraft != nil {
		if _, err := s.plainDraft.Write(s.buf); err != nil {
			return err
		}
	}
	if s.zippedDraft != nil {
		if _, err := s.gz.Write(s.buf); err != nil {
			return err
		}
	}
	s.buf = s.buf[:0]
	return nil
}

// end ends the file and returns its finished drafts; limit is how many bytes it
// may have before compression.
func (s *sink) end(limit int) ([]*draft, error) {
	if err := s.flush(); err != nil {
		return nil, err
	}
	if s.size > int64(limit) {
		return nil, fmt.Errorf("%d bytes are more than the %d that a sitemap may have", s.size, limit)
	}
	var out []*draft
	if s.zippedDraft != nil {
		if err := s.gz.Close(); err != nil {
			return nil, err
		}
		if err := s.zippedDraft.finish(); err != nil {
			return nil, err
		}
	}
	if s.plainDraft != nil {
		if err := s.plainDraft.finish(); err != nil {
			return nil, err
		}
		out = append(out, s.plainDraft)
	}
	if s.zippedDraft != nil {
		out = append(out, s.zippedDraft)
	}
	s.plainDraft, s.zippedDraft = nil, nil
	return out, nil
}

// discard leaves no trace of a file that was begun and not ended.
func (s *sink) discard() {
	s.plainDraft.discard()
	s.zippedDraft.discard()
	s.plainDraft, s.zippedDraft = nil, nil
}
