package report

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/sitewalk/sitewalk/diag"
)

// The elements of a JUnit file. sitewalk writes a test suite for the command and for each finding
// code. The suite of a code has a test case for each finding.
// See https://github.com/testmoapp/junitxml
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitFailure `xml:"failure"`
		Error   *junitFailure `xml:"error"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes the report as JUnit XML. A finding is a failed test case if it is an error or
// makes the command fail. Other findings are passed test cases with output.
func writeJUnit(w io.Writer, r *Report, o *Options) error {
	all := junitSuites{Name: "sitewalk " + r.Command, Suites: []junitSuite{r.newCommandSuite()}}
	for _, of := range groupByKey(r.items(o), func(it item) string { return it.Code }) {
		s := junitSuite{Name: of[0].Code}
		for _, it := range of {
			s.addCase(it.newJUnitCase(r))
		}
		all.Suites = append(all.Suites, s)
	}
	for i := range all.Suites {
		s := &all.Suites[i]
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (j *junitSuite) addCase(c junitCase) {
	j.Cases = append(j.Cases, c)
	j.Tests++
	if c.Failure != nil {
		j.Failures++
	}
	if c.Error != nil {
		j.Errors++
	}
}

// newCommandSuite returns the test suite of the command itself. A report without findings has only
// this suite, because CI systems expect at least one test case.
func (r *Report) newCommandSuite() junitSuite {
	s := junitSuite{Name: "sitewalk"}
	c := junitCase{Name: r.Command, Class: "sitewalk", Out: r.Live}
	if r.Error != "" {
		c.Error = &junitFailure{oneLine(r.Error), "error", diag.Plain(r.Error)}
	}
	s.addCase(c)
	return s
}

func (i *item) newJUnitCase(r *Report) junitCase {
	c := junitCase{Name: diag.Plain(i.Message), Class: i.Code, File: diag.Plain(i.Place.File), Line: i.Place.Line}
	if i.Place.File != "" {
		c.Name = diag.Plain(i.Place.String()) + ": " + c.Name
	}
	text := fmt.Sprintf("%s: %s", i.Severity, i.messageWithHint())
	if i.Severity == diag.Error || r.isFailureSeverity(i.Severity) {
		c.Failure = &junitFailure{diag.Plain(i.Message), i.Code, text}
	} else {
		c.Out = text
	}
	return c
}
