// Package export writes a run in formats that CI systems and OpenTelemetry collectors read.
package export

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
	"evalctl/reports/finding"
)

// Report contains the run to report in the format of a CI system.
type Report struct {
	Summary eval.Summary
	Run     *runs.Run // files of the run; nil: the formats report no single trials
	// trials that were collected while the run was read; nil: the formats read them from Run
	Trials      *TrialCollector
	BaselineRun *runs.Run // earlier run, to find cases that fail only now; nil: none
	// earlier run with known failures; JUnit reports cases that failed in it as skipped; nil: none
	KnownFailuresRun *runs.Run
	// JUnit represents the passed cases of a condition by one test case
	FailuresOnly bool
}

// condition identifies one combination of suite, variant and fault.
type condition struct{ suite, variant, fault string }

func conditionOf(r eval.Result) condition {
	return condition{suite: r.Suite, variant: r.Variant, fault: cmp.Or(r.Fault, eval.NoFault)}
}

// String returns the condition for use in a sentence: "suite · variant + fault".
func (c condition) String() string { return c.suite + " · " + c.variantAndFault() }

// variantAndFault returns the variant, followed by "+" and the fault if there is one.
func (c condition) variantAndFault() string {
	if c.fault == eval.NoFault {
		return c.variant
	}
	return c.variant + " + " + c.fault
}

func (c condition) compare(o condition) int {
	return cmp.Or(cmp.Compare(c.suite, o.suite), cmp.Compare(c.variant, o.variant), cmp.Compare(c.fault, o.fault))
}

// eachCondition calls see for each condition of a summary, in the order of the summary.
func eachCondition(s eval.Summary, see func(condition, eval.ConditionSummary)) {
	for _, suite := range s.Suites {
		for _, c := range suite.Conditions {
			see(condition{suite: suite.Name, variant: c.Variant, fault: cmp.Or(c.Fault, eval.NoFault)}, c)
		}
	}
}

// gatesText states how many gates passed, failed and are undecided, for example "2 of 3 gates passed, 1
// failed".
func gatesText(n finding.GateCounts) string {
	passed := n[finding.GatePassed]
	text := fmt.Sprintf("%d of %s passed", passed,
		metric.Plural(passed+n[finding.GateFailed]+n[finding.GateUndecided], "gate"))
	n[finding.GatePassed] = 0
	if others := n.String(); others != "" {
		text += ", " + others
	}
	return text
}

func write(w io.Writer, format string, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write %s report: %w", format, err)
	}
	return nil
}

// Maximum lengths of names and texts in the formats of CI systems, in characters. Names that become
// equal by truncation get a number.
const (
	longName = 200
	longText = 2_000
)

// name returns any name as a short line that is safe in the formats of all CI systems.
func name(text string) string { return oneLine(text, longName) }

// oneLine returns a text as one safe line of at most the given number of characters.
func oneLine(text string, most int) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\t', '\r', '\u2028', '\u2029':
			return ' '
		}
		return safeRune(r)
	}, short(text, most))
}

// safeRune replaces a character that is a control character or invalid in XML 1.0.
func safeRune(r rune) rune {
	if r == '\ufffe' || r == '\uffff' {
		return utf8.RuneError
	}
	return text.ControlSymbol(r)
}

// short truncates a text to at most the given number of characters, including the ellipsis. It
// replaces invalid UTF-8.
func short(s string, most int) string {
	n := 0
	for at := range s {
		if n++; n < most {
			continue
		}
		if _, size := utf8.DecodeRuneInString(s[at:]); at+size < len(s) {
			s = s[:at] + text.Ellipsis
		}
		break
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

// names makes names unique after escaping and truncation, by appending a number.
type names map[string]int

func (n names) of(text string) string {
	text = name(text)
	base := short(text, longName-len(" (1000000)"))
	one := text
	for n[one] > 0 {
		n[text]++
		one = base + " (" + strconv.Itoa(n[text]) + ")"
	}
	n[one]++
	return one
}

// formatFloat formats a value with as many digits as it has.
func formatFloat(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
