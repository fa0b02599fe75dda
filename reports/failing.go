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
	add := func(name string, rows []eval.Result, total int64, list trialList) {
		if total > 0 {
			list.rows, list.width = rows, width
			b := list.block()
			b.Lines = append([]document.Line{{Text: f.sectionTitle(name, len(rows), total)}}, b.Lines...)
			doc = append(doc, b)
		}
	}
	decisions := trialList{columns: decisionColumns(), textHead: "text",
		text: func(r eval.Result) string { return r.Text }}
	add("wrong", f.Wrong, f.WrongCount, decisions)
	add("no answer", f.Unscored, f.UnscoredCount, decisions)
	add("right, but incomplete", f.PartlyWrong, f.PartlyWrongCount, trialList{
		textHead: "missing",
		text:     func(r eval.Result) string { return strings.Join(r.FailedChecks(), "; ") },
	})
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

// trialList is a list of trials with a free text for each.
type trialList struct {
	rows     []eval.Result
	columns  []trialColumn
	textHead string
	text     func(eval.Result) string
	width    int
}

// trialColumn is a column of a list of trials.
type trialColumn struct {
	head  string
	rank  int
	right bool
	value func(eval.Result) string
}

// decisionColumns are the columns about the decision of a trial.
func decisionColumns() []trialColumn {
	return []trialColumn{
		{head: "expected", value: func(r eval.Result) string { return strings.Join(r.Expected, " or ") }},
		{head: "got", value: eval.Result.Actual},
		{head: "conf", rank: 2, right: true, value: confidence},
		{head: "by", rank: 1, value: func(r eval.Result) string { return cmp.Or(r.DecidedBy, noValue) }},
	}
}

// minTextWidth is the minimum width of the texts in the table of a list of trials.
const minTextWidth = 16

// block returns a table or, if that is too wide, up to three lines for each trial. The case is never
// shortened, because `evalctl show` requires it.
func (l trialList) block() document.Block {
	for _, maxLabel := range []int{document.Unlimited, 20} {
		g := l.table(maxLabel).WithoutRanked(l.width - document.Gap - minTextWidth)
		room := l.width - g.Width() - document.Gap
		if room < minTextWidth {
			continue
		}
		last := document.Column{Head: l.textHead}
		for _, r := range l.rows {
			last.Cells = append(last.Cells, document.Cell{Text: shorten(clean(l.text(r)), room)})
		}
		g.Columns = append(g.Columns, last)
		return document.Block{Table: g}
	}
	var b document.Block
	all := l.allColumns()
	for _, r := range l.rows {
		var values []string
		for _, c := range all[1:] {
			values = append(values, c.head+" "+named(c.value(r)))
		}
		b.Lines = append(b.Lines, document.Line{}, document.Line{Text: r.Case})
		if len(values) > 0 {
			b.Lines = append(b.Lines, document.Line{Indent: document.Gap, Text: strings.Join(values, ", ")})
		}
		b.Lines = append(b.Lines,
			document.Line{Indent: document.Gap, Text: shorten(clean(l.text(r)), l.width-document.Gap)})
	}
	return b
}

// allColumns returns the case, the variant and the epoch if they differ, and the columns of the list.
func (l trialList) allColumns() []trialColumn {
	all := []trialColumn{{head: "case", value: func(r eval.Result) string { return r.Case }}}
	if slices.ContainsFunc(l.rows, func(r eval.Result) bool { return r.Variant != l.rows[0].Variant }) {
		all = append(all, trialColumn{head: "variant", value: func(r eval.Result) string { return r.Variant }})
	}
	if slices.ContainsFunc(l.rows, func(r eval.Result) bool { return r.Epoch > 1 }) {
		all = append(all, trialColumn{
			head:  "epoch",
			right: true,
			value: func(r eval.Result) string { return strconv.Itoa(r.Epoch) },
		})
	}
	return append(all, l.columns...)
}

// table returns the columns of the list, with values other than the case shortened to maxLabel
// columns.
func (l trialList) table(maxLabel int) document.Table {
	g := document.Table{Keys: 1, Narrow: document.KeepNames}
	for i, c := range l.allColumns() {
		of := document.Column{Head: c.head, Right: c.right, Rank: c.rank}
		for _, r := range l.rows {
			text := clean(c.value(r))
			if i > 0 {
				text = shortenMiddle(text, maxLabel)
			}
			of.Cells = append(of.Cells, document.Cell{Text: text})
		}
		g.Columns = append(g.Columns, of)
	}
	return g
}

func confidence(r eval.Result) string {
	if r.DecidedBy == "" || r.Confidence == nil {
		return noValue
	}
	return formatMean(*r.Confidence)
}
