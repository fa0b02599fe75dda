package export

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
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
	newFailures, err := newFailures(r)
	if err != nil {
		return fmt.Errorf("github: %w", err)
	}
	var problems, warnings []annotation
	for _, t := range runTests(r.Summary) {
		problems = append(problems, annotation{title: "Incomplete", text: t.message})
	}
	for _, g := range r.Summary.Gates {
		text := g.Rule + " — " + g.Reason
		switch g.Verdict {
		case eval.GatePassed:
		case eval.GateUndecided:
			warnings = append(warnings, annotation{title: "Gate undecided", text: text})
		default:
			problems = append(problems, annotation{title: "Gate failed", text: text})
		}
	}
	var out bytes.Buffer
	annotate(&out, "error", problems)
	annotate(&out, "warning", slices.Concat(warnings, missingAnswers(r.Summary), newFailures))
	annotate(&out, "notice", []annotation{{title: "evalctl", text: runSize(r.Summary)}})
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
		fmt.Fprintf(out, "::%s title=%s::%s\n", kind, escapeProperty(name(a.title)),
			escapeMessage(oneLine(a.text, longText)))
	}
}

// escapeMessage escapes the text of a GitHub workflow command, escapeProperty the value of one of
// its properties.
func escapeMessage(text string) string  { return messageEscapes.Replace(text) }
func escapeProperty(text string) string { return propertyEscapes.Replace(text) }

var (
	messageEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// missingAnswers returns an annotation for each variant in which trials have no answer, highest rate
// first. It ignores conditions with a fault.
func missingAnswers(s eval.Summary) (list []annotation) {
	type loss struct {
		condition
		eval.Estimate
	}
	var losses []loss
	for _, suite := range s.Suites {
		for _, c := range finding.ConditionsWithoutFault(suite) {
			if e := c.Metrics["missing.rate"]; metric.IsKnown(e.Value) && *e.Value > 0 {
				losses = append(losses, loss{condition{suite.Name, c.Variant, eval.NoFault}, e})
			}
		}
	}
	slices.SortStableFunc(losses, func(a, b loss) int { return cmp.Compare(*b.Value, *a.Value) })
	for _, l := range losses {
		list = append(list, annotation{title: "Answers missing", text: fmt.Sprintf("%s: %s of %s have no answer",
			l.condition, metric.FormatShare(*l.Value), metric.Plural(l.N, "trial"))})
	}
	return list
}

// runSize returns the numbers of gates, trials and conditions of the run.
func runSize(s eval.Summary) string {
	var conditions, trials int64
	eachCondition(s, func(_ condition, c eval.ConditionSummary) { conditions, trials = conditions+1, trials+c.Trials })
	text := metric.Plural(trials, "trial") + " in " + metric.Plural(conditions, "cell")
	if len(s.Gates) > 0 {
		text = gatesText(finding.CountGates(s.Gates)) + " · " + text
	}
	return text
}

// conditionCase identifies a case in a condition.
type conditionCase struct {
	condition
	id string
}

// record counts how often a case was right and wrong in a condition, over all epochs.
type record struct {
	// scored turn, to which text and want belong; two results of a conversation can have different
	// scored turns
	turn         int
	text, want   string
	right, wrong int64
	got          string // predicted label in the first wrong epoch
	hash         eval.CaseHash
	epoch        int
}

// recordsOf reads the results of a run and returns a record for each case for which keep returns
// true.
func recordsOf(run *runs.Run, keep func(conditionCase) bool) (map[conditionCase]*record, error) {
	list := map[conditionCase]*record{}
	for r, err := range run.Results() {
		if err != nil {
			return nil, err
		}
		at := conditionCase{condition: conditionOf(r), id: r.Case}
		if !keep(at) {
			continue
		}
		c := list[at]
		if c == nil {
			decision, _ := r.Decision()
			c = &record{
				turn: decision.Turn,
				text: r.Text,
				want: strings.Join(r.Expected, " or "),
				hash: r.CaseHash,
			}
			list[at] = c
		}
		switch {
		case r.IsWrong():
			if c.wrong++; c.got == "" || r.Epoch < c.epoch {
				c.got, c.epoch = r.Actual(), r.Epoch
			}
		case !r.IsUnscored() && r.Correct != nil:
			c.right++
		}
	}
	return list, nil
}

// newFailure is a case that was right in the baseline run and now gets the wrong answer got.
type newFailure struct{ suite, id, want, got string }

const maxConditions = 3

// newFailures returns the cases that were right in the baseline run and are now wrong. Each wrong
// answer of a case is one annotation, most affected conditions first. It ignores cases whose text
// or labels have changed, because their results cannot be compared.
func newFailures(r Report) (annotations []annotation, err error) {
	if r.Run == nil || r.BaselineRun == nil {
		return nil, nil
	}
	before, err := recordsOf(r.BaselineRun, func(conditionCase) bool { return true })
	if err != nil {
		return nil, err
	}
	now, err := recordsOf(r.Run, func(at conditionCase) bool {
		return before[at] != nil && before[at].right > before[at].wrong
	})
	if err != nil {
		return nil, err
	}
	conditions := map[newFailure][]string{}
	for _, at := range slices.SortedFunc(maps.Keys(now), func(a, b conditionCase) int {
		return cmp.Or(a.compare(b.condition), cmp.Compare(a.id, b.id))
	}) {
		was, is := before[at], now[at]
		changed := was.turn == is.turn && (was.text != is.text || was.want != is.want)
		if is.wrong > is.right && !changed {
			key := newFailure{
				suite: at.suite,
				id:    at.id,
				want:  is.want,
				got:   is.got,
			}
			conditions[key] = append(conditions[key], at.variantAndFault())
		}
	}
	for _, f := range slices.SortedFunc(maps.Keys(conditions), func(a, b newFailure) int {
		return cmp.Or(cmp.Compare(len(conditions[b]), len(conditions[a])), cmp.Compare(a.suite, b.suite),
			cmp.Compare(a.id, b.id), cmp.Compare(a.got, b.got), cmp.Compare(a.want, b.want))
	}) {
		affected := conditions[f]
		in := strings.Join(affected[:min(len(affected), maxConditions)], ", ")
		if more := len(affected) - maxConditions; more > 0 {
			in += " and " + metric.Plural(int64(more), "other cell")
		}
		annotations = append(annotations, annotation{title: "New failure",
			text: fmt.Sprintf("%s · %s was right and is wrong in %s: expected %s, got %s",
				name(f.suite), name(f.id), oneLine(in, longText/2), name(f.want), name(f.got))})
	}
	return annotations, nil
}
