package cli

import (
	"runtime/debug"
	"testing"
)

func TestParseBuildInfo(t *testing.T) {
	vcs := []debug.BuildSetting{
		{Key: "vcs.revision", Value: "5cf7517"}, {Key: "vcs.time", Value: "2026-11-22T06:00:00Z"}, {Key: "vcs.modified", Value: "true"},
	}
	for name, c := range map[string]struct {
		info debug.BuildInfo
		want buildSource
	}{
		"go test":         {debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, buildSource{}},
		"go install, tag": {debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, buildSource{Version: "1.2.3"}},
		"checkout": {
			debug.BuildInfo{Main: debug.Module{Version: "v1.2.3+dirty"}, Settings: vcs},
			buildSource{Version: "1.2.3+dirty", Commit: "5cf7517+changes", Date: "2026-11-22T06:00:00Z"},
		},
	} {
		if got := parseBuildInfo(&c.info); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}
