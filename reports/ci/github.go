package ci

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// maxAnnotations is the maximum number of annotations of each kind that GitHub shows for a workflow
// step.
const maxAnnotations = 10

// WriteGitHub writes workflow commands. When a workflow step prints them, GitHub Actions shows them
// as annotations:
//
//   - errors for a run that was interrupted and for failed gates
//   - warnings for undecided gates, for trials without an answer (except under a fault),
//     and for new failures; the most affected conditions come first
//   - a notice with the size of the run
func WriteGitHub(w io.Writer, r Report) error {
	broken, err := newFailures(r)
	if err != nil {
		return fmt.Errorf("github: %w", err)
	}
	var out bytes.Buffer
	annotate(&out, "error", errorsOf(r.Summary))
	annotate(&out, "warning", slices.Concat(undecided(r.Summary.Gates), missing(r.Summary), broken))
	annotate(&out, "notice", []annotation{{title: "evalctl", text: notice(r.Summary)}})
	return write(w, "github", out.Bytes())
}

// annotation is the title and text of a GitHub annotation. An annotation is an error, a warning or
// a notice.
type annotation struct{ title, text string }

// annotate writes annotations of one kind. If there are more than GitHub shows, the last one states
// how many are omitted.
func annotate(out *bytes.Buffer, kind string, list []annotation) {
	if more := len(list) - maxAnnotations; more > 0 {
		list = append(slices.Clone(list[:maxAnnotations-1]),
			annotation{title: "evalctl", text: fmt.Sprintf("and %d more in the report", more+1)})
	}
	for _, a := range list {
		fmt.Fprintf(out, "::%s title=%s::%s\n", kind, property(name(a.title)), message(oneLine(a.text, longText)))
	}
}

// message escapes the text of a GitHub workflow command. property escapes the value of one of its
// properties.
func message(text string) string  { return messageSigns.Replace(text) }
func property(text string) string { return propertySigns.Replace(text) }

var (
	messageSigns  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertySigns = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func errorsOf(s eval.Summary) (list []annotation) {
	for _, t := range aboutRun(s) {
		list = append(list, annotation{title: "Incomplete", text: t.message})
	}
	for _, g := range s.Gates {
		if g.Verdict != eval.GatePassed && g.Verdict != eval.GateUndecided {
			list = append(list, annotation{title: "Gate failed", text: g.Rule + " — " + g.Reason})
		}
	}
	return list
}

func undecided(gates []eval.GateVerdict) (list []annotation) {
	for _, g := range gates {
		if g.Verdict == eval.GateUndecided {
			list = append(list, annotation{title: "Gate undecided", text: g.Rule + " — " + g.Reason})
		}
	}
	return list
}

// missing returns an annotation for each variant in which trials have no answer, highest rate
// first. It ignores conditions with a fault.
func missing(s eval.Summary) (list []annotation) {
	type loss struct {
		condition
		rate float64
		of   int64
	}
	var losses []loss
	for _, suite := range s.Suites {
		for _, c := range finding.ConditionsWithoutFault(suite) {
			if e := c.Metrics["missing.rate"]; number.IsKnown(e.Value) && *e.Value > 0 {
				losses = append(losses, loss{condition: condition{suite: suite.Name, variant: c.Variant,
					fault: eval.NoFault}, rate: *e.Value, of: e.N})
			}
		}
	}
	slices.SortStableFunc(losses, func(a, b loss) int { return cmp.Compare(b.rate, a.rate) })
	for _, l := range losses {
		list = append(list, annotation{title: "Answers missing", text: fmt.Sprintf("%s: %s of %s have no answer",
			l.condition, number.Share(l.rate), number.Plural(l.of, "trial"))})
	}
	return list
}

// notice returns the text of the notice: the number of trials, conditions and gates of the run.
func notice(s eval.Summary) string {
	var conditions, trials int64
	eachCondition(s, func(_ condition, c eval.ConditionSummary) { conditions, trials = conditions+1, trials+c.Trials })
	text := number.Plural(trials, "trial") + " in " + number.Plural(conditions, "cell")
	if len(s.Gates) > 0 {
		text = tallyOf(s.Gates).String() + " · " + text
	}
	return text
}
