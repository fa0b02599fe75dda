package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// Limits for the parts of a pull request comment, in lines. With headings and blank lines, a
// comment has at most commentLines lines.
const (
	commentLines    = 60
	commentGates    = 10
	commentVariants = 10
	commentCases    = 8  // newly failing cases; as many newly passing cases are added
	commentText     = 80 // maximum length of a case's text, in terminal columns
)

// pullRequestComment renders a report as Markdown for a pull request: the gates, the change of each
// variant, and the cases that fail or pass since the baseline run.
func pullRequestComment(r Report) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "### %s\n", document.EscapeMarkdown(commentHeading(r)))
	var notes []document.Line
	if r.Summary.Partial {
		notes = append(notes, partialText(r.Summary, "what follows"))
	}
	if title := overviewTitle(r); len(r.Summary.Suites) > 0 {
		notes = append(notes, document.Line{Text: title})
	}
	if len(r.Summary.Suites) == 0 {
		notes = append(notes, document.Line{Tone: document.Bad, Mark: "✗", Text: "No suite ran."})
	}
	bullets(&out, notes)
	bullets(&out, commentVerdicts(r.Summary.Gates))
	if r.Run != nil && r.BaselineRun != nil {
		changedVariants(&out, r)
	} else {
		variantResults(&out, r)
	}
	var last []string
	if r.ResultsURL != "" {
		last = append(last, "[All results]("+r.ResultsURL+")")
	}
	if bytes.Contains(out.Bytes(), []byte(`| \~ `)) {
		last = append(last, `\~ no significant difference`)
	}
	if len(last) > 0 {
		fmt.Fprintf(&out, "\n%s\n", strings.Join(last, " · "))
	}
	return out.Bytes(), nil
}

func commentHeading(r Report) string {
	text := "evalctl"
	if len(r.Summary.Gates) > 0 {
		text += ": " + strings.ToLower(gatesHeading(r.Summary.Gates))
	}
	if r.BaselineRun != nil {
		text += " · compared with " + r.BaselineRun.Path
	}
	return text
}

func markdownOf(b document.Block) []byte {
	text, _ := document.Markdown(document.Document{Blocks: []document.Block{b}}, document.Options{}) // never fails
	return text
}

// bullets writes the sentences as a Markdown list, after a blank line.
func bullets(out *bytes.Buffer, lines []document.Line) {
	if len(lines) == 0 {
		return
	}
	out.WriteByte('\n')
	out.Write(markdownOf(document.Block{Lines: lines}))
}

// commentVerdicts returns one line for each gate, failed gates first. It shows at most commentGates
// lines.
func commentVerdicts(all []eval.GateVerdict) []document.Line {
	lines := gateBlock(all).Lines
	if more := len(lines) - commentGates; more > 0 {
		lines = append(lines[:commentGates:commentGates],
			document.Line{Text: "and " + plural(int64(more), "more gate")})
	}
	return lines
}

// variantResults writes a table of the variants and the most important findings. Comments use it if
// there is no baseline run to compare with.
func variantResults(out *bytes.Buffer, r Report) {
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "variant"}, {Head: "accuracy [95 %]", Right: true},
		{Head: "vs first", Right: true}, {Head: "p95", Right: true}}}
	for _, s := range r.Summary.Suites {
		for _, c := range finding.ConditionsWithoutFault(s) {
			accuracy, change := shareCell(c.Metrics["route.accuracy"]), differenceFromBaseline(s, c)
			g.AddRow([]document.Cell{{Text: nameIn(r, s.Name, c.Variant)},
				{Text: strings.TrimSpace(accuracy.Text + " " + accuracy.Tail)},
				{Text: strings.TrimSpace(change.Text + " " + change.Tail)},
				{Text: quantile("p95", c.Metrics["latency.p95"])}})
		}
	}
	commentTable(out, g)
	var lines []document.Line
	for _, f := range overviewSentences(r.Summary.Suites) {
		l := document.Line{Text: f.String()}
		if f.IsWarning() {
			l.Mark = "!"
		}
		lines = append(lines, l)
	}
	bullets(out, lines)
}

func commentTable(out *bytes.Buffer, g document.Table) {
	if g.Rows() == 0 {
		return
	}
	more := g.Rows() - commentVariants
	if more > 0 {
		g = g.FirstRows(commentVariants)
	}
	out.WriteByte('\n')
	out.Write(markdownOf(document.Block{Table: g}))
	if more > 0 {
		fmt.Fprintf(out, "\nand %s more\n", plural(int64(more), "more variant"))
	}
}

// maxComparisonNotes is the maximum number of notes on comparisons in a comment.
const maxComparisonNotes = 2

// changedVariants writes the accuracy of each variant in the baseline run and in this run. It also
// lists the cases whose result changed.
func changedVariants(out *bytes.Buffer, r Report) {
	suites := compareWithBaseline(r.Run, r.BaselineRun, compare.Selection{})
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "variant"}, {Head: "accuracy before", Right: true},
		{Head: "after", Right: true},
		{Head: "change [95 %]", Right: true}, {Head: "newly passing/failing", Right: true}, {Head: "p95", Right: true}}}
	var notes, remarks []document.Line
	var failing, passing changedCases
	for _, s := range r.Summary.Suites {
		of := suites[s.Name]
		if len(of.variants) > 0 {
			for _, text := range of.variants[0].Notes {
				remarks = append(remarks, document.Line{Text: s.Name + ": " + text})
			}
		}
		if of.notComparedReason != "" {
			notes = append(notes, document.Line{Tone: document.Warn, Mark: "!",
				Text: s.Name + " is not compared: " + of.notComparedReason})
		}
		for _, c := range of.variants {
			before, after, pair := c.Candidates[0], c.Candidates[1], c.Pairs[0]
			change := differenceCell(pair.Difference)
			g.AddRow([]document.Cell{{Text: nameIn(r, s.Name, after.Variant)},
				{Text: finding.FormatShare(before.Accuracy)}, {Text: finding.FormatShare(after.Accuracy)},
				{Text: strings.TrimSpace(change.Text + " " + change.Tail)},
				{Text: thousands(pair.Fixed) + "/" + thousands(pair.Broken)},
				{Text: quantile("p95", before.P95) + " → " + quantile("p95", after.P95)}})
			failing.add(s.Name, after.Variant, pair.BrokenCases)
			passing.add(s.Name, after.Variant, pair.FixedCases)
		}
		for _, v := range of.newVariants {
			g.AddRow([]document.Cell{{Text: nameIn(r, s.Name, v)}, {Text: "new"}, {Text: noValue},
				{Text: noValue}, {Text: noValue}, {Text: noValue}})
		}
	}
	if more := len(notes) - maxComparisonNotes; more > 0 {
		notes = append(notes[:1:1],
			document.Line{Tone: document.Warn, Mark: "!", Text: plural(int64(more+1), "more suite") + " not compared"})
	}
	if room := maxComparisonNotes - len(notes); room > 0 {
		notes = append(notes, remarks[:min(len(remarks), room)]...)
	}
	bullets(out, notes)
	commentTable(out, g)
	failing.write(out, "newly failing case", r)
	passing.write(out, "newly passing case", r)
}

// changedCase is a case whose result changed since the baseline run. It lists all variants in which
// the result changed in the same way.
type changedCase struct {
	suite string
	compare.ChangedCase
	variants []string
}

type changedCases []*changedCase

func (f *changedCases) add(suite, variant string, list []compare.ChangedCase) {
	for _, one := range list {
		same := func(o *changedCase) bool {
			return o.suite == suite && o.Case == one.Case && slices.Equal(o.Reference.Labels, one.Reference.Labels) &&
				slices.Equal(o.Candidate.Labels, one.Candidate.Labels)
		}
		if at := slices.IndexFunc(*f, same); at >= 0 {
			(*f)[at].variants = append((*f)[at].variants, variant)
			continue
		}
		*f = append(*f, &changedCase{suite: suite, ChangedCase: one, variants: []string{variant}})
	}
}

// write lists the changed cases; those that changed in most variants come first.
func (f changedCases) write(out *bytes.Buffer, what string, r Report) {
	if len(f) == 0 {
		return
	}
	cases := map[[2]string]bool{}
	for _, one := range f {
		cases[[2]string{one.suite, one.Case}] = true
	}
	slices.SortStableFunc(f, func(a, b *changedCase) int { return cmp.Compare(len(b.variants), len(a.variants)) })
	fmt.Fprintf(out, "\n**%s**\n\n", plural(int64(len(cases)), what))
	for _, one := range f[:min(len(f), commentCases)] {
		fmt.Fprintf(out, "- %s\n", one.markdown(r))
	}
	if more := len(f) - commentCases; more > 0 {
		text := "and " + thousands(int64(more)) + " more"
		if r.ResultsURL != "" {
			text = fmt.Sprintf("[%s](%s)", text, r.ResultsURL)
		}
		fmt.Fprintf(out, "- %s\n", text)
	}
}

func (f *changedCase) markdown(r Report) string {
	variants := f.variants
	if more := len(variants) - 3; more > 0 {
		variants = append(slices.Clone(variants[:3]), thousands(int64(more))+" more")
	}
	id := f.Case
	if len(r.Summary.Suites) > 1 {
		id = f.suite + "/" + id
	}
	return fmt.Sprintf("%s %s: %s → %s, expected %s (%s)", document.MarkdownCode(clean(shorten(id, commentText))),
		document.EscapeMarkdown(`"`+shorten(clean(f.Text), commentText)+`"`),
		document.EscapeMarkdown(labelsOf(f.Reference)), document.EscapeMarkdown(labelsOf(f.Candidate)),
		document.EscapeMarkdown(clean(cmp.Or(strings.Join(f.Expected, " or "), noValue))),
		document.EscapeMarkdown(clean(strings.Join(variants, ", "))))
}

// labelsOf joins the labels that a case got in its epochs.
func labelsOf(a compare.CaseAnswers) string {
	return shorten(clean(cmp.Or(strings.Join(a.Labels, " or "), noValue)), commentText)
}
