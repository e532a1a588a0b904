package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	m.Run()
}

// kinds returns the findings grouped by code, as commands add them to a report.
func kinds(l diag.List) []diag.Kind {
	r := diag.Report{MaxKept: -1}
	r.Add(l...)
	return r.Kinds()
}

func TestOutcomeFollowsSeverity(t *testing.T) {
	var l diag.List
	l.Warnf(diag.Pos{File: "a"}, "x", "", "m")
	warning, failure := diag.Warning, diag.Error
	for name, tt := range map[string]struct {
		r    Report
		want Outcome
	}{
		"warning, FailsAt unset":   {Report{Findings: kinds(l)}, Passed},
		"warning, FailsAt error":   {Report{Findings: kinds(l), FailsAt: &failure}, Passed},
		"warning, FailsAt warning": {Report{Findings: kinds(l), FailsAt: &warning}, Failed},
		"error":                    {Report{Error: "no"}, Broken},
	} {
		if got := tt.r.Outcome(); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

// TestJSONJoinsDetails checks that the fields of Details are written between the common fields.
func TestJSONJoinsDetails(t *testing.T) {
	for name, details := range map[string]any{
		"none": nil, "empty": struct{}{},
		"some": struct {
			N int `json:"n"`
		}{7},
	} {
		var b bytes.Buffer
		r := &Report{Command: "check", Details: details}
		if err := writeJSON(&b, r, nil); err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, &b)
		}
		if got["command"] != "check" || got["findings"] == nil || name == "some" && got["n"] != 7.0 {
			t.Errorf("%s: got %s", name, &b)
		}
	}
}
