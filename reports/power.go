package reports

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"evalctl/eval/number"
	"evalctl/eval/power"
)

// Power shows what comparisons can show, and how many cases they need.
type Power struct {
	power.Question
	Suites []power.Suite `json:"suites"`

	Width  int  `json:"-"` // as of a Report, and the next three
	Color  bool `json:"-"`
	ASCII  bool `json:"-"`
	Detail bool `json:"-"`
}

// Write renders the answers in the given format. It writes once, when all is rendered.
func (p Power) Write(w io.Writer, format Format) error {
	return writeOnce(w, format, "answer", func() ([]byte, error) {
		switch format {
		case Table:
			return drawn(p.document(!p.Detail), p.Width, p.Color, p.ASCII)
		case Markdown:
			return paged(p.document(false)), nil
		case LaTeX:
			return latexOf(source{text: "evalctl power"}, p.document(false)), nil
		case JSON:
			return jsonText(p)
		case CSV:
			return powerCSV(p)
		}
		return nil, unfit(format, "power")
	})
}

// document has for each suite the gist before its table; brief, not more of it than
// fits a screen.
func (p Power) document(brief bool) (doc []block) {
	for _, s := range p.Suites {
		doc = append(doc, p.opening(s))
		shown, few := s.Comparisons[:min(len(s.Comparisons), shownComparisons)], brief && len(s.Comparisons) > briefComparisons && !s.Comparisons[0].Assumed
		switch {
		case len(s.Comparisons) == 1:
			doc = append(doc, block{grid: p.differences(s.Comparisons[0])})
		case few:
			shown = chief(s)
			doc = append(doc, block{grid: p.chiefComparisons(s, shown)})
		default:
			doc = append(doc, block{grid: p.comparisons(s, shown)})
		}
		if b := p.remarks(s, len(shown), few); !b.empty() {
			doc = append(doc, b)
		}
	}
	return doc
}

// opening says the gist before any table.
func (p Power) opening(s power.Suite) block {
	b := block{level: 2, heading: "Power"}
	if s.Name != "" {
		b.heading = s.Name
	}
	if n, same := sameCases(s.Comparisons); same && n > 0 {
		b.heading += " · " + counted(n, "case")
	}
	if s.Epochs > 1 {
		b.heading += fmt.Sprintf(" × %d epochs", s.Epochs)
	}
	b.heading += fmt.Sprintf(" · power %s, significance level %s", asked(p.Power), asked(p.Alpha))
	if a := s.Comparisons[0]; len(s.Comparisons) == 1 && !a.Assumed {
		b.lines = append(b.lines, line{mark: "·", text: fmt.Sprintf("%s: %s of %s are discordant, %s without the difference.", versus(a), grouped(a.DiscordantCases), counted(a.Cases, "case"), besides(a))})
	}
	for _, text := range summarySentences(p.Question, s) {
		b.lines = append(b.lines, line{mark: "·", text: text})
	}
	return b
}

// sameCases is the number of cases that all comparisons have.
func sameCases(list []power.Answer) (n int64, same bool) {
	for i, a := range list {
		if i > 0 && a.Cases != n {
			return 0, false
		}
		n = a.Cases
	}
	return n, true
}

// How many comparisons a table has, JSON and CSV have all; with how many a screen has
// their ranges, too, and how many it has at most without.
const (
	shownComparisons = 20
	briefComparisons = 3
	chiefComparisons = 7
)

// chief are the comparisons with the variant that the others are held against, and
// with the one that leads.
func chief(s power.Suite) (list []power.Answer) {
	first := s.Comparisons[0].ComparedWith
	for _, a := range s.Comparisons {
		if a.ComparedWith == first || a.ComparedWith == s.Leader || a.Variant == s.Leader {
			list = append(list, a)
		}
	}
	return list[:min(len(list), chiefComparisons)]
}

// adder adds columns to a table with a row for each comparison.
func adder(g *grid, shown []power.Answer) func(head string, right bool, show func(power.Answer) string) {
	g.keys, g.rows = 1, make([][]cell, len(shown))
	return func(head string, right bool, show func(power.Answer) string) {
		g.columns = append(g.columns, column{head: head, right: right})
		for i, a := range shown {
			g.rows[i] = append(g.rows[i], cell{text: show(a)})
		}
	}
}

// chiefComparisons has numbers without their ranges.
func (p Power) chiefComparisons(s power.Suite, shown []power.Answer) (g grid) {
	add := adder(&g, shown)
	add("", false, versus)
	if _, same := sameCases(s.Comparisons); !same {
		add("cases", true, func(a power.Answer) string { return grouped(a.Cases) })
	}
	add("discordant", true, func(a power.Answer) string { return grouped(a.DiscordantCases) })
	add("detectable pp", true, shows)
	p.addAllEpochs(s, add)
	for i, w := range p.Differences {
		add(plainPoints(w)+" pp", true, func(a power.Answer) string { return casesOf(a.RequiredCases[i].Cases) })
	}
	if p.Margin > 0 {
		add("gate "+plainPoints(p.Margin), true, func(a power.Answer) string { return casesOf(a.Margin.Cases) })
	}
	return g
}

// addAllEpochs adds the least difference if few cases lose all of their epochs.
func (p Power) addAllEpochs(s power.Suite, add func(head string, right bool, show func(power.Answer) string)) {
	if s.Epochs > 1 && !s.Comparisons[0].Assumed {
		add("if all epochs", true, func(a power.Answer) string {
			if !known(a.MinDetectableDifferenceAllEpochs) {
				return unmeasured
			}
			return percent(*a.MinDetectableDifferenceAllEpochs)
		})
	}
}

// comparisons has a row for each.
func (p Power) comparisons(s power.Suite, shown []power.Answer) (g grid) {
	add := adder(&g, shown)
	n, same := sameCases(s.Comparisons)
	if assumed := s.Comparisons[0].Assumed; assumed {
		add("discordant", true, func(a power.Answer) string { return asked(a.Discordance.Value) })
	} else {
		add("", false, versus)
		if !same {
			add("cases", true, func(a power.Answer) string { return grouped(a.Cases) })
		}
		add("discordant", true, func(a power.Answer) string { return grouped(a.DiscordantCases) })
		add("without difference [95 %]", false, besides)
	}
	if !same || n > 0 {
		add("detectable pp", true, func(a power.Answer) string { return shows(a) })
		p.addAllEpochs(s, add)
	}
	for i, w := range p.Differences {
		add("for "+plainPoints(w)+" pp", false, func(a power.Answer) string { return needed(a.RequiredCases[i]) })
	}
	if p.Margin > 0 {
		add("gate "+plainPoints(p.Margin)+" pp", false, func(a power.Answer) string { return needed(*a.Margin) })
	}
	return g
}

// differences has a row for each that is wanted of one comparison.
func (p Power) differences(a power.Answer) grid {
	g := grid{keys: 1, columns: []column{{head: "difference", right: true}, {head: "cases needed"}}}
	for i, n := range a.RequiredCases {
		row := []cell{{text: plainPoints(n.Difference) + " pp"}, {text: needed(n)}}
		if known(a.MinDetectableDifferenceAllEpochs) {
			if i == 0 {
				g.columns = append(g.columns, column{head: "if all epochs", right: true})
			}
			row = append(row, cell{text: casesOf(n.CasesAllEpochs)})
		}
		for _, c := range n.PowerAt {
			if i == 0 {
				g.columns = append(g.columns, column{head: counted(c.Cases, "case"), right: true})
			}
			row = append(row, cell{text: number.Share(c.Power)})
		}
		g.rows = append(g.rows, row)
	}
	return g
}

// versus names a comparison.
func versus(a power.Answer) string {
	text := named(a.Variant) + " vs " + named(a.ComparedWith)
	if a.Fault != "" {
		text += " + " + named(a.Fault)
	}
	return text
}

// besides is the share that differs without a difference.
func besides(a power.Answer) string {
	return number.Share(a.Discordance.Value) + span(&a.Discordance.Lo, &a.Discordance.Hi, percent)
}

// shows is the least difference that the cases of a comparison show, in points.
func shows(a power.Answer) string {
	if !known(a.MinDetectableDifference) {
		return unmeasured
	}
	return percent(*a.MinDetectableDifference)
}

// needed is a number of cases, with the range that follows from few that differ.
func needed(n power.RequiredCases) string {
	if n.CasesLo == n.CasesHi {
		return casesOf(n.Cases)
	}
	return casesOf(n.Cases) + " [" + casesOf(n.CasesLo) + ", " + casesOf(n.CasesHi) + "]"
}

// casesOf is a number of cases, if there is one.
func casesOf(n int64) string {
	if n == 0 {
		return unmeasured
	}
	return grouped(n)
}

// plainPoints writes a wanted difference as it was asked for: 0.02 as 2.
func plainPoints(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e8)/1e6, 'f', -1, 64)
}

// asked writes a share that was asked for.
func asked(v float64) string { return plainPoints(v) + " %" }
