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

// Failing is a list of the trials of a run that went wrong.
type Failing struct {
	Dir         string        // of the run
	Fault       string        // that the trials ran under; "": it is not stated
	Partial     bool          // the run did not end
	Wrong       []eval.Result // to be listed, as the next
	Unscored    []eval.Result // without an answer, or none that could be judged
	PartlyWrong []eval.Result // right, but for what [eval.Result.FailedChecks]

	WrongCount, AbsentCount, PoorCount, Trials int64 // of all that were looked at
}

// Write lists them, a line each, the wrong ones first. No line is longer than
// width, but for a case's id, which is whole on any; 0 is unlimited, less than 40
// counts as 40.
func (f Failing) Write(w io.Writer, width int) error {
	t := &terminal{width: lineWidth(width)}
	if f.Partial {
		t.statement(line{mark: "✗", text: partialText(eval.Summary{}, "this report").text})
	}
	if f.WrongCount+f.AbsentCount == 0 {
		t.statement(line{text: fmt.Sprintf("No failing case in %s.", counted(f.Trials, "trial"))})
	}
	f.section(t, "wrong", f.Wrong, f.WrongCount)
	f.section(t, "no answer", f.Unscored, f.AbsentCount)
	f.poor(t)
	f.footer(t)
	if _, err := bytes.NewReader(t.out.Bytes()).WriteTo(w); err != nil {
		return fmt.Errorf("write the list: %w", err)
	}
	return nil
}

func (f Failing) section(t *terminal, name string, rows []eval.Result, count int64) {
	if count == 0 {
		return
	}
	f.heading(t, name, len(rows), count)
	t.list(columnsOfFailing(rows, t.width), rows, "text", func(r eval.Result) string { return r.Text })
}

// poor lists what answers lack that came of right decisions.
func (f Failing) poor(t *terminal) {
	if f.PoorCount == 0 {
		return
	}
	f.heading(t, "right, but incomplete", len(f.PartlyWrong), f.PoorCount)
	columns := slices.DeleteFunc(columnsOfFailing(f.PartlyWrong, t.width), func(c failingColumn) bool {
		return !slices.Contains([]string{"case", "variant", "epoch"}, c.head)
	})
	t.list(columns, f.PartlyWrong, "missing", func(r eval.Result) string { return strings.Join(r.FailedChecks(), "; ") })
}

// heading says how many trials follow, of how many.
func (f Failing) heading(t *terminal, name string, shown int, count int64) {
	text := fmt.Sprintf("%s: %s of %s", name, grouped(count), counted(f.Trials, "trial"))
	switch f.Fault {
	case "":
	case eval.NoFault:
		text += " without a fault"
	default:
		text += " under " + clean(f.Fault)
	}
	if n := int64(shown); n < count {
		text += fmt.Sprintf("; first %s shown", grouped(n))
	}
	t.statement(line{text: text})
	t.line("")
}

// list has a line for each trial: the columns, and a text behind them.
func (t *terminal) list(columns []failingColumn, rows []eval.Result, head string, text func(eval.Result) string) {
	texts := make([]string, len(columns))
	for i, c := range columns {
		texts[i] = c.head
	}
	t.row(columns, texts, head)
	for _, r := range rows {
		for i, c := range columns {
			texts[i] = clean(c.of(r))
		}
		t.row(columns, texts, clean(text(r)))
	}
	t.line("")
}

// failingColumn is what the list says of each trial before its text.
type failingColumn struct {
	head  string
	of    func(eval.Result) string
	right bool
	width int
}

// columnsOfFailing leaves out what is the same in all rows of one variant, or of one
// epoch. They are as wide as what they show, where width allows it; the case's id
// stays whole.
func columnsOfFailing(rows []eval.Result, width int) (list []failingColumn) {
	variants, epochs := false, false
	for _, r := range rows {
		variants, epochs = variants || r.Variant != rows[0].Variant, epochs || r.Epoch > 1
	}
	for _, c := range []failingColumn{
		{head: "case", of: func(r eval.Result) string { return r.Case }},
		{head: "variant", of: func(r eval.Result) string { return r.Variant }},
		{head: "epoch", right: true, of: func(r eval.Result) string { return strconv.Itoa(r.Epoch) }},
		{head: "expected", of: func(r eval.Result) string { return strings.Join(r.Expected, " or ") }},
		{head: "got", of: eval.Result.Actual},
		{head: "conf", right: true, of: confidence},
		{head: "by", of: func(r eval.Result) string { return cmp.Or(r.DecidedBy, unmeasured) }},
	} {
		if c.head == "variant" && !variants || c.head == "epoch" && !epochs {
			continue
		}
		c.width = columnsOf(c.head)
		for _, r := range rows {
			c.width = max(c.width, columnsOf(clean(c.of(r))))
		}
		list = append(list, c)
	}
	rest := list[1:]
	least := 0
	for _, c := range rest {
		least += min(c.width, leastName) + gap
	}
	room := width - list[0].width - gap
	if room < least { // the id has a line of its own
		room = width - gap
	}
	narrow(rest, room)
	return list
}

// narrow takes room from the widest columns until they fit, or none is wide.
func narrow(list []failingColumn, room int) {
	for {
		widest, all := 0, 0
		for i, c := range list {
			all += c.width + gap
			if c.width > list[widest].width {
				widest = i
			}
		}
		if over := all - gap - room; over <= 0 || list[widest].width <= leastName {
			return
		}
		list[widest].width--
	}
}

func confidence(r eval.Result) string {
	if r.DecidedBy == "" || r.Confidence == nil {
		return unmeasured
	}
	return two(*r.Confidence)
}

// row writes a trial's line, with as much of the text beside the columns as fits;
// on a narrow screen it has a line of its own, and so has an id that leaves no room.
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

// footer says how to see one.
func (f Failing) footer(t *terminal) {
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
