package writer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Transaction writes the files of one build. Draft writes new files under temporary names, and
// Commit renames them, so the old files stay intact until then. The folders are locked from the
// first Draft to Close. Another transaction waits a minute for the lock, and then fails. The zero
// Transaction is ready to use by one goroutine. Always call Close.
type Transaction struct {
	// Seen maps the absolute paths of folders to the fs.FileInfo that they had when their content
	// was read. Draft returns an error if another folder has replaced one of them since then.
	Seen map[string]fs.FileInfo

	files  files.Transaction
	drafts int
}

// Draft prepares the files that o requests, and the removal of files from earlier runs that are no
// longer needed. The report lists the changes that Commit makes. Draft may be called several times,
// with different options.
func (t *Transaction) Draft(ctx context.Context, entries Entries, o Options) (Report, error) {
	j := newJob(entries, o)
	t.files.Seen = t.Seen
	j.entryPhase = phaseIndexes
	if t.drafts++; t.drafts == 1 {
		j.entryPhase = phaseLastIndex
	}
	if err := j.openFolders(ctx, &t.files); err != nil {
		return Report{}, err
	}
	err := j.stageAll(ctx)
	return j.report, err
}

// AddFile prepares to write data to the file at path; Commit writes it. An existing file keeps its
// mode; a new file gets the mode 0644 minus the umask. A symbolic link is replaced, unless its
// target already contains data. The folder must exist.
func (t *Transaction) AddFile(ctx context.Context, path string, data []byte) error {
	f, err := t.files.Open(ctx, filepath.Dir(path), false)
	if err != nil {
		return err
	}
	_, _, err = f.Stage(phaseCallerFiles, filepath.Base(path), data)
	return err
}

// Close removes the temporary files that were not committed, and unlocks the folders.
func (t *Transaction) Close() {
	t.files.Close()
	*t = Transaction{}
}

// Commit makes all drafted changes. It first writes sitemaps, then indexes and other files that
// name sitemaps. The index of the first Draft comes last, because it may name the files of all
// other drafts. Then Commit removes stale files, and writes the files of AddFile. If the process is
// killed, each file is the old or the new one, and every file that an index names exists. Commit
// stops at the first error, which names the file. The next build completes the changes.
func (t *Transaction) Commit() error { return t.files.Commit() }

// A job is the state of one call of Transaction.Draft or Print. Its stage methods add files to the
// transaction.
type job struct {
	o           Options // with defaults set
	names       names   // file names and URLs of the sitemaps
	entries     Entries
	pageFormats []string // requested formats that list all pages, without duplicates
	feedFormats []string // requested formats that list only the newest pages, without duplicates
	hasXML      bool     // pageFormats contains "xml"
	hasLLMS     bool     // the format "llms" is requested
	groupKeys   []string // for each of Options.Groups, the colon and the name, such as ":blog"

	dir        *files.Folder // folder Options.Dir
	publishDir *files.Folder // folder of robots.txt and the IndexNow key
	llmsDir    *files.Folder // folder of llms.txt

	// Files that an earlier run may have written; set by findPastFiles.
	pastFiles    []place         // in the order of removal, see stageStaleRemovals
	pastChildren map[string]bool // paths of the files that are children of an entry file

	children  []child  // sitemap files that together list all pages
	feedNames []string // names of the staged feeds

	entryPhase int            // phase in which files that name other files are written
	phase      int            // phase in which files staged now are written
	changes    map[place]bool // files that the commit writes or removes
	buf        bytes.Buffer   // buffer for the content of the current file
	report     Report
}

// The phases of a commit. The order guarantees that every index names existing files, even if the
// commit is interrupted.
const (
	phaseChildren    = iota // write the files that other files name
	phaseIndexes            // write indexes and other files that may name the files of phaseChildren
	phaseLastIndex          // write these files of the first Draft; its index may name the files of all other drafts
	phaseOldFiles           // remove stale files
	phaseCallerFiles        // write the files of Transaction.AddFile
)

// newJob returns a job with the options o, in which defaults replace the zero values.
func newJob(entries Entries, o Options) *job {
	o.Name = cmp.Or(o.Name, DefaultName)
	o.Split = cmp.Or(o.Split, "auto")
	o.MaxURLs = cmp.Or(o.MaxURLs, sitemap.MaxURLs)
	o.MaxBytes = cmp.Or(o.MaxBytes, sitemap.DefaultMaxBytes)
	o.Feed.Items = cmp.Or(o.Feed.Items, 50)
	if len(o.Formats) == 0 {
		o.Formats = []string{"xml"}
	}
	j := &job{o: o, names: newNames(o.Base, o.Name), entries: entries, changes: map[place]bool{}}
	for i, name := range o.Formats {
		switch kind := formats[name].kind; {
		case slices.Contains(o.Formats[:i], name):
		case kind == allPages:
			j.pageFormats = append(j.pageFormats, name)
		case kind == newestPages:
			j.feedFormats = append(j.feedFormats, name)
		default:
			j.hasLLMS = true
		}
	}
	j.hasXML = slices.Contains(j.pageFormats, "xml")
	for _, g := range o.Groups {
		j.groupKeys = append(j.groupKeys, ":"+g.Name)
	}
	return j
}

// groupKey returns the element of j.groupKeys for the group that lists the URL loc, or "" if loc is
// in no group.
func (j *job) groupKey(loc string) string {
	if len(j.groupKeys) > 0 {
		if i := j.o.Group(loc); i >= 0 {
			return j.groupKeys[i]
		}
	}
	return ""
}

// openFolders opens and locks the folders that the job writes into. It creates the folder
// Options.Dir. With DryRun, it neither creates nor locks a folder.
func (j *job) openFolders(ctx context.Context, t *files.Transaction) (err error) {
	if j.o.Publish != "" {
		if j.publishDir, err = t.Open(ctx, j.o.Publish, j.o.DryRun); err != nil {
			return err
		}
	}
	if !j.o.DryRun {
		if err := files.MakeFolder(j.o.Dir, j.o.Publish); err != nil {
			return err
		}
	}
	if j.dir, err = t.Open(ctx, j.o.Dir, j.o.DryRun); err != nil {
		return err
	}
	j.publishDir = cmp.Or(j.publishDir, j.dir)
	if j.llmsDir = j.dir; files.Contains(j.o.Publish, j.o.Dir) {
		j.llmsDir = j.publishDir
	}
	return nil
}

// stageAll adds all files and removals of the job to the transaction.
func (j *job) stageAll(ctx context.Context) error {
	if err := j.findPastFiles(); err != nil {
		return err
	}
	j.phase = phaseChildren
	for _, stage := range []struct {
		asked bool
		do    func(*job, context.Context) error
	}{
		{j.o.Stylesheet && j.hasXML, (*job).stageStylesheet},
		{len(j.pageFormats) > 0, (*job).stageSitemaps},
		{len(j.feedFormats) > 0, (*job).stageFeeds},
		{j.o.Page != "", (*job).stagePeoplePage},
		{j.hasLLMS, (*job).stageLLMSFiles},
		{j.o.IndexNowKey != "", (*job).stageKey},
		{j.o.Robots, (*job).stageRobots},
	} {
		if stage.asked {
			if err := stage.do(j, ctx); err != nil {
				return err
			}
		}
	}
	j.stageStaleRemovals()
	if j.hasXML {
		j.stageForeignRemovals()
	}
	slices.SortFunc(j.report.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// urlOfWrittenFile returns the URL of the file called name. It adds ".gz" if the job writes only
// compressed files.
func (j *job) urlOfWrittenFile(name string) string { return j.names.loc(j.o.mainVariant(name)) }

// stageVariants adds the file called name to the transaction: plain, compressed, or both, as
// Options.Gzip requests. urls is the number of URLs in data. If replaceForeign is true, the file
// may replace a file of another tool.
func (j *job) stageVariants(name string, data []byte, urls int, replaceForeign bool) error {
	for _, suffix := range gzipSuffixes[j.o.Gzip] {
		out := data
		if suffix != "" {
			out = compressGzip(data)
		}
		if err := j.checkReplaceable(name+suffix, replaceForeign); err != nil {
			return err
		}
		if err := j.stage(place{j.dir, name + suffix}, out, File{URLs: urls}); err != nil {
			return err
		}
	}
	return nil
}

// checkReplaceable returns an error if a file called name exists and must not be replaced. If
// replaceForeign is true, a file of another tool may be replaced, but not a page of the site.
// checkReplaceable reports such a replacement if Options.TurnOff is "".
func (j *job) checkReplaceable(name string, replaceForeign bool) error {
	if err := j.dir.CheckReplaceable(name); err != nil {
		return err
	}
	protected := j.o.IsPage != nil && j.o.IsPage(name)
	switch {
	case !protected && j.mayReplace(name):
	case replaceForeign && protected:
		return fmt.Errorf("output %q would overwrite a page of the site; choose another output name", name)
	case replaceForeign && j.o.TurnOff != "":
	case replaceForeign:
		j.report.Diags.Notef(diag.Pos{File: name}, "replaced-sitemap", "switch the other tool's sitemap off, or give output.name another name",
			"a file that sitewalk did not write is replaced")
	default:
		return fmt.Errorf("output %q is in the way and was not written by sitewalk; remove it, or choose another output name", name)
	}
	return nil
}

// stage adds the file p with the content data to the transaction and to the report. f contains
// counts for the report, such as the number of URLs; stage sets the other fields.
func (j *job) stage(p place, data []byte, f File) error {
	info, changed, err := p.dir.Stage(j.phase, p.name, data)
	if err != nil {
		return err
	}
	if !changed {
		f.State = Unchanged
	}
	f.Name, f.Bytes, f.Info = j.reportedName(p), int64(len(data)), info
	j.report.Files = append(j.report.Files, f)
	j.changes[p] = true
	return nil
}

// stageRemoval adds the removal of the file p to the transaction and to the report. It does nothing
// if the file does not exist or Stat fails.
func (j *job) stageRemoval(p place) {
	info, err := p.dir.Stat(p.name)
	if info == nil || err != nil {
		return
	}
	p.dir.StageRemoval(phaseOldFiles, p.name)
	j.report.Files = append(j.report.Files, File{Name: j.reportedName(p), State: Removed, Bytes: info.Size()})
	j.changes[p] = true
}

// reportedName returns the name of p in the report: its slash-separated path relative to Dir.
func (j *job) reportedName(p place) string {
	if p.dir == j.dir {
		return p.name
	}
	if rel, err := filepath.Rel(j.dir.Dir, filepath.Join(p.dir.Dir, filepath.FromSlash(p.name))); err == nil {
		return filepath.ToSlash(rel)
	}
	return p.name
}

// gzipLevel is the compression level. It gives about the size and the run time of gzip -6 and pigz
// -6; see BenchmarkGzip.
const gzipLevel = 7

// noTime is the modification time in gzip headers that means "unknown" (RFC 1952, section 2.3.1).
var noTime = time.Unix(0, 0)

// newGzipWriter returns a gzip writer to w. Its header has no name and no time, so equal input
// gives equal output.
func newGzipWriter(w io.Writer) *gzip.Writer {
	z, _ := gzip.NewWriterLevel(w, gzipLevel) // fails only for an invalid level
	z.ModTime = noTime
	return z
}

// compressGzip returns data compressed with gzip.
func compressGzip(data []byte) []byte {
	var b bytes.Buffer
	z := newGzipWriter(&b)
	_, _ = z.Write(data) // writes to memory
	_ = z.Close()
	return b.Bytes()
}
