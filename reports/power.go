package reports

import (
	"fmt"
	"io"
	"math"
	"strconv"

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
	d := document.Document{Source: "evalctl power", Data: p, Rows: p.rows()}
	for _, s := range p.Suites {
		d.Blocks = append(d.Blocks, p.summary(s))
		shown, few := s.Comparisons[:min(len(s.Comparisons), shownComparisons)],
			to.Terminal && !p.ShowAll && len(s.Comparisons) > briefComparisons && !s.Comparisons[0].IsAssumedDiscordance
		switch {
		case len(s.Comparisons) == 1:
			d.Blocks = append(d.Blocks, document.Block{Table: p.differenceTable(s.Comparisons[0])})
		case few:
			shown = mainComparisons(s)
			d.Blocks = append(d.Blocks, document.Block{Table: p.shortTable(s, shown)})
		default:
			d.Blocks = append(d.Blocks, document.Block{Table: p.fullTable(s, shown)})
		}
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

// columnAdder starts a table with one row for each comparison. It returns a function that adds a
// column to the table.
func columnAdder(g *document.Table, shown []power.Analysis) func(head string, right bool, show func(power.Analysis) string) {
	g.Keys = 1
	return func(head string, right bool, show func(power.Analysis) string) {
		of := document.Column{Head: head, Right: right}
		for _, a := range shown {
			of.Cells = append(of.Cells, document.Cell{Text: show(a)})
		}
		g.Columns = append(g.Columns, of)
	}
}

// shortTable returns the table of a brief report: one row for each comparison, without ranges.
func (p PowerReport) shortTable(s power.SuiteAnalysis, shown []power.Analysis) (g document.Table) {
	add := columnAdder(&g, shown)
	add("", false, comparisonName)
	if _, same := sameCases(s.Comparisons); !same {
		add("cases", true, func(a power.Analysis) string { return thousands(a.Cases) })
	}
	add("discordant", true, func(a power.Analysis) string { return thousands(a.DiscordantCases) })
	add("detectable pp", true, detectable)
	p.addAllEpochs(s, add)
	for i, w := range p.Differences {
		add(plainPoints(w)+" pp", true, func(a power.Analysis) string { return casesOf(a.RequiredCases[i].Cases) })
	}
	if p.Margin > 0 {
		add("gate "+plainPoints(p.Margin), true, func(a power.Analysis) string { return casesOf(a.MarginCases.Cases) })
	}
	return g
}

// addAllEpochs adds a column for runs with several epochs: the minimum detectable difference if a
// case that changes does so in every epoch.
func (p PowerReport) addAllEpochs(s power.SuiteAnalysis,
	add func(head string, right bool, show func(power.Analysis) string)) {
	if s.Epochs > 1 && !s.Comparisons[0].IsAssumedDiscordance {
		add("if all epochs", true, func(a power.Analysis) string {
			if !isKnown(a.MinDetectableDifferenceAllEpochs) {
				return noValue
			}
			return percent(*a.MinDetectableDifferenceAllEpochs)
		})
	}
}

// fullTable returns the table of comparisons with the required numbers of cases and their ranges.
func (p PowerReport) fullTable(s power.SuiteAnalysis, shown []power.Analysis) (g document.Table) {
	add := columnAdder(&g, shown)
	n, same := sameCases(s.Comparisons)
	if assumed := s.Comparisons[0].IsAssumedDiscordance; assumed {
		add("discordant", true, func(a power.Analysis) string { return exactPercent(a.Discordance.Value) })
	} else {
		add("", false, comparisonName)
		if !same {
			add("cases", true, func(a power.Analysis) string { return thousands(a.Cases) })
		}
		add("discordant", true, func(a power.Analysis) string { return thousands(a.DiscordantCases) })
		add("without difference [95 %]", false, discordance)
	}
	if !same || n > 0 {
		add("detectable pp", true, func(a power.Analysis) string { return detectable(a) })
		p.addAllEpochs(s, add)
	}
	for i, w := range p.Differences {
		add("for "+plainPoints(w)+" pp", false,
			func(a power.Analysis) string { return requiredCases(a.RequiredCases[i]) })
	}
	if p.Margin > 0 {
		add("gate "+plainPoints(p.Margin)+" pp", false,
			func(a power.Analysis) string { return requiredCases(*a.MarginCases) })
	}
	return g
}

// differenceTable returns the table for a single comparison, with one row for each difference to
// detect.
func (p PowerReport) differenceTable(a power.Analysis) document.Table {
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
