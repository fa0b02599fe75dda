package reports

import (
	"slices"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/page"
)

// criticBlocks returns how attempts go through the rounds of the Critic loops, and the metrics of the
// loops. Variants with equal results share a chart.
func criticBlocks(s eval.SuiteSummary, of *page.SuiteDistribution) (blocks []document.Block) {
	looping := slices.DeleteFunc(rankedConditions(s),
		func(c eval.ConditionSummary) bool { return len(c.LoopRounds) == 0 })
	if len(looping) == 0 {
		return nil
	}
	var most int64
	for _, c := range looping {
		for _, round := range of.Variant(c.Variant).Loops {
			most = max(most, round.Total())
		}
	}
	head := document.Block{Heading: "Critic loops", Graphics: document.Graphics{
		ID: sectionID(s, "critic")}}
	if most > 0 {
		head.Table = loopChart(looping, of, most)
		head.Graphics.Legend = stackedBarLegend("passed", "sent back", "exhausted")
		head.Graphics.Note = "A row for each round: attempts that pass, are sent back for another round, or are exhausted. " +
			"Rejected: sent back or exhausted."
	}
	head.Notes = append(head.Notes, remarks(looping)...)
	blocks = append(blocks, head)
	keys := slices.DeleteFunc(measuredKeys(looping),
		func(k metric.ResolvedKey) bool { return k.Group != metric.CriticGroup })
	if len(keys) > 0 {
		loops := groupTable(s, looping, keys)
		loops.Level, loops.Heading, loops.Table = 3, "Whole loops", transposed(loops.Table, "metric")
		loops.Table.Class = "stack"
		blocks = append(blocks, loops)
	}
	blocks = append(blocks, document.Block{More: &document.Folded{Name: "Numbers of each round",
		Blocks: document.ForReaders(loopPanels(s), true)}})
	return blocks
}

// loopChart returns a table with a row for each round of each variant's Critic loop.
func loopChart(looping []eval.ConditionSummary, of *page.SuiteDistribution, most int64) document.Table {
	axis := document.AmountAxis(float64(most))
	g := document.Table{Keys: 1, Class: "bars wide",
		Columns: []document.Column{{Head: "variant"}, {Head: "round", Right: true},
			{Head: "attempts", Right: true}, {Axis: axis}, {Head: "passed", Right: true},
			{Head: "sent back", Right: true},
			{Head: "exhausted", Right: true}, {Head: "passed, but bad", Right: true},
			{Head: "rejected, but good", Right: true}, {Head: "critic failed", Right: true, Rank: 1}}}
	rounds := func(c eval.ConditionSummary) []page.LoopRound { return of.Variant(c.Variant).Loops }
	for _, group := range groupEqual(looping, rounds) {
		name := text.JoinAnd(group.names)
		for i, round := range group.value {
			bar := stackedBar(round.Passed.Total(), round.SentBack.Total(), round.Exhausted.Total())
			bad, good := document.Cell{Text: countOrEmpty(round.Passed.Bad)},
				document.Cell{Text: countOrEmpty(round.SentBack.Good + round.Exhausted.Good)}
			if round.Passed.Bad > 0 {
				bad.Tone = document.Bad
			}
			g.AddRow([]document.Cell{{Text: name, Tone: document.Strong}, {Text: thousands(int64(i + 1))},
				{Text: thousands(round.Total())}, bar, {Text: thousands(round.Passed.Total())},
				{Text: thousands(round.SentBack.Total())}, {Text: countOrEmpty(round.Exhausted.Total())}, bad, good,
				{Text: countOrEmpty(round.CriticFailed)}})
			name = ""
		}
	}
	return g
}

// stackedBar draws three amounts from left to right: good, middle and bad ones.
func stackedBar(good, middle, bad int64) document.Cell {
	first, second := float64(good), float64(good+middle)
	marks := []document.Mark{
		{Shape: document.Bar, To: first, Tone: document.Strong},
		{Shape: document.Bar, From: first, To: second},
		{Shape: document.Bar, From: second, To: second + float64(bad), Tone: document.Bad},
	}
	return document.Cell{Marks: slices.DeleteFunc(marks, func(m document.Mark) bool { return m.To <= m.From })}
}

// stackedBarLegend explains the parts of a stacked bar.
func stackedBarLegend(good, middle, bad string) []document.LegendItem {
	part := func(tone document.Tone, text string) document.LegendItem {
		return document.LegendItem{Marks: []document.Mark{{Shape: document.Bar, To: 1, Tone: tone}}, Text: text}
	}
	return []document.LegendItem{part(document.Strong, good), part(document.Plain, middle), part(document.Bad, bad)}
}

// transposed returns the table with a row for each column and a column for each row, because a table
// with many columns does not fit a page. head is the head of the first column.
func transposed(g document.Table, head string) document.Table {
	out := document.Table{Keys: 1, Columns: []document.Column{{Head: head}}}
	for _, c := range g.Columns[0].Cells {
		out.Columns = append(out.Columns, document.Column{Head: c.Text, Right: true})
	}
	for _, c := range g.Columns[1:] {
		out.AddRow(append([]document.Cell{{Text: c.Head}}, c.Cells...))
	}
	return out
}
