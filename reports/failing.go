package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
)

// FailedTrials is the list of a run's failed trials, which `evalctl show` prints.
type FailedTrials struct {
	Dir         string        // directory of the run
	Fault       string        // fault of the listed trials; "": trials under any fault
	Partial     bool          // the run was interrupted
	Wrong       []eval.Result // trials with a wrong decision
	Unscored    []eval.Result // trials without an answer or without a scored decision
	PartlyWrong []eval.Result // trials with a right decision but failed checks, see [eval.Result.FailedChecks]

	// counts of all trials of the run, including those that are not listed
	WrongCount, UnscoredCount, PartlyWrongCount, Trials int64

	document.Options
}

// Write prints one row for each trial, wrong ones first.
func (f FailedTrials) Write(w io.Writer) error {
	return screen{noun: "list of failed trials", layOut: func(to document.Target) document.Document {
		return document.Document{Blocks: f.blocks(to.Width)}
	}}.write(w, Table, f.Options)
}

func (f FailedTrials) blocks(width int) []document.Block {
	var first document.Block
	if f.Partial {
		first.Lines = append(first.Lines, document.Line{Mark: "✗",
			Text: partialText(eval.Summary{}, "this report").Text})
	}
	if f.WrongCount+f.UnscoredCount == 0 {
		first.Lines = append(first.Lines,
			document.Line{Text: fmt.Sprintf("No failing case in %s.", plural(f.Trials, "trial"))})
	}
	doc := []document.Block{first}
	add := func(name string, rows []eval.Result, total int64, columns ...document.Column) {
		if total > 0 {
			b := trialBlock(rows, columns, width)
			b.Lines = append([]document.Line{{Text: f.sectionTitle(name, len(rows), total)}}, b.Lines...)
			doc = append(doc, b)
		}
	}
	add("wrong", f.Wrong, f.WrongCount, decisionColumns(f.Wrong)...)
	add("no answer", f.Unscored, f.UnscoredCount, decisionColumns(f.Unscored)...)
	add("right, but incomplete", f.PartlyWrong, f.PartlyWrongCount, document.Column{Head: "missing",
		Cells: trialCells(f.PartlyWrong, func(r eval.Result) string { return strings.Join(r.FailedChecks(), "; ") })})
	all := slices.Concat(f.Wrong, f.Unscored, f.PartlyWrong)
	if len(all) == 0 {
		return doc
	}
	words := showCommand(f.Dir, all[0].Case, all[0].Variant)
	if fault := cmp.Or(all[0].Fault, eval.NoFault); fault != eval.NoFault {
		words = slices.Insert(words, 2, "--fault="+fault)
	}
	return append(doc, document.Block{Lines: []document.Line{{Text: "show a case:"}},
		Next: document.Suggestions("  ", words)})
}

// sectionTitle returns the title of a section: how many trials it contains, out of how many, and how
// many are shown.
func (f FailedTrials) sectionTitle(name string, shown int, count int64) string {
	text := fmt.Sprintf("%s: %s of %s", name, thousands(count), plural(f.Trials, "trial"))
	switch f.Fault {
	case "":
	case eval.NoFault:
		text += " without a fault"
	default:
		text += " under " + f.Fault
	}
	if n := int64(shown); n < count {
		text += fmt.Sprintf("; first %s shown", thousands(n))
	}
	return text
}

// trialCells returns a cell for each trial.
func trialCells(rows []eval.Result, value func(eval.Result) string) []document.Cell {
	return each(rows, func(r eval.Result) document.Cell { return document.Cell{Text: value(r)} })
}

// decisionColumns returns the columns about the decision of each trial, and the text of its case.
func decisionColumns(rows []eval.Result) []document.Column {
	expected := func(r eval.Result) string { return strings.Join(r.Expected, " or ") }
	decidedBy := func(r eval.Result) string { return cmp.Or(r.DecidedBy, noValue) }
	return []document.Column{
		{Head: "expected", Cells: trialCells(rows, expected)},
		{Head: "got", Cells: trialCells(rows, eval.Result.Actual)},
		{Head: "conf", Rank: 2, Right: true, Cells: trialCells(rows, confidence)},
		{Head: "by", Rank: 1, Cells: trialCells(rows, decidedBy)},
		{Head: "text", Cells: trialCells(rows, func(r eval.Result) string { return r.Text })},
	}
}

// minTextWidth is the minimum width of the texts in the table of a list of trials.
const minTextWidth = 16

// trialBlock returns a table of trials or, if that is too wide, up to three lines for each trial. The
// text of the last column is cut to the width. The case is never shortened, because `evalctl show`
// requires it.
func trialBlock(rows []eval.Result, columns []document.Column, width int) document.Block {
	columns = append(caseColumns(rows), columns...)
	values, texts := columns[1:len(columns)-1], columns[len(columns)-1]
	for _, maxLabel := range []int{document.Unlimited, 20} {
		g := document.Table{Keys: 1, Narrow: document.KeepNames, Columns: []document.Column{
			withTexts(columns[0], clean)}}
		for _, c := range values {
			g.Columns = append(g.Columns,
				withTexts(c, func(text string) string { return shortenMiddle(clean(text), maxLabel) }))
		}
		g = g.WithoutRanked(width - document.Gap - minTextWidth)
		if room := width - g.Width() - document.Gap; room >= minTextWidth {
			g.Columns = append(g.Columns,
				withTexts(texts, func(text string) string { return shorten(clean(text), room) }))
			return document.Block{Table: g}
		}
	}
	var b document.Block
	for i, r := range rows {
		b.Lines = append(b.Lines, document.Line{}, document.Line{Text: r.Case})
		var parts []string
		for _, c := range values {
			parts = append(parts, c.Head+" "+named(c.Cells[i].Text))
		}
		if len(parts) > 0 {
			b.Lines = append(b.Lines, document.Line{Indent: document.Gap, Text: strings.Join(parts, ", ")})
		}
		b.Lines = append(b.Lines, document.Line{Indent: document.Gap,
			Text: shorten(clean(texts.Cells[i].Text), width-document.Gap)})
	}
	return b
}

// withTexts returns the column with changed texts.
func withTexts(c document.Column, change func(string) string) document.Column {
	c.Cells = each(c.Cells, func(cell document.Cell) document.Cell { return document.Cell{Text: change(cell.Text)} })
	return c
}

// caseColumns returns the case, and the variant and the epoch if they differ.
func caseColumns(rows []eval.Result) []document.Column {
	list := []document.Column{{Head: "case", Cells: trialCells(rows, func(r eval.Result) string { return r.Case })}}
	if slices.ContainsFunc(rows, func(r eval.Result) bool { return r.Variant != rows[0].Variant }) {
		list = append(list, document.Column{Head: "variant",
			Cells: trialCells(rows, func(r eval.Result) string { return r.Variant })})
	}
	if slices.ContainsFunc(rows, func(r eval.Result) bool { return r.Epoch > 1 }) {
		list = append(list, document.Column{Head: "epoch", Right: true,
			Cells: trialCells(rows, func(r eval.Result) string { return strconv.Itoa(r.Epoch) })})
	}
	return list
}

func confidence(r eval.Result) string {
	if r.DecidedBy == "" || r.Confidence == nil {
		return noValue
	}
	return formatMean(*r.Confidence)
}
