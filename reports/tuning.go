package reports

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/tune"
	"evalctl/reports/document"
)

// TuningReport is the report of `evalctl tune`: the confidence threshold that was selected for each
// variant of a run.
type TuningReport struct {
	Setting  string         `json:"setting"`           // name of the tuned setting, such as threshold
	Partial  bool           `json:"partial,omitempty"` // the run was interrupted
	Notes    []string       `json:"notes,omitempty"`   // notes on variants that were not tuned
	Variants []TunedVariant `json:"tunings"`

	document.Options
}

// TunedVariant is a variant with its selected confidence threshold.
type TunedVariant struct {
	Suite        string   `json:"suite"`
	Dataset      string   `json:"dataset,omitempty"`
	Split        string   `json:"split,omitempty"`         // split of the dataset, such as dev; "": all cases
	DecisionOnly bool     `json:"decision_only,omitempty"` // the trials stopped after the decision
	Variant      string   `json:"variant"`
	Fault        string   `json:"fault"`
	Notes        []string `json:"notes,omitempty"` // reasons why the selected threshold is less reliable

	tune.Tuning

	NextCommands [][]string `json:"-"` // suggested commands: run with the selected threshold, or tune on other cases
}

// Write renders the thresholds in the given format.
func (t TuningReport) Write(w io.Writer, format Format) error {
	return screen{noun: "tuning", width: defaultWidth, layOut: t.document}.write(w, format, t.Options)
}

func (t TuningReport) headLines() (list []document.Line) {
	if t.Partial {
		list = append(list, partialText(eval.Summary{}, "this report"))
	}
	for _, n := range t.Notes {
		list = append(list, document.Line{Mark: "·", Text: clean(n)})
	}
	return list
}

func (t TuningReport) document(to document.Target) document.Document {
	first := document.Block{Lines: t.headLines()}
	if !to.Terminal {
		first.Level, first.Heading = 1, "evalctl tune"
	}
	d := document.Document{
		Source:  "evalctl tune",
		Partial: t.Partial,
		Data:    t,
		Rows:    t.rows,
	}
	if !first.Empty() {
		d.Blocks = append(d.Blocks, first)
	}
	for _, one := range t.Variants {
		d.Blocks = append(d.Blocks, document.Block{
			Level:   2,
			Heading: one.title(t.Setting),
			Lines:   one.sentences(t.Setting),
			Table:   one.table(one.pointsToShow()),
			Next:    document.Suggestions("> ", one.NextCommands...),
		})
	}
	return d
}

func (one TunedVariant) title(setting string) string {
	text := one.Suite + " · " + one.Variant + " · " + setting + " · " + plural(one.Cases, "case")
	if one.Split != "" {
		text += " of " + one.Split
	}
	if one.Trials > one.Cases {
		text += ", " + plural(one.Trials, "trial")
	}
	if goal := one.goal(); goal.String() != (tune.Objective{}).String() || one.OOSPrior > 0 {
		text += " · best " + goal.String()
	}
	if one.OOSPrior > 0 {
		text += " · prior " + metric.FormatShare(one.OOSPrior) + " " + one.OOSLabel
	}
	if one.Fault != eval.NoFault {
		text += " · with fault " + one.Fault
	}
	return text
}

// goal returns the objective that the threshold was selected by.
func (one TunedVariant) goal() tune.Objective {
	o, err := tune.ParseObjective(one.Objective)
	if err != nil { // only for a Tuning that the package tune has not computed
		return tune.Objective{}
	}
	return o
}

// isPlain reports whether the objective is the accuracy of the run itself.
func (one TunedVariant) isPlain() bool {
	return one.goal().Title() == (tune.Objective{}).Title() && one.OOSPrior == 0
}

func threshold(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// sentences states which threshold to set, and how it changes accuracy, fallbacks and cost.
func (one TunedVariant) sentences(setting string) (list []document.Line) {
	list = append(list, one.advice(setting))
	if one.AgentLacksThreshold {
		list = append(list, document.Line{Mark: "·", Text: fmt.Sprintf("The run has no threshold for this agent. "+
			"Apply it in the agent: below it, answer %s.", one.OOSLabel)})
	}
	list = append(list, one.heldOutClasses()...)
	mix := ""
	if one.OOSPrior > 0 {
		mix = " with the mix of these cases"
	}
	if e := one.HeldOutAccuracy; isKnown(e.Value) {
		list = append(list, document.Line{Mark: "·",
			Text: fmt.Sprintf(
				"Cross-validated accuracy of this choice%s: %s %%%s; on the cases it was selected on: %s %%.",
				mix, percent(*e.Value), span(e.Lo, e.Hi, percent), percent(*one.TrainingAccuracy.Value))})
	}
	list = append(list, document.Line{Mark: "·",
		Text: "Thresholds not significantly worse than the best: " + one.equivalentRanges() + "."},
		one.fallbackAndCost())
	return append(list, one.warnings()...)
}

const maxRangesInSentence = 3

// equivalentRanges lists the ranges of thresholds that are not significantly worse than the best
// threshold.
func (one TunedVariant) equivalentRanges() string {
	var runs []string
	for _, r := range one.NotSignificantlyWorse[:min(len(one.NotSignificantlyWorse), maxRangesInSentence)] {
		text := threshold(r.Lo)
		if r.Hi != r.Lo {
			text += " to " + threshold(r.Hi)
		}
		runs = append(runs, text)
	}
	if more := len(one.NotSignificantlyWorse) - len(runs); more > 0 {
		runs = append(runs, fmt.Sprintf("%d more ranges up to %s", more,
			threshold(one.NotSignificantlyWorse[len(one.NotSignificantlyWorse)-1].Hi)))
	}
	text := strings.Join(runs, ", ")
	return text
}

// warnings lists the reasons why the selected threshold is less reliable.
func (one TunedVariant) warnings() (list []document.Line) {
	if one.WithoutConfidence > 0 {
		list = append(list, document.Line{Tone: document.Warn, Mark: "!",
			Text: fmt.Sprintf("%s of %s have no confidence, which counts as 0.", thousands(one.WithoutConfidence),
				plural(one.ThresholdedTurns, "model answer"))})
	}
	if n := one.InconsistentTurns; n > 0 {
		list = append(list, document.Line{Tone: document.Warn, Mark: "!",
			Text: fmt.Sprintf("%s of %s do not follow threshold %s and are left unchanged.", thousands(n),
				plural(n+one.ThresholdedTurns, "turn"), threshold(one.Current.Threshold))})
	}
	if one.UnscoredTrials > 0 {
		list = append(list, document.Line{Tone: document.Warn, Mark: "!",
			Text: plural(one.UnscoredTrials, "trial") + " without a scored decision are excluded."})
	}
	for _, n := range one.Notes {
		list = append(list, document.Line{Tone: document.Warn, Mark: "!", Text: n})
	}
	return list
}

// advice recommends a threshold and states whether it is significantly better than the current one.
func (one TunedVariant) advice(setting string) document.Line {
	now := threshold(one.Current.Threshold)
	if !one.CurrentConfigured {
		now += " (estimated from the run)"
	}
	if one.Best.Threshold == one.Current.Threshold {
		why := "has more correct decisions"
		if !one.isPlain() || one.goal().LimitTitle() != "" {
			why = "has a better " + one.goal().String()
		}
		return document.Line{Mark: "=", Text: fmt.Sprintf("Keep %s at %s: no other value %s.", setting, now, why)}
	}
	chosen := threshold(one.Best.Threshold)
	if above := math.Ceil(one.Best.RangeLo*1e3-1e-9) / 1e3; one.Best.Threshold == 1 && above < 1 {
		chosen = "above " + threshold(above) // all thresholds above this value give the same result
	}
	l := document.Line{Mark: "~", Text: fmt.Sprintf("%s %s instead of %s", setting, chosen, now)}
	g := one.HeldOutGain
	switch {
	case one.Folds == nil:
		l.Text += ": one case is too few for cross-validation."
		return l
	case !isKnown(g.Value) && !isKnown(one.Current.ObjectiveValue):
		l.Text += fmt.Sprintf(": %s has no %s to compare with, because no turn gets %s there.", now,
			one.goal().Title(), one.OOSLabel)
		return l
	case !isKnown(g.Value):
		l.Text += fmt.Sprintf(": too few cases to cross-validate %s.", one.goal().Title())
		return l
	case one.goal().IsCost():
		l.Text += fmt.Sprintf(": USD %s per 1,000 trials cross-validated%s, ", signedUSD(*g.Value),
			span(g.Lo, g.Hi, signedUSD))
	case one.isPlain():
		l.Text += fmt.Sprintf(": %s points cross-validated%s, ", metric.FormatPoints(*g.Value),
			span(g.Lo, g.Hi, metric.FormatPoints))
	default:
		l.Text += fmt.Sprintf(": %s points of %s cross-validated%s, ", metric.FormatPoints(*g.Value),
			one.objectiveTitle(),
			span(g.Lo, g.Hi, metric.FormatPoints))
	}
	if one.currentViolatesLimit() {
		l.Mark = "·"
		l.Text += fmt.Sprintf("but %s is outside the limit: its %s is %s.", now, one.goal().LimitTitle(),
			one.goal().FormatLimitedValue(*one.Current.LimitedValue))
		return l
	}
	switch one.GainState {
	case eval.Better:
		l.Mark, l.Tone = "·", document.Good
		l.Text += "significantly better, " + pValue(g.P) + "."
	case eval.Worse:
		l.Mark, l.Tone = "!", document.Bad
		l.Text += "worse. These cases cannot select a threshold; keep the current one."
	default:
		l.Text += "not significant, " + pValue(g.P)
		if slices.ContainsFunc(one.NotSignificantlyWorse,
			func(r tune.Range) bool { return r.Lo <= one.Current.RangeHi && one.Current.RangeLo < r.Hi }) {
			l.Text += ". " + now + " can stay"
		}
		l.Text += "."
	}
	return l
}

func signedUSD(v float64) string { return signed(v, metric.FormatUSD) }

// currentViolatesLimit reports whether the current threshold is outside the limit of the objective.
func (one TunedVariant) currentViolatesLimit() bool {
	return isKnown(one.Current.LimitedValue) && !one.goal().IsWithinLimit(*one.Current.LimitedValue)
}

// heldOutClasses states the objective, its limit and the accuracy of both classes on cases that did
// not select the threshold.
func (one TunedVariant) heldOutClasses() (list []document.Line) {
	goal := one.goal()
	rate := func(title string, e *eval.Estimate) string { return title + " " + rateText(*e) }
	usd := func(title string, e *eval.Estimate) string { return title + " " + estimate(*e, metric.FormatUSD, "") }
	var parts []string
	add := func(title string, e *eval.Estimate, show func(string, *eval.Estimate) string) {
		if e != nil && isKnown(e.Value) && !slices.ContainsFunc(parts,
			func(p string) bool { return strings.HasPrefix(p, title+" ") }) {
			parts = append(parts, show(title, e))
		}
	}
	show := rate
	if goal.IsCost() {
		show = usd
	}
	if !one.isPlain() {
		add(one.objectiveTitle(), &one.HeldOutObjective, show)
		if parts != nil && isKnown(one.Best.ObjectiveValue) && !goal.IsCost() {
			parts[0] += " (on the cases it was selected on: " + metric.FormatShare(*one.Best.ObjectiveValue) + ")"
		}
	}
	show = rate
	if goal.IsLimitedCost() {
		show = usd
	}
	add(goal.LimitTitle(), one.HeldOutLimited, show)
	add("OOS recall", one.HeldOutOOSRecall, rate)
	add("in-scope accuracy", one.HeldOutInScopeAccuracy, rate)
	if parts == nil {
		return nil
	}
	list = append(list, document.Line{Mark: "·", Text: "Cross-validated: " + strings.Join(parts, "; ") + "."})
	if e := one.HeldOutLimited; e != nil && isKnown(e.Value) && !goal.IsWithinLimit(*e.Value) {
		list = append(list, document.Line{Tone: document.Warn, Mark: "!",
			Text: fmt.Sprintf("On cases that did not select it, the threshold violates the limit: %s is %s. "+
				"Set a stricter limit.", goal.LimitTitle(), goal.FormatLimitedValue(*e.Value))})
	}
	return list
}

// fallbackAndCost states how often the system falls back at the selected threshold, and what it
// costs.
func (one TunedVariant) fallbackAndCost() document.Line {
	a, b := one.Best, one.Current
	changes := a.Threshold != b.Threshold
	text := fmt.Sprintf("At "+threshold(a.Threshold)+" the system falls back in %s of %s",
		metric.FormatShare(a.FallbackRate),
		plural(one.Turns, "labeled turn"))
	if n := one.Turns - one.ThresholdedTurns; n > 0 {
		text += fmt.Sprintf(" (%s without a threshold)", thousands(n))
	}
	if changes {
		text += " (currently " + metric.FormatShare(b.FallbackRate) + ")"
	}
	if isKnown(a.CostPerTrial) && isKnown(b.CostPerTrial) {
		text += fmt.Sprintf(". Cost: USD %s per 1,000 trials", usdOf(a))
		if changes {
			text += " (currently " + usdOf(b) + ")"
		}
	}
	text += "."
	if a.EstimatedShare > 0 {
		text += " ~: estimated from the mean of such decisions."
	}
	if one.MultiTurn && !one.DecisionOnly {
		text += " Later turns are not recomputed."
	}
	return document.Line{Mark: "·", Text: text}
}
