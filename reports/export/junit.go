package export

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// WriteJUnit writes a JUnit XML file with one test suite for each condition and one test case for
// each case. Wrong cases are failures, cases without an answer are errors, and unscored cases are
// skipped. For several epochs, the worst outcome counts, and the time is the mean. Gates are a
// separate suite. An interrupted run and a condition without a trial are errors.
//
// The class name is SUITE.VARIANT, followed by + FAULT. GitLab shows it as the suite, and Jenkins
// splits it at its last dot. The file is not larger than maxJUnitBytes.
func WriteJUnit(w io.Writer, r Report) error { return writeJUnit(w, r, maxJUnitBytes) }

func writeJUnit(w io.Writer, r Report, maxBytes int) error {
	trials := r.Trials
	if trials == nil {
		trials = newTrialCollector(r.Summary, maxBytes)
		if r.Run != nil {
			if err := r.Run.ReadInto(trials); err != nil {
				return fmt.Errorf("junit: %w", err)
			}
		}
	}
	eachCondition(r.Summary, func(c condition, sum eval.ConditionSummary) { trials.add(c).metrics = sum.Metrics })
	known := map[conditionCase]*record{}
	if r.KnownFailuresRun != nil {
		var err error
		if known, err = recordsOf(r.KnownFailuresRun, func(conditionCase) bool { return true }); err != nil {
			return fmt.Errorf("junit: %w", err)
		}
	}
	suites := testSuites(r.Summary, trials, known)
	first := trials.detail
	if r.FailuresOnly {
		first = max(first, failuresOnly)
	}
	for d := first; int(d) < len(details); d++ {
		out := boundedBuffer{max: maxBytes}
		err := encodeJUnit(&out, suites, d)
		switch {
		case err == nil:
			return write(w, "junit", out.text.Bytes())
		case !errors.Is(err, errTooLarge):
			return fmt.Errorf("junit: %w", err)
		}
	}
	return fmt.Errorf("junit: the report of %s exceeds %s bytes", metric.Plural(int64(len(suites)), "suite"),
		metric.FormatInteger(int64(maxBytes)))
}

// testSuite is a suite of a JUnit file.
type testSuite struct {
	name, class string
	// whether test cases may be omitted if the file gets too large: true for conditions, false for
	// the gates
	canFold bool
	metrics map[string]eval.Estimate
	tests   []testCase
}

// testSuites returns the test suites: one for problems of the whole run if there are any, one for
// the gates, then one for each condition.
func testSuites(s eval.Summary, trials *TrialCollector, known map[conditionCase]*record) (list []testSuite) {
	if about := runTests(s); len(about) > 0 {
		list = append(list, testSuite{name: "run", class: "run", tests: about})
	}
	if len(s.Gates) > 0 {
		list = append(list, testSuite{name: "gates", class: "gates", tests: gateTests(s.Gates)})
	}
	classes, titles := names{}, names{}
	for _, one := range list {
		classes.of(one.class)
		titles.of(one.name)
	}
	for _, of := range trials.list {
		list = append(list, testSuite{
			name:    titles.of(of.suite + "/" + of.variant + "/" + of.fault),
			class:   classes.of(of.suite + "." + of.variantAndFault()),
			canFold: true,
			metrics: of.metrics,
			tests:   of.tests(known),
		})
	}
	return list
}

// runTests returns a test case for each problem of the whole run.
func runTests(s eval.Summary) (list []testCase) {
	switch {
	case s.Shard != nil:
		list = append(list, testCase{
			name:    s.Shard.Describe(),
			outcome: skipped,
			kind:    "shard",
			message: "gates are not checked for a single shard: combine all shards with evalctl merge",
		})
	case s.Partial:
		list = append(list, testCase{
			name:    "the run ended",
			outcome: errored,
			kind:    "partial",
			message: "PARTIAL: " + finding.IncompleteNote(s, "this report"),
		})
	}
	if len(s.Suites) == 0 {
		list = append(list, testCase{
			name:    "a suite ran",
			outcome: errored,
			kind:    "nothing",
			message: "no suite ran: nothing was measured",
		})
	}
	return list
}

func gateTests(gates []eval.GateVerdict) (list []testCase) {
	rules := names{}
	for _, g := range gates {
		t := testCase{
			name:    rules.of(g.Rule),
			outcome: failed,
			kind:    "gate",
			message: oneLine(g.Reason, longText),
		}
		switch g.Verdict {
		case eval.GatePassed:
			t = testCase{name: t.name}
		case eval.GateUndecided:
			t.outcome, t.kind, t.message = skipped, "undecided", oneLine("undecided: "+g.Reason, longText)
		}
		list = append(list, t)
	}
	return list
}

// tests returns the test cases of a condition. A wrong case is skipped if it was also wrong in the
// run with known failures, with the same turns and labels.
func (s *conditionCases) tests(known map[conditionCase]*record) []testCase {
	if len(s.cases) == 0 {
		return []testCase{{name: "at least one trial ran", outcome: errored, kind: "nothing",
			message: "no trial of this condition is available"}}
	}
	ids := names{}
	list := make([]testCase, 0, len(s.cases))
	for _, id := range slices.Sorted(maps.Keys(s.cases)) {
		c := s.cases[id]
		t := c.result(ids.of(id))
		if was := known[conditionCase{condition: s.condition, id: id}]; t.outcome == failed && was != nil &&
			was.wrong > was.right && was.hash == c.hash {
			t.outcome, t.kind, t.message = skipped, "known_failure", "already wrong in the baseline run: "+t.message
		}
		list = append(list, t)
	}
	return list
}

// xmlWriter writes XML elements. It writes nothing after the first error.
type xmlWriter struct {
	out *xml.Encoder
	err error
}

func (x *xmlWriter) write(token xml.Token) {
	if x.err == nil {
		x.err = x.out.EncodeToken(token)
	}
}

// open writes the start of an element with attributes, which are names and values alternately. It
// returns the end of the element.
func (x *xmlWriter) open(name string, attributes ...string) xml.EndElement {
	start := xml.StartElement{Name: xml.Name{Local: name}}
	for pair := range slices.Chunk(attributes, 2) {
		start.Attr = append(start.Attr, xml.Attr{Name: xml.Name{Local: pair[0]}, Value: pair[1]})
	}
	x.write(start)
	return start.End()
}

// encodeJUnit writes a JUnit file, one element after the other.
func encodeJUnit(w io.Writer, suites []testSuite, d detail) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	x := xmlWriter{out: xml.NewEncoder(w)}
	x.out.Indent("", " ")
	root := x.open("testsuites", "name", "evalctl")
	for _, s := range suites {
		s.write(&x, d)
	}
	x.write(root)
	x.write(xml.CharData("\n"))
	return errors.Join(x.err, x.out.Flush())
}

func (s testSuite) write(x *xmlWriter, d detail) {
	tests := s.tests
	if s.canFold {
		tests = d.fold(tests)
	}
	var counts [outcomes]int
	var duration time.Duration
	for _, t := range tests {
		counts[t.outcome]++
		duration += t.duration
	}
	suite := x.open("testsuite", "name", s.name, "tests", strconv.Itoa(len(tests)),
		"failures", strconv.Itoa(counts[failed]), "errors", strconv.Itoa(counts[errored]),
		"skipped", strconv.Itoa(counts[skipped]), "time", formatSeconds(duration))
	if list := s.properties(d); len(list) > 0 {
		properties := x.open("properties")
		for _, p := range list {
			x.write(x.open("property", "name", p[0], "value", p[1]))
		}
		x.write(properties)
	}
	for _, t := range tests {
		test := x.open("testcase", "classname", s.class, "name", t.name, "time", formatSeconds(t.duration))
		switch {
		case t.outcome != passed:
			problem := x.open(elements[t.outcome], "message", t.message, "type", t.kind)
			// repeats the message as element text, because GitLab shows only the text
			x.write(xml.CharData(strings.TrimSuffix(t.message+"\n"+t.text, "\n")))
			x.write(problem)
		case t.text != "":
			output := x.open("system-out")
			x.write(xml.CharData(t.text))
			x.write(output)
		}
		x.write(test)
	}
	x.write(suite)
}

// elements contains the JUnit element for each outcome.
var elements = [outcomes]string{skipped: "skipped", errored: "error", failed: "failure"}

// properties returns names and values: the metrics of the condition in the order of the catalog, and
// a note on what is omitted.
func (s testSuite) properties(d detail) (list [][2]string) {
	if left := details[d].omitted; left != "" {
		list = append(list, [2]string{"evalctl.left_out", left})
	}
	if details[d].noMetrics {
		return list
	}
	keys := names{}
	for _, k := range metric.InOrder(slices.Collect(maps.Keys(s.metrics))) {
		if e := s.metrics[k.Name]; metric.IsKnown(e.Value) {
			list = append(list, [2]string{keys.of(k.Name), formatFloat(*e.Value)},
				[2]string{keys.of(k.Name + ".n"), strconv.FormatInt(e.N, 10)})
		}
	}
	return list
}

func formatSeconds(d time.Duration) string {
	return strconv.FormatFloat(max(d, 0).Seconds(), 'f', 6, 64)
}

var errTooLarge = errors.New("the file is too large")

// boundedBuffer is a buffer of at most max bytes. A Write of more fails with errTooLarge.
type boundedBuffer struct {
	text bytes.Buffer
	max  int
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > b.max {
		return 0, errTooLarge
	}
	return b.text.Write(p)
}
