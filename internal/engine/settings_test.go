package engine

import (
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/watch"
)

// TestLoadSettingsReadsChangedFileAgain changes sitemap.yaml while loadSettings resolves the
// settings. The new content equals the content at the previous call of loadSettings, which must
// still notice the change.
func TestLoadSettingsReadsChangedFileAgain(t *testing.T) {
	p := newProject(t, testsite.SmallFiles())
	o := p.options()
	o.Watch = func(watch.Options) Batches { return &fakeWatcher{p: p} }
	calls, last := 0, 0
	getenv := o.Input.Getenv
	o.Input.Getenv = func(name string) string {
		if calls++; calls == last {
			p.Write("sitemap.yaml", "base_url: https://b.internal/\n")
		}
		return getenv(name)
	}
	s := newSession(o)
	load := func() (base string) {
		calls = 0
		b, err := s.loadSettings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return b.Settings.Site.Base.String()
	}
	p.Write("sitemap.yaml", "base_url: https://b.internal/\n")
	load()
	load()
	last = calls
	p.Write("sitemap.yaml", "base_url: https://a.internal/\n")
	if got := load(); got != "https://b.internal/" {
		t.Errorf("base URL: got %s, want https://b.internal/", got)
	}
}
