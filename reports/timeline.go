package reports

import (
	"fmt"
	"io"
	"strings"
	"time"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// TrialReport shows a single trial: the texts of each turn, the events of its trace over time, and
// what each call of a chat model sent.
type TrialReport struct {
	Trial         eval.Result
	NoTraceReason string // why the trial has no trace; "" if it has one
	// returns the text of a stored prompt by its ID, and false if it is missing; nil: sent messages
	// are not shown
	Prompt   func(id string) (text string, ok bool)
	FullSent bool // show every line of the sent messages, instead of the first ones
	document.Options
}

// Write prints the trial for a terminal.
func (r TrialReport) Write(w io.Writer) error {
	return screen{noun: "trial", layOut: func(to document.Target) document.Document {
		return document.Document{Blocks: r.blocks(to.Width)}
	}}.write(w, Table, r.Options)
}

func (r TrialReport) blocks(width int) []document.Block {
	tl := &trialLines{width: width}
	reason := ""
	if r.NoTraceReason != "" {
		reason = "No trace: " + r.NoTraceReason + "."
	}
	shown := tl.header(r.Trial, reason)
	doc := []document.Block{{Lines: tl.lines}}
	turns := r.Trial.Outcome.Turns
	for i, p := range turns {
		tl.lines = []document.Line{{Text: fmt.Sprintf("turn %d of %d · %s", i+1, len(turns), metric.FormatDuration(p.Duration))}}
		tl.input(p.Input)
		tl.reply(p.Reply)
		if i+1 != shown {
			tl.modelAnswers(p)
		}
		doc = append(doc, document.Block{Lines: tl.lines}, document.Block{Lines: eventLines(p, width)})
	}
	if r.Prompt == nil {
		return doc
	}
	return append(doc, r.sentBlocks(width)...)
}

// trialLines collects lines about a trial.
type trialLines struct {
	width int
	lines []document.Line
}

func (tl *trialLines) add(l document.Line) { tl.lines = append(tl.lines, l) }

// eventLines returns the events of a turn, ordered by start time, each with a bar for its duration.
// The node gets no column of its own on a narrow screen or if its name is long.
func eventLines(p eval.TurnResult, width int) (lines []document.Line) {
	all := finding.TimelineRows(p.Events, shortText)
	end := p.Duration
	var clockWidth, nodeWidth int
	for _, m := range all {
		end = max(end, m.Start+max(0, m.Duration))
		clockWidth = max(clockWidth, columnsOf(metric.FormatDuration(m.Start)))
		nodeWidth = max(nodeWidth, columnsOf(m.Node))
	}
	wide := min(32, max(8, (width-clockWidth)/4))
	nodeWidth = min(nodeWidth, max(6, width/6))
	for _, m := range all {
		l := document.Line{Mark: padLeft(metric.FormatDuration(m.Start), clockWidth) + " " + bar(m, wide, end), Text: m.Text}
		if width < 60 || columnsOf(m.Node) > nodeWidth {
			l.Text = strings.TrimSpace(m.Node + " " + m.Text)
		} else {
			l.Mark += " " + pad(m.Node, nodeWidth)
		}
		lines = append(lines, l)
	}
	return lines
}

// bar draws when an event happened within a turn, as a bar on n columns. An event without a
// duration is a dot.
func bar(m finding.TimelineRow, n int, end time.Duration) string {
	place := func(d time.Duration) int {
		if end <= 0 || d <= 0 {
			return 0
		}
		return min(n, int(float64(d)/float64(end)*float64(n)+0.5))
	}
	from := min(place(m.Start), n-1)
	mark := "·"
	if m.Duration >= 0 {
		mark = strings.Repeat("█", max(1, place(m.Start+m.Duration)-from))
	}
	return pad(strings.Repeat(" ", from)+mark, n)
}
