package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"evalctl/eval"
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
}

// Write prints one line for each trial, wrong ones first. Lines have at most width columns, except
// for long case ids. Width 0 is unlimited; values below 40 count as 40.
func (f FailedTrials) Write(w io.Writer, width int) error {
	t := &terminal{width: lineWidth(width)}
	if f.Partial {
		t.statement(line{mark: "✗", text: partialText(eval.Summary{}, "this report").text})
	}
	if f.WrongCount+f.UnscoredCount == 0 {
		t.statement(line{text: fmt.Sprintf("No failing case in %s.", plural(f.Trials, "trial"))})
	}
	f.section(t, "wrong", f.Wrong, f.WrongCount)
	f.section(t, "no answer", f.Unscored, f.UnscoredCount)
	f.partlyWrong(t)
	f.footer(t)
	if _, err := bytes.NewReader(t.out.Bytes()).WriteTo(w); err != nil {
		return fmt.Errorf("write the list: %w", err)
	}
	return nil
}

func (f FailedTrials) section(t *terminal, name string, rows []eval.Result, total int64) {
	if total == 0 {
		return
	}
	f.heading(t, name, len(rows), total)
	t.list(columnsOfFailing(rows, t.width), rows, "text", func(r eval.Result) string { return r.Text })
}

// partlyWrong prints the trials with a right decision, and which of their checks failed.
func (f FailedTrials) partlyWrong(t *terminal) {
	if f.PartlyWrongCount == 0 {
		return
	}
	f.heading(t, "right, but incomplete", len(f.PartlyWrong), f.PartlyWrongCount)
	columns := slices.DeleteFunc(columnsOfFailing(f.PartlyWrong, t.width), func(c failingColumn) bool {
		return !slices.Contains([]string{"case", "variant", "epoch"}, c.head)
	})
	t.list(columns, f.PartlyWrong, "missing",
		func(r eval.Result) string { return strings.Join(r.FailedChecks(), "; ") })
}

// heading prints the title of a section: how many trials it contains, out of how many, and how many
// are shown.
func (f FailedTrials) heading(t *terminal, name string, shown int, count int64) {
	text := fmt.Sprintf("%s: %s of %s", name, thousands(count), plural(f.Trials, "trial"))
	switch f.Fault {
	case "":
	case eval.NoFault:
		text += " without a fault"
	default:
		text += " under " + clean(f.Fault)
	}
	if n := int64(shown); n < count {
		text += fmt.Sprintf("; first %s shown", thousands(n))
	}
	t.statement(line{text: text})
	t.line("")
}

// list prints one line for each trial: the cells of the columns, then a free text such as the
// input.
func (t *terminal) list(columns []failingColumn, rows []eval.Result, head string, text func(eval.Result) string) {
	texts := make([]string, len(columns))
	for i, c := range columns {
		texts[i] = c.head
	}
	t.row(columns, texts, head)
	for _, r := range rows {
		for i, c := range columns {
			texts[i] = clean(c.value(r))
		}
		t.row(columns, texts, clean(text(r)))
	}
	t.line("")
}

// failingColumn is a column of the list of failed trials, such as the expected label.
type failingColumn struct {
	head  string
	value func(eval.Result) string
	right bool
	width int
}

// columnsOfFailing returns the columns of the list of failed trials. It omits variant and epoch if
// they are the same in all rows. Columns shrink to fit the width, but the case id is never
// shortened.
func columnsOfFailing(rows []eval.Result, width int) (list []failingColumn) {
	variants, epochs := false, false
	for _, r := range rows {
		variants, epochs = variants || r.Variant != rows[0].Variant, epochs || r.Epoch > 1
	}
	for _, c := range []failingColumn{
		{head: "case", value: func(r eval.Result) string { return r.Case }},
		{head: "variant", value: func(r eval.Result) string { return r.Variant }},
		{head: "epoch", right: true, value: func(r eval.Result) string { return strconv.Itoa(r.Epoch) }},
		{head: "expected", value: func(r eval.Result) string { return strings.Join(r.Expected, " or ") }},
		{head: "got", value: eval.Result.Actual},
		{head: "conf", right: true, value: confidence},
		{head: "by", value: func(r eval.Result) string { return cmp.Or(r.DecidedBy, noValue) }},
	} {
		if c.head == "variant" && !variants || c.head == "epoch" && !epochs {
			continue
		}
		c.width = columnsOf(c.head)
		for _, r := range rows {
			c.width = max(c.width, columnsOf(clean(c.value(r))))
		}
		list = append(list, c)
	}
	shrinkable := list[1:]
	least := 0
	for _, c := range shrinkable {
		least += min(c.width, minNameWidth) + gap
	}
	available := width - list[0].width - gap
	if available < least { // the case id is so long that it gets its own line
		available = width - gap
	}
	narrow(shrinkable, available)
	return list
}

// narrow shrinks the widest columns until their total width is at most room, or until all have the
// minimum width.
func narrow(list []failingColumn, room int) {
	for {
		widest, all := 0, 0
		for i, c := range list {
			all += c.width + gap
			if c.width > list[widest].width {
				widest = i
			}
		}
		if over := all - gap - room; over <= 0 || list[widest].width <= minNameWidth {
			return
		}
		list[widest].width--
	}
}

func confidence(r eval.Result) string {
	if r.DecidedBy == "" || r.Confidence == nil {
		return noValue
	}
	return formatMean(*r.Confidence)
}

// row prints the line of one trial, with as much of the text as fits. On a narrow screen the text
// gets its own line, and so does a long case id.
func (t *terminal) row(columns []failingColumn, texts []string, text string) {
	const least = 28
	var b strings.Builder
	for i, c := range columns {
		b.WriteString(pad(shorten(texts[i], c.width), c.width, c.right) + strings.Repeat(" ", gap))
	}
	lead := strings.TrimRight(b.String(), " ")
	if room := t.width - columnsOf(b.String()); room >= least {
		t.line(strings.TrimRight(b.String()+shorten(text, room), " "))
		return
	}
	if rest := columns[1:]; columnsOf(lead) > t.width {
		t.line(texts[0])
		lead = ""
		for i, c := range rest {
			lead += "  " + pad(shorten(texts[i+1], c.width), c.width, c.right)
		}
		lead = strings.TrimRight(shorten(lead, t.width), " ")
	}
	t.line(lead)
	t.line("  " + shorten(text, t.width-2))
}

func (f FailedTrials) footer(t *terminal) {
	all := slices.Concat(f.Wrong, f.Unscored, f.PartlyWrong)
	if len(all) == 0 {
		return
	}
	words := showCommand(f.Dir, all[0].Case, all[0].Variant)
	if fault := cmp.Or(all[0].Fault, eval.NoFault); fault != eval.NoFault {
		words = slices.Insert(words, 2, "--fault="+fault)
	}
	t.statement(line{text: "show a case:"})
	for _, l := range command("  ", words, t.width) {
		t.line(l)
	}
}
