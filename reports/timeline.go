package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// WriteTimeline prints a trial: the texts of each turn, and the events of its trace over time. Lines
// have at most width columns. Width 0 is unlimited; values below 40 count as 40.
func WriteTimeline(w io.Writer, r eval.Result, width int) error { return timelineOf(w, r, "", width) }

// WriteTimelineWithoutTrace prints a trial that has no trace. The text why states the reason.
func WriteTimelineWithoutTrace(w io.Writer, r eval.Result, why string, width int) error {
	return timelineOf(w, r, "No trace: "+why+".", width)
}

func timelineOf(w io.Writer, r eval.Result, untraced string, width int) error {
	tl := &timeline{terminal: terminal{width: lineWidth(width)}, noTraceReason: untraced}
	shown := tl.header(r)
	for i, p := range r.Outcome.Turns {
		tl.line("")
		tl.statement(line{text: fmt.Sprintf("turn %d of %d · %s", i+1, len(r.Outcome.Turns),
			number.Duration(p.Duration))})
		tl.input(p.Input)
		tl.reply(p.Reply)
		if i+1 != shown {
			tl.modelAnswers(p)
		}
		tl.events(p)
	}
	if _, err := bytes.NewReader(tl.out.Bytes()).WriteTo(w); err != nil {
		return fmt.Errorf("write timeline: %w", err)
	}
	return nil
}

// timeline prints a single trial to a terminal.
type timeline struct {
	terminal
	noTraceReason string // why the trial has no trace; "" if it has one
}

// events prints the events of a turn, ordered by start time, each with a bar for its duration.
func (tl *timeline) events(p eval.TurnResult) {
	all := finding.TimelineRows(p.Events, shortText)
	if len(all) == 0 {
		return
	}
	end := p.Duration
	var clockWidth, nodeWidth int
	for _, m := range all {
		end = max(end, m.Start+max(0, m.Duration))
		clockWidth = max(clockWidth, columnsOf(number.Duration(m.Start)))
		nodeWidth = max(nodeWidth, columnsOf(m.Node))
	}
	wide := min(32, max(8, (tl.width-clockWidth)/4))
	nodeWidth = min(nodeWidth, max(6, tl.width/6))
	tl.line("")
	for _, m := range all {
		lead := pad(number.Duration(m.Start), clockWidth, true) + " " + bar(m, wide, end) + " "
		tl.eventRow(lead, nodeWidth, m)
	}
}

// eventRow prints one event after its bar. The node gets no column of its own on a narrow screen or
// if its name is long.
func (tl *timeline) eventRow(lead string, nodeWidth int, m finding.TimelineRow) {
	text := m.Text
	if tl.width < 60 || columnsOf(m.Node) > nodeWidth {
		text = strings.TrimSpace(m.Node + " " + text)
	} else {
		lead += pad(m.Node, nodeWidth, false) + " "
	}
	indent := columnsOf(lead)
	for i, t := range wrap(text, tl.width-indent) {
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		tl.line(lead + t)
	}
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
	return pad(strings.Repeat(" ", from)+mark, n, false)
}
