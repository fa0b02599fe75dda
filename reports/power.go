package reports

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/power"
	"evalctl/reports/document"
)

// PowerReport is the report of `evalctl power`: which differences the cases can detect, and how
// many cases other differences require.
type PowerReport struct {
	power.Params
	Suites []power.SuiteAnalysis `json:"suites"` // analysis of each suite

	document.Options
	ShowAll bool `json:"-"` // show all comparisons with their ranges
}

// Write renders the power analysis in the given format.
func (p PowerReport) Write(w io.Writer, format Format) error {
	return screen{noun: "power", layOut: p.document}.write(w, format, p.Options)
}

// document returns a summary and a table for each suite. In a terminal, the table is limited to
// what fits on a screen.
func (p PowerReport) document(to document.Target) document.Document {
	d := document.Document{Source: "evalctl power", Data: p, Rows: p.rows}
	for _, s := range p.Suites {
		d.Blocks = append(d.Blocks, p.summary(s))
		shown, few := s.Comparisons[:min(len(s.Comparisons), shownComparisons)],
			to.Terminal && !p.ShowAll && len(s.Comparisons) > briefComparisons && !s.Comparisons[0].IsAssumedDiscordance
		if few {
			shown = mainComparisons(s)
		}
		table := p.comparisonTable(s, shown, few)
		if len(s.Comparisons) == 1 {
			table = differenceTable(s.Comparisons[0])
		}
		d.Blocks = append(d.Blocks, document.Block{Table: table})
		if b := p.remarks(s, len(shown), few); !b.Empty() {
			d.Blocks = append(d.Blocks, b)
		}
	}
	return d
}

// summary returns the heading and the most important results of a suite's power analysis.
func (p PowerReport) summary(s power.SuiteAnalysis) document.Block {
	b := document.Block{Level: 2, Heading: "Power"}
	if s.Name != "" {
		b.Heading = s.Name
	}
	if n, same := sameCases(s.Comparisons); same && n > 0 {
		b.Heading += " · " + plural(n, "case")
	}
	if s.Epochs > 1 {
		b.Heading += fmt.Sprintf(" × %d epochs", s.Epochs)
	}
	b.Heading += fmt.Sprintf(" · power %s, significance level %s", exactPercent(p.Power), exactPercent(p.Alpha))
	if a := s.Comparisons[0]; len(s.Comparisons) == 1 && !a.IsAssumedDiscordance {
		b.Lines = append(b.Lines,
			document.Line{Mark: "·", Text: fmt.Sprintf("%s: %s of %s are discordant, %s without the difference.",
				comparisonName(a), thousands(a.DiscordantCases), plural(a.Cases, "case"), discordance(a))})
	}
	for _, text := range summarySentences(p.Params, s) {
		b.Lines = append(b.Lines, document.Line{Mark: "·", Text: text})
	}
	return b
}

// sameCases returns the number of cases that all comparisons have. It returns false if their
// numbers of cases differ.
func sameCases(list []power.Analysis) (n int64, same bool) {
	for i, a := range list {
		if i > 0 && a.Cases != n {
			return 0, false
		}
		n = a.Cases
	}
	return n, true
}

// Limits for how many comparisons a text report shows: in total, in a brief report with ranges, and
// in a brief report without ranges. JSON and CSV contain all comparisons.
const (
	shownComparisons   = 20
	briefComparisons   = 3
	maxMainComparisons = 7
)

// mainComparisons returns the comparisons that involve the baseline variant or the leading variant.
func mainComparisons(s power.SuiteAnalysis) (list []power.Analysis) {
	first := s.Comparisons[0].ComparedWith
	for _, a := range s.Comparisons {
		if a.ComparedWith == first || a.ComparedWith == s.Leader || a.Variant == s.Leader {
			list = append(list, a)
		}
	}
	return list[:min(len(list), maxMainComparisons)]
}

// comparisonTable returns the table of comparisons with the required numbers of cases. A brief table
// has no ranges.
func (p PowerReport) comparisonTable(s power.SuiteAnalysis, shown []power.Analysis, brief bool) document.Table {
	g := document.Table{Keys: 1}
	add := func(head string, right bool, show func(power.Analysis) string) {
		g.Columns = append(g.Columns, document.Column{Head: head, Right: right, Cells: each(shown,
			func(a power.Analysis) document.Cell { return document.Cell{Text: show(a)} })})
	}
	n, same := sameCases(s.Comparisons)
	isAssumed := s.Comparisons[0].IsAssumedDiscordance
	if isAssumed {
		add("discordant", true, func(a power.Analysis) string { return exactPercent(a.Discordance.Value) })
	} else {
		add("", false, comparisonName)
		if !same {
			add("cases", true, func(a power.Analysis) string { return thousands(a.Cases) })
		}
		add("discordant", true, func(a power.Analysis) string { return thousands(a.DiscordantCases) })
		if !brief {
			add("without difference [95 %]", false, discordance)
		}
	}
	if !same || n > 0 {
		add("detectable pp", true, detectable)
		if s.Epochs > 1 && !isAssumed {
			add("if all epochs", true, func(a power.Analysis) string { // a case that changes does so in every epoch
				if !isKnown(a.MinDetectableDifferenceAllEpochs) {
					return noValue
				}
				return percent(*a.MinDetectableDifferenceAllEpochs)
			})
		}
	}
	lead, show := "for ", requiredCases
	if brief {
		lead, show = "", func(n power.RequiredCases) string { return casesOf(n.Cases) }
	}
	for i, w := range p.Differences {
		add(lead+plainPoints(w)+" pp", brief, func(a power.Analysis) string { return show(a.RequiredCases[i]) })
	}
	if p.Margin > 0 {
		add("gate "+plainPoints(p.Margin)+" pp", brief, func(a power.Analysis) string { return show(*a.MarginCases) })
	}
	return g
}

// differenceTable returns the table for a single comparison, with one row for each difference to
// detect.
func differenceTable(a power.Analysis) document.Table {
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "difference", Right: true}, {Head: "cases needed"}}}
	for i, n := range a.RequiredCases {
		row := []document.Cell{{Text: plainPoints(n.Difference) + " pp"}, {Text: requiredCases(n)}}
		if isKnown(a.MinDetectableDifferenceAllEpochs) {
			if i == 0 {
				g.Columns = append(g.Columns, document.Column{Head: "if all epochs", Right: true})
			}
			row = append(row, document.Cell{Text: casesOf(n.CasesAllEpochs)})
		}
		for _, c := range n.PowerAt {
			if i == 0 {
				g.Columns = append(g.Columns, document.Column{Head: plural(c.Cases, "case"), Right: true})
			}
			row = append(row, document.Cell{Text: metric.FormatShare(c.Power)})
		}
		g.AddRow(row)
	}
	return g
}

func comparisonName(a power.Analysis) string {
	text := named(a.Variant) + " vs " + named(a.ComparedWith)
	if a.Fault != "" {
		text += " + " + named(a.Fault)
	}
	return text
}

// discordance formats the share of cases in which two equally good variants differ, with its
// confidence interval.
func discordance(a power.Analysis) string {
	return metric.FormatShare(a.Discordance.Value) + span(&a.Discordance.Lo, &a.Discordance.Hi, percent)
}

// detectable formats the minimum detectable difference of a comparison in percentage points,
// without a unit.
func detectable(a power.Analysis) string {
	if !isKnown(a.MinDetectableDifference) {
		return noValue
	}
	return percent(*a.MinDetectableDifference)
}

// requiredCases formats a required number of cases and its range, which follows from the confidence
// interval of the discordance.
func requiredCases(n power.RequiredCases) string {
	if n.CasesLo == n.CasesHi {
		return casesOf(n.Cases)
	}
	return casesOf(n.Cases) + " [" + casesOf(n.CasesLo) + ", " + casesOf(n.CasesHi) + "]"
}

// casesOf formats a required number of cases. It returns [noValue] for 0, which means that no
// number of cases is enough.
func casesOf(n int64) string {
	if n == 0 {
		return noValue
	}
	return thousands(n)
}

// plainPoints formats a share in percentage points without rounding: 0.02 becomes "2".
func plainPoints(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e8)/1e6, 'f', -1, 64)
}

// exactPercent formats a share as a percentage without rounding.
func exactPercent(v float64) string { return plainPoints(v) + " %" }

// summarySentences returns sentences about a suite's power analysis: which differences its cases
// can detect, and how many cases are required.
func summarySentences(q power.Params, s power.SuiteAnalysis) (list []string) {
	var able []power.Analysis
	for _, a := range s.Comparisons {
		if isKnown(a.MinDetectableDifference) {
			able = append(able, a)
		}
	}
	least := func(a, b power.Analysis) int {
		return cmp.Compare(*a.MinDetectableDifference, *b.MinDetectableDifference)
	}
	switch n, same := sameCases(s.Comparisons); {
	case len(able) == 0 && n > 0 && same:
		list = append(list, plural(n, "case")+" cannot detect any difference.")
	case len(able) == 1:
		list = append(list, fmt.Sprintf("%s can detect a difference of %s with %s.", plural(able[0].Cases, "case"),
			detectable(able[0])+" points"+ifInAllEpochs(able[0]), powerText(q)))
	case len(able) > 1:
		lo, hi := slices.MinFunc(able, least), slices.MaxFunc(able, least)
		list = append(list, fmt.Sprintf("Detectable with %s: from %s points (%s) to %s points (%s).", powerText(q),
			detectable(lo), comparisonInText(lo)+ifInAllEpochs(lo), detectable(hi),
			comparisonInText(hi)+ifInAllEpochs(hi)))
	}
	i := largestUndetected(q, able)
	switch some := answerable(s.Comparisons, i); {
	case len(s.Comparisons) == 1:
		list = append(list, fmt.Sprintf("For %s, %s.", pointsOf(q.Differences[i]),
			requiredText(s.Comparisons[0].RequiredCases[i])))
	case len(some) == 0:
		list = append(list, fmt.Sprintf("No number of cases detects %s.", pointsOf(q.Differences[i])))
	default:
		lo, hi := extremes(some, i)
		text := fmt.Sprintf("For %s, %s (%s) to %s (%s) cases are needed.", pointsOf(q.Differences[i]),
			thousands(lo.RequiredCases[i].Cases), comparisonInText(lo), thousands(hi.RequiredCases[i].Cases),
			comparisonInText(hi))
		if most := mostInAllEpochs(some, i); most > 0 {
			text += " If a case that changes does so in every epoch: up to " + thousands(most) + "."
		}
		if len(some) < len(s.Comparisons) {
			text += " For the other comparisons no number is enough."
		}
		list = append(list, text)
	}
	if a := s.Comparisons[0]; len(s.Comparisons) == 1 && a.MarginCases != nil {
		list = append(list, fmt.Sprintf(
			"With no change, the gate drop(route.accuracy) <= %spp passes with %s and %s cases.",
			plainPoints(a.MarginCases.Difference), powerText(q), requiredCases(*a.MarginCases)))
	}
	return list
}

func pointsOf(v float64) string {
	if text := plainPoints(v); text != "1" {
		return text + " points"
	}
	return "1 point"
}

func powerText(q power.Params) string { return exactPercent(q.Power) + " power" }

func comparisonInText(a power.Analysis) string {
	if a.IsAssumedDiscordance {
		return "if " + exactPercent(a.Discordance.Value) + " are discordant"
	}
	return comparisonName(a)
}

func requiredText(n power.RequiredCases) string {
	if n.Cases == 0 {
		return "no number of cases is enough"
	}
	text := requiredCases(n) + " cases are needed"
	if n.CasesAllEpochs > 0 {
		text += ", " + thousands(n.CasesAllEpochs) + " if a case that changes does so in every epoch"
	}
	return text
}

// ifInAllEpochs returns the minimum detectable difference for the assumption that a case that
// changes does so in every epoch. It returns "" with one epoch.
func ifInAllEpochs(a power.Analysis) string {
	if !isKnown(a.MinDetectableDifferenceAllEpochs) {
		return ""
	}
	return " (" + percent(*a.MinDetectableDifferenceAllEpochs) + " if a case that changes does so in every epoch)"
}

// mostInAllEpochs returns the highest number of cases that any comparison requires for difference
// i. It assumes that a case that changes does so in every epoch. It returns 0 with one epoch.
func mostInAllEpochs(list []power.Analysis, i int) (largest int64) {
	for _, a := range list {
		largest = max(largest, a.RequiredCases[i].CasesAllEpochs)
	}
	return largest
}

// largestUndetected returns the index of the largest requested difference that at least one
// comparison cannot detect with its present cases.
func largestUndetected(q power.Params, able []power.Analysis) (at int) {
	for i, w := range q.Differences {
		short := slices.ContainsFunc(able, func(a power.Analysis) bool { return w < *a.MinDetectableDifference })
		if short && w > q.Differences[at] {
			at = i
		}
	}
	return at
}

// answerable returns the comparisons in which some number of cases can detect difference i.
func answerable(list []power.Analysis, i int) []power.Analysis {
	return slices.DeleteFunc(slices.Clone(list), func(a power.Analysis) bool { return a.RequiredCases[i].Cases == 0 })
}

// extremes returns the comparisons that require the fewest and the most cases for difference i.
func extremes(list []power.Analysis, i int) (lo, hi power.Analysis) {
	by := func(a, b power.Analysis) int { return cmp.Compare(a.RequiredCases[i].Cases, b.RequiredCases[i].Cases) }
	return slices.MinFunc(list, by), slices.MaxFunc(list, by)
}

// discordantInRun returns how many cases of the run were discordant, in parentheses. It returns ""
// if there are several comparisons.
func discordantInRun(s power.SuiteAnalysis) string {
	if a := s.Comparisons[0]; len(s.Comparisons) == 1 && a.ObservedDiscordantCases != nil {
		return " (" + thousands(*a.ObservedDiscordantCases) + " discordant in the run)"
	}
	return ""
}

// remarks explains the assumptions behind the numbers, and counts the comparisons that are not
// shown.
func (p PowerReport) remarks(s power.SuiteAnalysis, shown int, brief bool) (b document.Block) {
	note := func(as document.Tone, mark, text string, args ...any) {
		b.Lines = append(b.Lines, document.Line{Tone: as, Mark: mark, Text: fmt.Sprintf(text, args...)})
	}
	if s.Partial {
		note(document.Warn, "!", "The run did not end; only trials that ran are counted.")
	}
	if s.SkippedComparisons > 0 {
		note(document.Warn, "!", "%s: too few scored cases.", plural(s.SkippedComparisons, "comparison"))
	}
	all := plural(int64(len(s.Comparisons)), "comparison")
	switch {
	case brief && shown < len(s.Comparisons):
		note(document.Plain, " ", "%d of %s shown. -v shows more, with intervals; --format json or csv contains all.",
			shown, all)
	case shown < len(s.Comparisons):
		note(document.Plain, " ", "%d of %s shown. --format json or csv contains all.", shown, all)
	}
	family, none := int64(1), 0
	for _, a := range s.Comparisons {
		family = max(family, a.FamilySize)
		if !a.IsAssumedDiscordance && a.DiscordantCases == 0 {
			none++
		}
	}
	switch a := s.Comparisons[0]; {
	case a.IsAssumedDiscordance && s.Name != "" && len(s.Comparisons) > 1:
		note(document.Plain, " ", "No variants to compare: the discordance is assumed.")
	case a.IsAssumedDiscordance:
		note(document.Plain, " ", "discordant: share of cases in which two equally good variants differ. A difference adds to it.")
	case brief:
		note(document.Plain, " ", "Last columns: the number of cases needed to detect that difference.")
	default:
		note(document.Plain, " ", "without difference: discordant cases without the significant part of the difference. Ranges follow from its interval.")
	}
	if len(s.Comparisons) == 1 {
		note(document.Plain, " ", "Last columns: the power with that many cases.")
	}
	if none > 0 {
		note(document.Plain, " ", "With no discordant case, up to 3 in that many cases are assumed (rule of three).")
	}
	if s.Simulated {
		note(document.Warn, "!", "Simulated variants share random numbers and differ in fewer cases than real models. "+
			"The discordance assumes independent errors%s. Measure real models with a real run.", discordantInRun(s))
	}
	if s.LabelBased {
		note(document.Warn, "!", "%s.", eval.UnreadPromptsWarning)
	}
	if family > 1 {
		note(document.Plain, " ", "The level of %s is shared by up to %s (Holm's first step).", exactPercent(p.Alpha),
			plural(family, "comparison"))
	}
	if s.Epochs > 1 {
		note(document.Plain, " ", "if all epochs: the difference needed if few cases change in all of their epochs.")
	}
	return b
}

// rows returns one row for each comparison and difference to detect, or margin of a gate.
func (p PowerReport) rows() *document.Table {
	g := document.ValueTable("suite", "variant", "compared_with", "fault", "cases", "discordant_cases",
		"discordance", "lo", "hi",
		"family_size", "power", "alpha", "min_detectable_difference", "metric", "difference", "required_cases",
		"required_cases_lo", "required_cases_hi", "min_detectable_difference_all_epochs", "required_cases_all_epochs",
		"discordant_cases_seen")
	for _, s := range p.Suites {
		for _, a := range s.Comparisons {
			add := func(metric string, n power.RequiredCases) {
				g.AddValues(s.Name, a.Variant, a.ComparedWith, a.Fault, a.Cases, a.DiscordantCases, a.Discordance.Value,
					a.Discordance.Lo, a.Discordance.Hi, a.FamilySize, p.Power, p.Alpha,
					a.MinDetectableDifference, metric,
					n.Difference, nonzeroOrNil(n.Cases), nonzeroOrNil(n.CasesLo), nonzeroOrNil(n.CasesHi),
					a.MinDetectableDifferenceAllEpochs, nonzeroOrNil(n.CasesAllEpochs), a.ObservedDiscordantCases)
			}
			for _, n := range a.RequiredCases {
				add("difference", n)
			}
			if a.MarginCases != nil {
				add("margin", *a.MarginCases)
			}
		}
	}
	return g
}

// nonzeroOrNil returns a count as a value of a table. 0 means that there is none.
func nonzeroOrNil(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}
