package reports

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/page"
)

// outcomes shows in how many cases both runs, one or none of them is correct.
func (p comparedPair) outcomes() document.Block {
	v := p.pair
	list := []struct {
		n           int64
		class, name string
		tint        int
	}{
		{v.BothCorrect, "both", "correct in both", -3},
		{v.Fixed, "fixed", p.words.fixed, -5},
		{v.Broken, "broken", p.words.broken, 5},
		{v.BothWrong, "neither", "wrong in both", 0},
	}
	if p.Epochs > 1 {
		list[0].name = "correct in both in all epochs"
		list[2].name = "right less often"
		list[3].name = "other cases without a change"
	}
	total := float64(v.BothCorrect + v.Fixed + v.Broken + v.BothWrong)
	if total == 0 {
		return document.Block{}
	}
	const least = 0.6 // percent of the width, so that a single case is visible
	var widths [4]float64
	sum := 0.0
	for i, o := range list {
		if o.n > 0 {
			widths[i] = max(100*float64(o.n)/total, least)
		}
		sum += widths[i]
	}
	var svg strings.Builder
	var legend []document.LegendItem
	var words []string
	at := 0.0
	for i, o := range list {
		width := widths[i] * 100 / sum
		if o.n > 0 {
			fmt.Fprintf(&svg, `<rect class="%s" x="%.2f%%" y="0" width="%.2f%%" height="40"/>`, o.class, at, width)
			class := o.class
			if width < 8 {
				class += " few" // the number fits only on wide pages
			}
			if number := thousands(o.n); 12*width >= float64(10*len(number)) { // 12 px per percent
				fmt.Fprintf(&svg, `<text class="%s" x="%.2f%%" y="25" text-anchor="middle">%s</text>`, class,
					at+width/2, number)
			}
		}
		at += width
		item := document.LegendItem{Tint: o.tint, Text: thousands(o.n) + " " + o.name}
		if o.tint == 0 {
			item.Marks = []document.Mark{{Shape: document.Bar, From: 0.6, To: 1}}
		}
		legend, words = append(legend, item), append(words, item.Text)
	}
	label := template.HTMLEscapeString(clean(strings.Join(words, ", ")))
	drawing := `<svg class="flow" role="img" aria-label="` + label + `">` + svg.String() + "</svg>"
	return document.Block{Graphics: document.Graphics{Legend: legend,
		Drawing: template.HTML(drawing)}} //nolint:gosec // numbers and escaped words
}

// significant reports whether the difference is significant. Without a p-value the interval decides.
func (m comparedMetric) significant() bool {
	d := m.difference
	switch {
	case !isKnown(d.Value):
		return false
	case isKnown(d.AdjustedP):
		return *d.AdjustedP <= 0.05
	}
	return isKnown(d.Lo) && isKnown(d.Hi) && (*d.Lo > m.neutral() || *d.Hi < m.neutral())
}

// tone returns the color of a significant difference.
func (m comparedMetric) tone() document.Tone {
	switch {
	case !m.significant():
		return document.Plain
	case m.ratio == (*m.difference.Value > m.neutral()):
		return document.Bad
	}
	return document.Good
}

// neutral returns the value of a difference that means no change.
func (m comparedMetric) neutral() float64 {
	if m.ratio {
		return 1
	}
	return 0
}

// metricTable returns the table of the metrics whose differences are ratios, or of the others.
func (p comparedPair) metricTable(heading, head string, ratio bool) document.Block {
	list := slices.DeleteFunc(comparedMetrics(p.Comparison, p.pair),
		func(m comparedMetric) bool { return m.ratio != ratio })
	if len(list) == 0 {
		return document.Block{}
	}
	if ratio && !slices.ContainsFunc(list, func(m comparedMetric) bool { return m.name == costMetric }) {
		heading = "Latency" // no call has a price
	}
	var contrasts []eval.Contrast
	for _, m := range list {
		contrasts = append(contrasts, m.difference)
	}
	axis := contrastRange(contrasts).axis(document.PointsAxis)
	if ratio {
		axis = contrastRange(contrasts).axis(document.RatioAxis)
	}
	g := document.Table{Keys: 1, Class: "compared", Columns: []document.Column{{Head: "metric"},
		{Head: p.before, Right: true}, {Head: p.after, Right: true}, {Axis: axis},
		{Head: head, TailHead: "[95 %]", Right: true}}}
	for _, m := range list {
		bound := m.form
		switch {
		case ratio:
			bound = ratioBound
		case m.name == accuracyMetric:
			bound = pointsBound
		}
		d := m.difference
		number := document.Cell{Text: noValue}
		marks := document.IntervalMarks(d.Value, d.Lo, d.Hi, m.tone(), m.significant())
		switch {
		case !ratio && p.pair.State == eval.Identical:
			number.Text, marks = "= identical", []document.Mark{{Shape: document.Ring}}
		case isKnown(d.Value):
			number = document.Cell{Text: m.form(*d.Value), Tail: strings.TrimSpace(span(d.Lo, d.Hi, bound)),
				Tone: m.tone()}
			if ratio {
				number.Text = "×" + number.Text
			}
			if !m.significant() {
				number.Text = "~ " + number.Text
			}
		}
		g.AddRow([]document.Cell{{Text: m.name}, p.valueOnly(m, m.before, document.Plain),
			p.valueOnly(m, m.after, document.Strong),
			{Marks: marks}, number})
	}
	b := document.Block{Heading: heading, Table: g}
	if !ratio {
		b.Graphics.Legend = pairLegend
	}
	return b
}

// valueOnly returns a value without its interval. The accuracy has a note if it is not based on all
// trials.
func (p comparedPair) valueOnly(m comparedMetric, e eval.Estimate, tone document.Tone) document.Cell {
	if !isKnown(e.Value) {
		return document.Cell{Text: noValue}
	}
	e.Lo, e.Hi = nil, nil
	if m.name != accuracyMetric {
		return document.Cell{Text: m.show(e), Tone: tone}
	}
	c := document.Cell{Text: metric.FormatShare(*e.Value), Tone: tone}
	if trials := p.Cases * int64(max(p.Epochs, 1)); e.N != trials {
		c.Note = "of " + thousands(e.N)
	}
	return c
}

// pairLegend explains the marks of a difference.
var pairLegend = []document.LegendItem{
	{Marks: []document.Mark{{Shape: document.Whisker, From: 0.05, To: 0.95, Tone: document.Good},
		{Shape: document.Dot, From: 0.5, Tone: document.Good}}, Text: "significant, with 95 % interval"},
	{Marks: []document.Mark{{Shape: document.Ring, From: 0.5}}, Text: "~ no significant difference"},
}

// contrastRange returns the range of differences with their intervals.
func contrastRange(list []eval.Contrast) (r valueRange) {
	for _, c := range list {
		r.addContrast(c)
	}
	return r
}

func differenceMarks(d eval.Difference) document.Cell {
	if d.State == eval.Identical {
		return document.Cell{Marks: []document.Mark{{Shape: document.Ring}}}
	}
	return document.Cell{Marks: document.IntervalMarks(d.Accuracy.Value, d.Accuracy.Lo, d.Accuracy.Hi,
		stateTone(d.State), d.State == eval.Better || d.State == eval.Worse)}
}

// ratioBound formats the bound of a ratio. If that is rounded to 1, it has more decimals, so that the side
// is visible.
func ratioBound(v float64) string {
	text := metric.FormatRatio(v)
	for decimals := 3; decimals <= 5 && v != 1 && strings.TrimRight(text, "0") == "1."; decimals++ {
		text = strconv.FormatFloat(v, 'f', decimals, 64)
	}
	return text
}

// parts are the tags or the expected labels of a pair. Each is compared separately.
type parts struct {
	list []compare.Breakdown
	noun string // "tag" or "label"
	unit string // what the numbers of tags or labels count: "case", "turn" or "trial"
}

// tags returns the tags. They count cases.
func (p comparedPair) tags() parts { return parts{list: p.pair.Tags, noun: "tag", unit: "case"} }

// labels returns the expected labels. They count decisions, as the confusion matrix does: a case can
// have several turns and epochs.
func (p comparedPair) labels() parts {
	list := parts{list: p.pair.Classes, noun: "label", unit: "case"}
	for _, b := range list.list {
		switch epochs := int64(max(p.Epochs, 1)); {
		case max(b.Reference.N, b.Candidate.N) > b.Cases*epochs:
			list.unit = "turn"
			return list
		case epochs > 1:
			list.unit = "trial"
		}
	}
	return list
}

// count returns the number of cases or decisions of a tag or label.
func (l parts) count(b compare.Breakdown) int64 {
	if l.noun == "tag" {
		return b.Cases
	}
	return b.Candidate.N
}

// compare sorts significant tags or labels first, then by the size of the difference.
func (l parts) compare(a, b compare.Breakdown) int {
	rank := func(x compare.Breakdown) int {
		switch {
		case isSignificant(x):
			return 0
		case l.count(x) >= minBreakdownCases:
			return 1
		}
		return 2
	}
	size := func(x compare.Breakdown) float64 {
		if x.State == eval.InsufficientData || !isKnown(x.Accuracy.Value) {
			return -1
		}
		return math.Abs(*x.Accuracy.Value)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(size(b), size(a)))
}

func isSignificant(b compare.Breakdown) bool { return b.State == eval.Better || b.State == eval.Worse }

// sorted returns the tags or labels in the order of the table, and how many of them are shown without a
// click.
func (l parts) sorted() (list []compare.Breakdown, shown int) {
	list = slices.Clone(l.list)
	slices.SortStableFunc(list, l.compare)
	for _, b := range list {
		if l.count(b) >= minBreakdownCases || isSignificant(b) {
			shown++
		}
	}
	if shown == 0 || len(list) <= maxHTMLBreakdownRows {
		shown = len(list)
	}
	return list, min(shown, maxHTMLBreakdownRows)
}

// note states how many tags or labels differ significantly, how this was tested, and which are shown.
func (l parts) note(significant, tested, shown int) string {
	note := fmt.Sprintf("%s of %s differ significantly.", thousands(int64(significant)),
		plural(int64(len(l.list)), l.noun))
	switch {
	case significant == 0:
		note = "No " + l.noun + " differs significantly."
	case significant == 1:
		note = strings.Replace(note, " differ ", " differs ", 1)
	}
	if len(l.list) > shown {
		lead := " Then the"
		if significant == 0 {
			lead = " The"
		}
		note += fmt.Sprintf("%s largest differences with at least %d %ss.", lead, minBreakdownCases, l.unit)
	}
	if tested > 1 {
		note += fmt.Sprintf(" Significance is adjusted for %s (Holm); intervals are not.",
			plural(int64(tested), l.noun))
	}
	if l.noun == "label" && l.unit != "case" {
		note += fmt.Sprintf(" Recall counts %ss; a difference counts each case once.", l.unit)
	}
	return note
}

// breakdown returns the table of the tags or labels: those that differ significantly, then the largest
// differences. The others are folded.
func (p comparedPair) breakdown(heading string, of parts) document.Block {
	if len(of.list) < 2 {
		return document.Block{}
	}
	list, shown := of.sorted()
	significant, tested := 0, 0
	for _, b := range list {
		if isSignificant(b) {
			significant++
		}
		tested = max(tested, int(b.FamilySize))
	}
	var contrasts []eval.Contrast
	for _, all := range []parts{p.tags(), p.labels()} {
		list, shown := all.sorted()
		for _, b := range list[:shown] {
			contrasts = append(contrasts, b.Accuracy)
		}
	}
	axis := contrastRange(contrasts).axis(document.PointsAxis) // tags and labels have the same axis
	b := document.Block{
		Heading:  heading,
		Table:    p.breakdownTable(of, list[:shown], axis),
		Graphics: document.Graphics{Note: of.note(significant, tested, shown)},
	}
	if rest := list[shown:]; len(rest) > 0 {
		more := rest[:min(len(rest), maxFoldedRows)]
		name := plural(int64(len(rest)), "more "+of.noun)
		if len(more) < len(rest) {
			name = fmt.Sprintf("%d of %s", len(more), name)
		}
		var contrasts []eval.Contrast
		for _, b := range more {
			contrasts = append(contrasts, b.Accuracy)
		}
		b.More = &document.Folded{
			Name: name,
			Blocks: []document.Block{{Table: p.breakdownTable(of, more,
				contrastRange(contrasts).axis(document.PointsAxis))}},
		}
	}
	return b
}

func (p comparedPair) breakdownTable(of parts, list []compare.Breakdown, axis *document.Axis) document.Table {
	head := of.noun
	if of.noun == "label" {
		head = "label, recall"
	}
	g := document.Table{Keys: 1, Class: "compared parts", Columns: []document.Column{
		{Head: head},
		{Head: of.unit + "s", Right: true},
		{Head: p.before, Right: true},
		{Head: p.after, Right: true},
		{Axis: axis},
		{Head: "points", TailHead: "[95 %]", Right: true},
	}}
	for _, b := range list {
		n := of.count(b)
		share := func(e eval.Estimate) document.Cell {
			c := document.Cell{Text: shareOnly(e)}
			if of.noun == "label" && isKnown(e.Value) && e.N != n {
				c.Note = "of " + thousands(e.N)
			}
			return c
		}
		g.AddRow([]document.Cell{{Text: named(b.Name)}, {Text: thousands(n)}, share(b.Reference), share(b.Candidate),
			differenceMarks(b.Difference), differenceCell(b.Difference)})
	}
	return g
}

// changedCases lists cases that changed, those with the most frequent change first.
func (p comparedPair) changedCases(heading string, change page.Change, all []compare.ChangedCase) document.Block {
	if len(all) == 0 {
		return document.Block{}
	}
	counts := countChanges(all)
	rank := map[string]int{}
	for i, c := range counts {
		rank[c.change] = i
	}
	list := slices.Clone(all)
	slices.SortStableFunc(list, func(a, b compare.ChangedCase) int {
		return cmp.Compare(rank[labelChange(a)], rank[labelChange(b)])
	})
	var frequent []string
	for _, c := range counts[:min(len(counts), maxNamedParts)] {
		frequent = append(frequent, fmt.Sprintf("%s (%s)", c.change, thousands(c.n)))
	}
	g := document.Table{Keys: 1, Class: "changed",
		Columns: []document.Column{{Head: "case"}, {Head: "text"}, {Head: "before → after"}}}
	link := p.casesLink(change)
	for _, c := range list[:min(len(list), maxHTMLChangedCases)] {
		id := document.Cell{Text: c.Case, Link: page.CaseLink{List: link, ID: c.Case}.String()}
		if c.Turn > 0 {
			id.Tag = fmt.Sprintf("turn %d", c.Turn)
		}
		g.AddRow([]document.Cell{id, {Text: text.Excerpt(c.Text, maxCaseText)},
			{Parts: []document.Part{{Text: predictionText(c.Reference) + " → "},
				{Text: predictionText(c.Candidate), Tone: document.Strong}}}})
	}
	b := document.Block{Heading: heading + " " + thousands(int64(len(all))), Table: g, Graphics: document.Graphics{
		Note: "Most frequent: " + strings.Join(frequent, "; ") + "."}}
	b.Notes = []document.Line{{Parts: []document.Part{
		{Text: "All " + plural(int64(len(all)), "case"), Link: link.String()}}}}
	return b
}
