package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/eval/tune"
)

// sentences say what to set, what it is worth and what it costs.
func (one Tuned) sentences(setting string) (list []line) {
	list = append(list, one.advice(setting))
	if e := one.HeldOut; known(e.Value) {
		list = append(list, line{mark: "·", text: fmt.Sprintf("Cross-validated accuracy of this choice: %s %%%s; on the cases it was selected on: %s %%.",
			percent(*e.Value), span(e.Lo, e.Hi, percent), percent(*one.Apparent.Value))})
	}
	list = append(list, line{mark: "·", text: "Thresholds not significantly worse than the best: " + one.unproven() + "."}, one.price())
	return append(list, one.warnings()...)
}

// shownRuns is how many runs of thresholds a sentence names.
const shownRuns = 3

// unproven names the runs of thresholds that are as good as any.
func (one Tuned) unproven() string {
	var runs []string
	for _, r := range one.Unproven[:min(len(one.Unproven), shownRuns)] {
		text := threshold(r.Lo)
		if r.Hi != r.Lo {
			text += " to " + threshold(r.Hi)
		}
		runs = append(runs, text)
	}
	if more := len(one.Unproven) - len(runs); more > 0 {
		runs = append(runs, fmt.Sprintf("%d more ranges up to %s", more, threshold(one.Unproven[len(one.Unproven)-1].Hi)))
	}
	text := strings.Join(runs, ", ")
	return text
}

// warnings are what makes the choice weaker than it looks.
func (one Tuned) warnings() (list []line) {
	if one.Silent > 0 {
		list = append(list, line{tone: warn, mark: "!", text: fmt.Sprintf("%s of %s have no confidence, which counts as 0.", grouped(one.Silent), counted(one.Opinions, "model answer"))})
	}
	if n := one.Unexplained; n > 0 {
		list = append(list, line{tone: warn, mark: "!", text: fmt.Sprintf("%s of %s do not follow threshold %s and are left unchanged.", grouped(n), counted(n+one.Opinions, "turn"), threshold(one.Present.Threshold))})
	}
	if one.Missing > 0 {
		list = append(list, line{tone: warn, mark: "!", text: counted(one.Missing, "trial") + " without a scored decision are excluded."})
	}
	for _, n := range one.Notes {
		list = append(list, line{tone: warn, mark: "!", text: n})
	}
	return list
}

// advice says what to set, and whether it is proven to be better.
func (one Tuned) advice(setting string) line {
	now := threshold(one.Present.Threshold)
	if !one.Told {
		now += " (estimated from the run)"
	}
	if one.Chosen.Threshold == one.Present.Threshold {
		return line{mark: "=", text: fmt.Sprintf("Keep %s at %s: no other value has more correct decisions.", setting, now)}
	}
	chosen := threshold(one.Chosen.Threshold)
	if above := math.Ceil(one.Chosen.Above*1e3-1e-9) / 1e3; one.Chosen.Threshold == 1 && above < 1 {
		chosen = "above " + threshold(above) // all are as good
	}
	l := line{mark: "~", text: fmt.Sprintf("%s %s instead of %s", setting, chosen, now)}
	g := one.Gain
	if one.State == eval.Unknown || !known(g.Value) {
		l.text += ": one case is too few for cross-validation."
		return l
	}
	l.text += fmt.Sprintf(": %s points cross-validated%s, ", number.Points(*g.Value), span(g.Lo, g.Hi, number.Points))
	switch one.State {
	case eval.Better:
		l.mark, l.tone = "·", good
		l.text += "significantly better, " + chance(g.P) + "."
	case eval.Worse:
		l.mark, l.tone = "!", bad
		l.text += "worse. These cases cannot select a threshold; keep the current one."
	default:
		l.text += "not significant, " + chance(g.P)
		if slices.ContainsFunc(one.Unproven, func(r tune.Range) bool { return r.Lo <= one.Present.UpTo && one.Present.Above < r.Hi }) {
			l.text += ". " + now + " can stay"
		}
		l.text += "."
	}
	return l
}

// price says how often the model is passed over, and what that costs.
func (one Tuned) price() line {
	a, b := one.Chosen, one.Present
	changes := a.Threshold != b.Threshold
	text := fmt.Sprintf("At "+threshold(a.Threshold)+" the system falls back in %s of %s", number.Share(a.Fallback), counted(one.Turns, "labeled turn"))
	if n := one.Turns - one.Opinions; n > 0 {
		text += fmt.Sprintf(" (%s without a threshold)", grouped(n))
	}
	if changes {
		text += " (currently " + number.Share(b.Fallback) + ")"
	}
	if known(a.Cost) && known(b.Cost) {
		text += fmt.Sprintf(". Cost: USD %s per 1,000 trials", dollarsOf(a))
		if changes {
			text += " (currently " + dollarsOf(b) + ")"
		}
	}
	text += "."
	if a.Estimated > 0 {
		text += " ~: estimated from the mean of such decisions."
	}
	if one.Several && !one.DecisionOnly {
		text += " Later turns are not recomputed."
	}
	return line{mark: "·", text: text}
}
