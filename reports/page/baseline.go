package page

import (
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
)

const maxChanged = 50

// shortText is the maximum length of a case's text in the list, in characters.
const maxCaseText = 100

// changedCase is a case whose result changed since the baseline run.
type changedCase struct {
	Broken      bool
	ID, Link    string
	Turn        int64  // turn whose result changed; 0: the case has one turn
	Variant     string // names of all variants in which the case changed in the same way
	Text        string
	Expected    string
	Before, Now string
}

// BaselineFigure renders how a suite's results differ from the baseline run. It returns "" if there
// is no baseline run.
func BaselineFigure(s eval.SuiteSummary, run *RunDiff) template.HTML {
	if run == nil {
		return ""
	}
	of := run.Suite(s.Name)
	data := struct {
		Name, Refused, New string
		Notes              []string
		Rows, Figures      template.HTML
		Changed            []changedCase
		Left               string
		Epochs             bool
	}{Name: run.BaselinePath, Refused: prose(of.NotComparedReason), Epochs: s.Epochs > 1}
	if len(of.NewVariants) > 0 {
		data.New = joinNames(of.NewVariants)
	}
	if of.NotComparedReason == "" && len(of.Variants) > 0 {
		data.Rows, data.Figures = differenceRows(s, of.Variants), metricsOfBothRuns(of.Variants)
		data.Notes = notes(of.Variants)
		all := changedCases(s, of.Variants)
		data.Changed = all[:min(len(all), maxChanged)]
		if len(all) > maxChanged {
			data.Left = fmt.Sprintf("%d of %s; broken cases come first.", maxChanged,
				metric.Plural(int64(len(all)), "change"))
		}
	}
	return fragment("against", data)
}

func notes(list []compare.Comparison) (all []string) {
	for _, c := range list {
		for _, n := range c.Notes {
			if n = prose(n); !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	return all
}

func differenceRows(s eval.SuiteSummary, list []compare.Comparison) template.HTML {
	least, most := 0.0, 0.0
	for _, c := range list {
		if d := c.Pairs[0].Accuracy; metric.IsKnown(d.Lo) && metric.IsKnown(d.Hi) {
			least, most = min(least, *d.Lo), max(most, *d.Hi)
		}
	}
	axis := PercentagePointAxis(least, most)
	rows := Rows{Class: "against",
		Panels: []Panel{{Head: "difference from the earlier run, points", Axis: axis, Zero: new(0.0)}}}
	for _, c := range list {
		v := c.Pairs[0]
		name := c.Candidates[v.Candidate].Variant
		cases := CasesLink{Suite: s.Name, Variant: name}
		rows.Rows = append(rows.Rows,
			Row{Name: name, Link: cases.String(),
				Cells: []PlotCell{{Marks: differenceMarks(v, axis), Value: pairText(c, v, cases)}}})
	}
	return rows.HTML()
}

func differenceMarks(v compare.PairResult, axis Axis) (marks []Mark) {
	switch d := v.Accuracy; {
	case v.State == eval.Identical:
		return []Mark{{Shape: dotShape, From: axis.Position(0), Y: middle, Class: "hollow"}}
	case v.State == eval.InsufficientData || !metric.IsKnown(d.Value):
		return nil
	default:
		return dotMarks(axis, eval.Estimate{Value: d.Value, Lo: d.Lo, Hi: d.Hi}, stateClass(v.State))
	}
}

// stateClass returns the CSS class that colors a difference: "better", "worse" or "".
func stateClass(s eval.ComparisonState) string {
	switch s {
	case eval.Better:
		return "better"
	case eval.Worse:
		return "worse"
	}
	return ""
}

func pairText(c compare.Comparison, v compare.PairResult, cases CasesLink) template.HTML {
	var words []textPart
	switch {
	case v.State == eval.InsufficientData:
		return renderText(textPart{Text: fmt.Sprintf("too few scored cases to compare: %s in both",
			metric.Plural(v.Cases, "case"))})
	case v.State == eval.Identical:
		words = []textPart{{Text: "identical decisions", Strong: true},
			{Text: " in all " + metric.Plural(v.Cases, "case"), Mute: true}}
	default:
		d := v.Accuracy
		words = []textPart{{Text: metric.FormatPoints(*d.Value), Strong: true},
			{Text: interval(d.Lo, d.Hi, metric.FormatPoints), Mute: true}, {Text: pValue(d), Mute: true}}
	}
	fixed, broken := "fixed", "broken"
	if c.Epochs > 1 {
		fixed, broken = "right more often", "right less often"
	}
	for i, one := range []struct {
		n      int64
		what   string
		change Change
	}{{v.Fixed, fixed, NewPass}, {v.Broken, broken, NewFailure}} {
		w := textPart{Text: metric.FormatInteger(one.n) + " " + one.what, Line: i == 0 && v.State != eval.Identical}
		if cases.Change = one.change; one.n > 0 {
			w.Link = cases.String()
		}
		if v.State != eval.Identical || one.n > 0 {
			words = append(words, w, textPart{Text: " "})
		}
	}
	return renderText(words...)
}

// pValue formats the Holm-adjusted p-value of a difference. It returns "" if there was no test.
func pValue(d eval.Contrast) string {
	switch {
	case !metric.IsKnown(d.AdjustedP):
		return ""
	case *d.AdjustedP < 0.001:
		return " p < 0.001"
	}
	return " p = " + metric.FormatScore(*d.AdjustedP)
}

// metricsOfBothRuns returns a table with the metrics of both runs, measured on the same cases.
func metricsOfBothRuns(list []compare.Comparison) template.HTML {
	t := table{AriaLabel: "Both runs", Heads: []string{"variant", "figure", "earlier", "now", "difference"}}
	for _, c := range list {
		v := c.Pairs[0]
		a, b := c.Candidates[v.Reference], c.Candidates[v.Candidate]
		first := true
		add := func(what string, was, is eval.Estimate, show func(eval.Estimate) []textPart, by string) {
			if !metric.IsKnown(was.Value) && !metric.IsKnown(is.Value) {
				return
			}
			t.Rows = append(t.Rows, tableRow{Name: b.Variant, First: first,
				Cells: []template.HTML{renderText(textPart{Text: what}), renderText(show(was)...),
					renderText(show(is)...), renderText(textPart{Text: by})}})
			first = false
		}
		add("accuracy", a.Accuracy, b.Accuracy, func(e eval.Estimate) []textPart { return shareText(e) },
			contrast(v.Accuracy, metric.FormatPoints, ""))
		add("macro-F1", a.MacroF1, b.MacroF1,
			func(e eval.Estimate) []textPart { return estimateText(e, metric.FormatScore, "") },
			contrast(v.MacroF1, metric.FormatSignedScore, ""))
		add("p50", a.P50, b.P50, durationText, contrast(v.Ratios[compare.P50RatioKey], metric.FormatRatio, "×"))
		add("p95", a.P95, b.P95, durationText, contrast(v.Ratios[compare.P95RatioKey], metric.FormatRatio, "×"))
		add("USD per case", a.CostMean, b.CostMean,
			func(e eval.Estimate) []textPart { return estimateText(e, metric.FormatUSD, "") },
			contrast(v.Ratios[compare.CostRatioKey], metric.FormatRatio, "×"))
	}
	return t.HTML()
}

func contrast(c eval.Contrast, show func(float64) string, before string) string {
	if !metric.IsKnown(c.Value) {
		return metric.MissingText
	}
	return before + show(*c.Value) + interval(c.Lo, c.Hi, show)
}

// changedCases returns the cases whose result changed, broken ones first. A case that changed in
// the same way in several variants occurs once.
func changedCases(s eval.SuiteSummary, list []compare.Comparison) (all []changedCase) {
	variants := map[changedCase][]string{}
	for _, broken := range []bool{true, false} {
		for _, c := range list {
			v := c.Pairs[0]
			flips, name := v.FixedCases, c.Candidates[v.Candidate].Variant
			if broken {
				flips = v.BrokenCases
			}
			for _, f := range flips {
				one := changedCase{
					Broken:   broken,
					ID:       f.Case,
					Turn:     int64(f.Turn),
					Text:     text.Excerpt(f.Text, maxCaseText),
					Expected: alternatives(f.Expected),
					Before:   labels(f.Reference),
					Now:      labels(f.Candidate),
				}
				if variants[one] == nil {
					all = append(all, one)
				}
				variants[one] = append(variants[one], name)
			}
		}
	}
	for i, one := range all {
		names, change := variants[one], NewPass
		if one.Broken {
			change = NewFailure
		}
		all[i].Variant = joinNames(names)
		all[i].Link = CaseLink{List: CasesLink{Suite: s.Name, Variant: names[0], Change: change},
			ID: one.ID}.String()
	}
	return all
}

func alternatives(labels eval.OneOf) string {
	list := make([]string, len(labels))
	for i, l := range labels {
		list[i] = ShortName(l)
	}
	return strings.Join(list, " or ")
}

// labels joins the labels that were predicted for a case. With several epochs it adds in how many
// of them the case was right.
func labels(a compare.CaseAnswers) string {
	var list []string
	for _, l := range a.Labels {
		list = append(list, ShortName(l))
	}
	text := strings.Join(list, ", ")
	if a.Scored > 1 {
		text += fmt.Sprintf(" (%d of %d right)", a.Correct, a.Scored)
	}
	return text
}

// RunDiff contains the differences between a run and its baseline run.
type RunDiff struct {
	BaselinePath string // path of the baseline run

	suites map[string]SuiteDiff
}

// SuiteDiff compares a suite with the baseline run. It has one comparison for each variant without
// a fault. The first candidate of a comparison is the variant in the baseline run.
type SuiteDiff struct {
	Variants          []compare.Comparison // one comparison for each variant
	NewVariants       []string             // variants that the baseline run does not have
	NotComparedReason string               // why the suite cannot be compared; "": it was compared
}

// CompareWithBaseline compares all suites of the run now with those of the earlier run before.
func CompareWithBaseline(now, before *runs.Run) *RunDiff {
	r := &RunDiff{BaselinePath: before.Path, suites: map[string]SuiteDiff{}}
	sources := []compare.RunData{before.ComparisonData(), now.ComparisonData()}
	var both []string
	for _, s := range sources[1].Suites {
		if hasSuite(sources[0], s.Name) {
			both = append(both, s.Name)
		} else {
			r.suites[s.Name] = SuiteDiff{NotComparedReason: "the earlier run has no such suite"}
		}
	}
	if len(both) == 0 {
		return r
	}
	if list, err := compare.Runs(sources, compare.Selection{Suites: both}); err == nil {
		r.add(sources, both, list)
		return r
	}
	for _, name := range both { // compare suites one by one, so that an error in one does not affect the others
		list, err := compare.Runs(sources, compare.Selection{Suites: []string{name}})
		if err != nil {
			r.suites[name] = SuiteDiff{NotComparedReason: reason(err)}
			continue
		}
		r.add(sources, []string{name}, list)
	}
	return r
}

func hasSuite(s compare.RunData, name string) bool {
	return slices.ContainsFunc(s.Suites, func(one eval.SuiteSummary) bool { return one.Name == name })
}

func reason(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner // remove the prefix, because the reader knows the suite
	}
	// a report has no flag --common-cases, so name the command that has it
	return strings.Replace(err.Error(), "; --common-cases ", "; evalctl compare … --common-cases ", 1)
}

func (r *RunDiff) add(sources []compare.RunData, names []string, list []compare.Comparison) {
	for _, name := range names {
		s := SuiteDiff{}
		for _, c := range list {
			if c.Suite == name {
				s.Variants = append(s.Variants, c)
			}
		}
		for _, v := range variantsOf(sources[1], name) {
			isPaired := slices.ContainsFunc(s.Variants,
				func(c compare.Comparison) bool { return c.Candidates[1].Variant == v })
			if !isPaired && !slices.Contains(variantsOf(sources[0], name), v) {
				s.NewVariants = append(s.NewVariants, v)
			}
		}
		r.suites[name] = s
	}
}

func variantsOf(s compare.RunData, suite string) (names []string) {
	for _, one := range s.Suites {
		for _, c := range one.Conditions {
			if one.Name == suite && !slices.Contains(names, c.Variant) {
				names = append(names, c.Variant)
			}
		}
	}
	return names
}

// Suite returns the comparison of a suite. It returns the zero value for an unknown name.
func (r *RunDiff) Suite(name string) SuiteDiff { return r.suites[name] }
