package export

import (
	"fmt"
	"math"
	"strings"
	"time"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
)

// maxJUnitBytes is the maximum size of a JUnit XML file, in bytes. GitLab accepts 30 MB.
const maxJUnitBytes = 29_000_000

// outcome is the outcome of a trial or a test case. Later values are worse.
type outcome int

const (
	passed  outcome = iota
	skipped         // the decision is unscored
	errored         // there is no answer
	failed          // the decision is wrong
	outcomes
)

var outcomeWords = [outcomes]string{"passed", "could not be scored", "have no answer", "are wrong"}

func outcomeOf(r eval.Result) outcome {
	switch {
	case r.IsWrong():
		return failed
	case r.IsUnscored() && (r.Error != nil || r.ErrorReply != "" || r.AnsweredBy == ""):
		return errored
	case r.IsUnscored() || r.Correct == nil:
		return skipped
	}
	return passed
}

// testCase is a test case of a JUnit file. Its texts contain no unsafe characters.
type testCase struct {
	name     string
	duration time.Duration
	outcome  outcome
	kind     string // machine-readable reason why the case did not pass
	message  string
	text     string // several lines that describe the trial
}

// caseTrials is a case in a condition. It combines the results of all epochs into their worst
// outcome.
type caseTrials struct {
	testCase       // duration is the total of all epochs; message and text describe the epoch below
	epochs         int64
	hash           eval.CaseHash
	matchingEpochs int64 // number of epochs with the worst outcome
	epoch          int   // first epoch with the worst outcome
}

// add adds a trial of the case. The order in which trials are added does not matter.
func (c *caseTrials) add(r eval.Result) {
	c.duration += time.Duration(max(r.Duration, 0))
	c.epochs++
	c.hash = r.CaseHash
	o := outcomeOf(r)
	switch {
	case c.epochs > 1 && o < c.outcome:
		return
	case c.epochs == 1 || o > c.outcome:
		c.matchingEpochs = 0
	case r.Epoch > c.epoch:
		c.matchingEpochs++
		return
	}
	c.matchingEpochs++
	c.outcome, c.epoch = o, r.Epoch
	c.kind, c.message = reason(o, r)
	c.text = trialText(o, r)
}

// result returns the test case with its mean duration, so that test times do not depend on the number
// of epochs. With several epochs, the message has the number of epochs with this outcome.
func (c *caseTrials) result(name string) testCase {
	t := c.testCase
	t.name = name
	t.duration /= time.Duration(c.epochs)
	if c.epochs > 1 {
		t.message = fmt.Sprintf("%s (%d of %s)", t.message, c.matchingEpochs, metric.Plural(c.epochs, "epoch"))
	}
	return t
}

// reason returns the kind of a failure and a message that explains it. Both are "" if the trial
// passed.
func reason(o outcome, r eval.Result) (kind, message string) {
	switch {
	case o == failed:
		return "wrong", "expected " + expectedLabels(r) + ", got " + name(r.Actual())
	case o == errored && r.Error != nil:
		return name(string(r.Error.Kind)), name(string(r.Error.Kind) + " error: " + r.Error.Message)
	case o == errored:
		return "no_answer", "no answer: " + name(r.Actual())
	case o == skipped && len(r.Expected) > 0:
		return "unscored", "unscored: no decision to score"
	case o == skipped:
		return "unscored", "unscored: the case has no expected outcome"
	}
	return "", ""
}

func expectedLabels(r eval.Result) string {
	if len(r.Expected) == 0 {
		return "another answer"
	}
	return name(strings.Join(r.Expected, " or "))
}

const maxFallbacks = 10

// trialText describes a trial in several lines: input, expected and actual label, fallbacks and
// errors.
func trialText(o outcome, r eval.Result) string {
	list := []string{"asked: " + name(r.Text)}
	if len(r.Expected) > 0 {
		list = append(list, "expected: "+expectedLabels(r))
	}
	list = append(list, "got: "+name(r.Actual()))
	if r.DecidedBy != "" {
		by := "decided by: " + name(r.DecidedBy)
		if r.Confidence != nil {
			by += ", confidence " + metric.FormatRatio(*r.Confidence)
		}
		list = append(list, by)
	}
	for _, f := range r.Fallbacks[:min(len(r.Fallbacks), maxFallbacks)] {
		list = append(list, "fallback: "+name(f.From)+" to "+name(f.To)+", "+name(f.Reason))
	}
	if lacks := r.FailedChecks(); o == passed && len(lacks) > 0 {
		list = append(list, "lacks: "+name(strings.Join(lacks, "; ")))
	}
	if r.Error != nil {
		list = append(list, "error: "+oneLine(r.Error.Error(), longText))
	}
	return strings.Join(list, "\n")
}

// detail is the level of detail of a JUnit file, an index of details.
type detail int

// details lists what a JUnit file contains, from the most to the least. If a file is too large, the
// next level is written.
var details = [...]struct {
	omitted     string // what is omitted, as a note in the file
	passedTexts bool   // passed cases have a text
	texts       bool   // other cases have a text in addition to their message
	maxPassed   int    // how many passed cases each suite lists
	maxOthers   int    // how many cases of each other outcome each suite lists
	noMetrics   bool
}{
	{passedTexts: true, texts: true, maxPassed: math.MaxInt, maxOthers: math.MaxInt},
	{omitted: "texts of cases that passed", texts: true, maxPassed: math.MaxInt, maxOthers: math.MaxInt},
	{omitted: "cases that passed", texts: true, maxOthers: math.MaxInt},
	{omitted: "cases that passed, and texts of the others", maxOthers: math.MaxInt},
	{omitted: "cases that passed, and of the others texts and most cases", maxOthers: 100},
	{omitted: "metrics, cases that passed, and of the others texts and most cases", maxOthers: 1, noMetrics: true},
}

const failuresOnly detail = 2 // the first level that does not list passed cases

// hasText reports whether a test case with this outcome has a text.
func (d detail) hasText(o outcome) bool {
	return details[d].texts && (o != passed || details[d].passedTexts)
}

// fold returns the test cases that are listed. For each outcome, one additional test case represents
// the omitted ones.
func (d detail) fold(tests []testCase) (list []testCase) {
	var omitted [outcomes]struct {
		cases    int64
		duration time.Duration
	}
	var listed [outcomes]int
	for _, t := range tests {
		most := details[d].maxOthers
		if t.outcome == passed {
			most = details[d].maxPassed
		}
		if listed[t.outcome] == most {
			omitted[t.outcome].cases++
			omitted[t.outcome].duration += t.duration
			continue
		}
		listed[t.outcome]++
		if !d.hasText(t.outcome) {
			t.text = ""
		}
		list = append(list, t)
	}
	for o, rest := range omitted {
		if rest.cases == 0 {
			continue
		}
		n := metric.Plural(rest.cases, "case")
		t := testCase{
			name:     "(" + n + " that " + outcomeWords[o] + ")",
			duration: rest.duration,
			outcome:  outcome(o),
		}
		if t.outcome != passed {
			t.kind, t.message = "folded", n+" for which there is no room in this file"
		}
		list = append(list, t)
	}
	return list
}

// conditionCases contains the metrics of one condition and its cases by ID.
type conditionCases struct {
	condition
	metrics map[string]eval.Estimate
	cases   map[string]*caseTrials
}

// TrialCollector collects the trials of a run for the JUnit format, grouped by condition and case.
// Conditions have the order of the summary. Conditions that are not in the summary come last.
type TrialCollector struct {
	list         []*conditionCases
	byCondition  map[condition]*conditionCases
	textBytes    int    // total size of the stored texts, in bytes
	maxTextBytes int    // maximum of textBytes; above it, Add drops texts
	detail       detail // most detailed JUnit file for which the texts suffice
}

var _ eval.Sink = (*TrialCollector)(nil)

// NewTrialCollector returns an empty collector for the results of a run.
func NewTrialCollector(run *runs.Run) *TrialCollector {
	return newTrialCollector(eval.Summary{Suites: run.Suites()}, maxJUnitBytes)
}

// newTrialCollector returns a collector that stores at most the given number of bytes of text,
// because the JUnit file cannot contain more. It drops the texts of passed cases first.
func newTrialCollector(sum eval.Summary, maxTextBytes int) *TrialCollector {
	s := &TrialCollector{byCondition: map[condition]*conditionCases{}, maxTextBytes: maxTextBytes}
	eachCondition(sum, func(c condition, _ eval.ConditionSummary) { s.add(c) })
	return s
}

func (s *TrialCollector) add(c condition) *conditionCases {
	if s.byCondition[c] == nil {
		s.byCondition[c] = &conditionCases{condition: c, cases: map[string]*caseTrials{}}
		s.list = append(s.list, s.byCondition[c])
	}
	return s.byCondition[c]
}

// Add adds the result of a trial.
func (s *TrialCollector) Add(r eval.Result) error {
	of := s.add(conditionOf(r))
	c := of.cases[r.Case]
	if c == nil {
		c = &caseTrials{}
		of.cases[r.Case] = c
	}
	before := len(c.text)
	c.add(r)
	s.dropText(c)
	s.textBytes += len(c.text) - before
	for s.textBytes > s.maxTextBytes {
		s.detail++ // ends, because the last levels have no texts
		s.textBytes = 0
		for _, of := range s.list {
			for _, c := range of.cases {
				s.dropText(c)
				s.textBytes += len(c.text)
			}
		}
	}
	return nil
}

// dropText drops the text of a case if the JUnit file does not show it.
func (s *TrialCollector) dropText(c *caseTrials) {
	if !s.detail.hasText(c.outcome) {
		c.text = ""
	}
}
