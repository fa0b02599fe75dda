package evaltest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/metric"
	"evalctl/reports"
)

// maxListed is the maximum number of trials in a failure message.
const maxListed = 5

// maxWidth is the maximum width of a trial's description, in columns.
const maxWidth = 200

// worstCases lists the trials that most explain a failed rule: the slowest for a latency, the most
// expensive for a cost. For other metrics it lists wrong and unscored trials, those with the
// highest confidence first. It returns "" if there are none.
func (r *Report) worstCases(rule gate.Rule) string {
	weight := weightOf(rule.Metric)
	noun := "failing trial"
	if weight != nil {
		noun = "trial"
	}
	return r.describeTrials("the worst of", noun, func(res eval.Result) bool {
		at := gate.Condition{Suite: res.Suite, Variant: res.Variant, Fault: res.Fault}
		return rule.Selects(at) && (rule.Tag == "" || slices.Contains(res.Tags, rule.Tag)) &&
			(weight != nil || res.IsFailing() && concerns(rule.Metric, res))
	}, func(a, b eval.Result) int {
		if weight == nil {
			return cmp.Compare(confidence(b), confidence(a))
		}
		return cmp.Compare(weight(b), weight(a))
	})
}

func confidence(r eval.Result) float64 {
	if r.Confidence == nil {
		return -1
	}
	return *r.Confidence
}

// weightOf returns the quantity by which trials are sorted; nil: only failing trials are listed.
func weightOf(metric string) func(eval.Result) float64 {
	switch family, _, _ := strings.Cut(metric, "."); family {
	case "latency", "episode", "node", "step":
		return func(r eval.Result) float64 { return float64(r.Duration) }
	case "tokens":
		return func(r eval.Result) float64 { return float64(r.Tokens.In + r.Tokens.Out) }
	case "calls":
		return func(r eval.Result) float64 { return float64(r.Calls) }
	case "cost":
		return func(r eval.Result) float64 {
			if r.Cost == nil {
				return 0
			}
			return *r.Cost
		}
	}
	return nil
}

// concerns reports whether a trial counts toward the metric. For the recall, precision or F1 of a
// label, it must expect or predict that label. Other metrics count all trials.
func concerns(metric string, r eval.Result) bool {
	for _, family := range []string{"route.recall.", "route.precision.", "route.f1."} {
		if label, ok := strings.CutPrefix(metric, family); ok {
			return r.Expected.Has(label) || r.Predicted == label
		}
	}
	return true
}

// newFailures lists the failing trials of cases that were correct in the baseline run.
func (r *Report) newFailures(failing []gate.NewlyFailedCase) string {
	is := map[gate.NewlyFailedCase]bool{}
	for _, f := range failing {
		is[f] = true
	}
	return r.describeTrials("newly wrong:", "trial", func(res eval.Result) bool {
		at := gate.Condition{Suite: res.Suite, Variant: res.Variant, Fault: cmp.Or(res.Fault, eval.NoFault)}
		return res.IsFailing() && is[gate.NewlyFailedCase{Condition: at, Case: res.Case}]
	}, func(a, b eval.Result) int { return 0 })
}

// describeTrials lists the first trials in the given order, each with the command that shows it.
// are selects trials; lead and noun form the heading.
func (r *Report) describeTrials(lead, noun string, are func(eval.Result) bool,
	order func(a, b eval.Result) int) string {
	var list []eval.Result
	n := 0
	less := func(a, b eval.Result) int {
		return cmp.Or(order(a, b), cmp.Compare(a.Case, b.Case), cmp.Compare(a.Variant, b.Variant),
			cmp.Compare(a.Fault, b.Fault), cmp.Compare(a.Epoch, b.Epoch))
	}
	for res, err := range r.run.Results() {
		if err != nil || !are(res) {
			continue
		}
		n++
		list = append(list, res)
		if slices.SortFunc(list, less); len(list) > maxListed {
			list = list[:maxListed]
		}
	}
	if n == 0 {
		return ""
	}
	text := lead + " " + metric.Plural(int64(n), noun)
	for _, res := range list {
		text += "\n    " + reports.ShowCommand(r.Dir, res) + "\n        " + describeTrial(res)
	}
	return text
}

// describeTrial describes the result of a trial in one line, with escaped control characters.
func describeTrial(r eval.Result) string {
	summary := fmt.Sprintf("%q: ", r.Text)
	switch d, _ := r.Decision(); {
	case r.Error != nil:
		summary += "no answer: " + string(r.Error.Kind) + ": " + r.Error.Message
	case r.IsWrong():
		summary += "got " + cmp.Or(d.Actual, r.Predicted, "nothing") + ", want " +
			cmp.Or(strings.Join(d.Expected, " or "), strings.Join(r.Expected, " or "))
	case r.IsUnscored():
		summary += "could not be scored"
	default:
		summary += "took " + metric.FormatDuration(time.Duration(r.Duration))
	}
	return text.Truncate(text.EscapeLine(summary), maxWidth)
}
