package cli

import (
	"runtime/debug"
	"testing"
)

func TestRecorded(t *testing.T) {
	vcs := []debug.BuildSetting{
		{Key: "vcs.revision", Value: "5cf7517"}, {Key: "vcs.time", Value: "2026-11-22T06:00:00Z"}, {Key: "vcs.modified", Value: "true"},
	}
	for name, c := range map[string]struct {
		info *debug.BuildInfo
		want source
	}{
		"nothing":          {nil, source{}},
		"go test":          {&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, source{}},
		"go install, tag":  {&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3", Sum: "h1:x="}}, source{Version: "1.2.3", Sum: "h1:x="}},
		"go install, main": {&debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-20261122064324-5cf75170abcd"}}, source{Version: "0.0.0-20261122064324-5cf75170abcd", Commit: "5cf75170abcd", Date: "2026-11-22T06:43:24Z"}},
		"go install, after a tag": {
			&debug.BuildInfo{Main: debug.Module{Version: "v1.2.4-0.20261122064324-5cf75170abcd"}},
			source{Version: "1.2.4-0.20261122064324-5cf75170abcd", Commit: "5cf75170abcd", Date: "2026-11-22T06:43:24Z"},
		},
		"checkout": {
			&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3+dirty"}, Settings: vcs},
			source{Version: "1.2.3+dirty", Commit: "5cf7517+changes", Date: "2026-11-22T06:00:00Z"},
		},
	} {
		if got := fromGo(c.info); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
