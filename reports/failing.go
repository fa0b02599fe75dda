package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"evalctl/eval"
)

// Failing is a list of the trials of a run that went wrong.
type Failing struct {
	Dir    string        // of the run
	Wrong  []eval.Result // to be listed, as the next
	Absent []eval.Result // without an answer, or none that could be judged

	WrongCount, AbsentCount, Trials int64 // of all that were looked at
}

// Write lists them, a line each, the wrong ones first. No line is longer than
// width; 0 is unlimited, less than 40 counts as 40.
func (f Failing) Write(w io.Writer, width int) error {
	t := &terminal{width: lineWidth(width)}
	if f.WrongCount+f.AbsentCount == 0 {
		t.statement(line{text: fmt.Sprintf("no failing case in %s", counted(f.Trials, "trial"))})
	}
	f.section(t, "wrong", f.Wrong, f.WrongCount)
	f.section(t, "no answer", f.Absent, f.AbsentCount)
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
	heading := fmt.Sprintf("%s: %s of %s", name, grouped(count), counted(f.Trials, "trial"))
	if n := int64(len(rows)); n < count {
		heading += fmt.Sprintf(", the first %s", grouped(n))
	}
	t.statement(line{text: heading})
	t.line("")
	columns := columnsOfFailing(rows)
	head := make([]string, len(columns))
	for i, c := range columns {
		head[i] = c.head
	}
	lead := t.lead(columns, head)
	t.below(lead, "text")
	for _, r := range rows {
		for i, c := range columns {
			head[i] = clean(c.of(r))
		}
		t.below(t.lead(columns, head), clean(r.Text))
	}
	t.line("")
}

// failingColumn is what the list says of each trial before its text.
type failingColumn struct {
	head  string
	of    func(eval.Result) string
	width int
}

// widestFailing bounds a column.
const widestFailing = 18

// columnsOfFailing leaves out what is the same in all rows of one variant.
func columnsOfFailing(rows []eval.Result) (list []failingColumn) {
	several := false
	for _, r := range rows {
		several = several || r.Variant != rows[0].Variant
	}
	for _, c := range []failingColumn{
		{head: "case", of: func(r eval.Result) string { return r.Case }},
		{head: "variant", of: func(r eval.Result) string { return r.Variant }},
		{head: "expected", of: func(r eval.Result) string { return strings.Join(r.Expected, " or ") }},
		{head: "got", of: got},
		{head: "conf", of: confidence},
		{head: "by", of: func(r eval.Result) string { return cmp.Or(r.Source, unmeasured) }},
	} {
		if c.head == "variant" && !several {
			continue
		}
		c.width = columnsOf(c.head)
		for _, r := range rows {
			c.width = min(widestFailing, max(c.width, columnsOf(clean(c.of(r)))))
		}
		list = append(list, c)
	}
	return list
}

// got is what came in place of what was expected: where that is another answer
// than the one decided, what served.
func got(r eval.Result) string {
	switch s, judged := r.Decision(); {
	case r.IsWrong() && judged && s.Verdict == eval.Pass:
		return "served by " + cmp.Or(r.Served, "nobody")
	case r.IsWrong():
		return cmp.Or(r.Predicted, "nothing")
	case r.Error != nil:
		return string(r.Error.Kind) + " error"
	}
	return cmp.Or(r.Failure, "nothing")
}

func confidence(r eval.Result) string {
	if r.Source == "" {
		return unmeasured
	}
	return two(r.Confidence)
}

func (t *terminal) lead(columns []failingColumn, texts []string) string {
	var b strings.Builder
	for i, c := range columns {
		b.WriteString(pad(shorten(texts[i], c.width), c.width, c.head == "conf") + "  ")
	}
	return b.String()
}

// below writes a text beside what leads to it, as much of it as fits; on a narrow
// screen it has a line of its own.
func (t *terminal) below(lead, text string) {
	const least = 28
	if room := t.width - columnsOf(lead); room >= least {
		t.line(strings.TrimRight(lead+shorten(text, room), " "))
		return
	}
	t.line(strings.TrimRight(shorten(lead, t.width), " "))
	t.line("  " + shorten(text, t.width-2))
}

// footer says how to see one.
func (f Failing) footer(t *terminal) {
	all := slices.Concat(f.Wrong, f.Absent)
	if len(all) == 0 {
		return
	}
	words := showCommand(f.Dir, all[0].Case, all[0].Variant)
	if fault := cmp.Or(all[0].Fault, eval.NoFault); fault != eval.NoFault {
		words = slices.Insert(words, 2, "--fault="+fault)
	}
	t.statement(line{text: "why one of them failed:"})
	for _, l := range command("  ", words, t.width) {
		t.line(l)
	}
}
