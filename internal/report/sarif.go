package report

import (
	"cmp"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// The SARIF objects that sitewalk writes.
// See https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Automation  sarifMember       `json:"automationDetails"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifMember map[string]any // an object with a single field, such as {"text": …}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		URI     string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string      `json:"id"`
		Short   sarifMember `json:"shortDescription"`
		Help    sarifMember `json:"help"`
		HelpURI string      `json:"helpUri"`
		Default sarifMember `json:"defaultConfiguration"`
	}
	sarifInvocation struct {
		Successful    bool        `json:"executionSuccessful"`
		Notifications []sarifNote `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNote struct {
		Level   string      `json:"level"`
		Message sarifMember `json:"message"`
	}
	sarifResult struct {
		RuleID              string            `json:"ruleId"`
		RuleIndex           int               `json:"ruleIndex"`
		Level               string            `json:"level"`
		Message             sarifMember       `json:"message"`
		Locations           []sarifLocation   `json:"locations"`
		Related             []sarifLocation   `json:"relatedLocations,omitempty"`
		PartialFingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Message  sarifMember `json:"message,omitempty"`
		Physical struct {
			Artifact sarifArtifact `json:"artifactLocation"`
			Region   sarifMember   `json:"region,omitempty"`
		} `json:"physicalLocation"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
)

func newSARIFText(text string) sarifMember { return sarifMember{"text": text} }

func writeSARIF(w io.Writer, r *Report, o *Options) error {
	run := sarifRun{Automation: sarifMember{"id": "sitewalk/" + r.Command + "/"}}
	run.Tool.Driver = sarifDriver{Name: "sitewalk", Version: o.Version, URI: projectURL}
	rules := run.Tool.Driver.addRules(r)
	inv := sarifInvocation{Successful: r.Error == ""}
	if r.Error != "" {
		inv.Notifications = append(inv.Notifications, sarifNote{"error", newSARIFText(oneLine(r.Error))})
	}
	items := r.items(o)
	items = items[:min(len(items), MaxFindings)]
	if rest := r.CountAtLeast(diag.Note) - len(items); rest > 0 {
		inv.Notifications = append(inv.Notifications, sarifNote{"warning", newSARIFText(diag.Count(rest, "more finding") + " left out")})
	}
	if r.Live != "" {
		inv.Notifications = append(inv.Notifications, sarifNote{"note", newSARIFText(r.Live)})
	}
	run.Invocations = []sarifInvocation{inv}
	run.Results = make([]sarifResult, len(items))
	for i := range items {
		run.Results[i] = items[i].newSARIFResult(rules, o)
	}
	e := NewTerminalSafeEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// projectURL is the URL of sitewalk's repository.
const projectURL = "https://github.com/sitewalk/sitewalk"

// addRules adds a SARIF rule for each code in the report. It returns a map from the code to the
// index of its rule.
func (s *sarifDriver) addRules(r *Report) (index map[string]int) {
	index = map[string]int{}
	s.Rules = []sarifRule{}
	for i, k := range r.Findings {
		c := FindCode(k.Code)
		index[k.Code] = i
		s.Rules = append(s.Rules, sarifRule{
			ID: k.Code, Short: newSARIFText(cmp.Or(c.Meaning, k.Code)), Help: newSARIFText(cmp.Or(c.Remedy, diag.Plain(k.List[0].Hint), c.Meaning, k.Code)),
			HelpURI: projectURL + "/blob/main/docs/diagnostics.md#codes", Default: sarifMember{"level": k.Severity},
		})
	}
	return index
}

func (i *item) newSARIFResult(rules map[string]int, o *Options) sarifResult {
	res := sarifResult{
		RuleID: i.Code, RuleIndex: rules[i.Code], Level: i.Severity.String(), Message: newSARIFText(i.messageWithHint()),
		Locations:           []sarifLocation{newSARIFLocation(i.Place)},
		PartialFingerprints: map[string]string{"sitewalk/v1": i.Fingerprint},
	}
	if i.Source.File != "" && i.Pos.File != "" {
		page := newSARIFLocation(diag.Pos{File: o.Rel(i.Pos.File), Line: i.Pos.Line})
		page.Message = newSARIFText("the built page")
		res.Related = []sarifLocation{page}
	}
	return res
}

// newSARIFLocation converts a position to a SARIF location. SARIF requires a file, so a position
// without a file gets fallbackFile. An absolute path becomes a file: URL.
func newSARIFLocation(pos diag.Pos) (l sarifLocation) {
	pos.File = cmp.Or(pos.File, fallbackFile)
	if path.IsAbs(pos.File) || filepath.IsAbs(pos.File) {
		l.Physical.Artifact.URI = (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(pos.File, "/")}).String() // file:///C:/a.html
	} else {
		l.Physical.Artifact = sarifArtifact{(&url.URL{Path: strings.TrimPrefix(pos.File, "./")}).String(), "%SRCROOT%"}
	}
	if pos.Line > 0 {
		l.Physical.Region = sarifMember{"startLine": pos.Line}
	}
	return l
}
