package reports

import (
	"fmt"
	"strings"

	"evalctl/agent/text"
	"evalctl/agent/trace"
	"evalctl/eval/metric"
	"evalctl/reports/document"
)

// sentLines is the number of lines of a sent message that are shown unless all are requested.
const sentLines = 6

// sentBlocks returns what each call of a chat model in the trial sent.
func (r TrialReport) sentBlocks(width int) (doc []document.Block) {
	s := sentMessages{report: r, width: width, shown: map[string]bool{}}
	for i, turn := range r.Trial.Outcome.Turns {
		for _, e := range turn.Events {
			if e.Kind == trace.KindSpan && len(e.Span.SentMessages) > 0 {
				doc = append(doc, s.call(i+1, len(r.Trial.Outcome.Turns), e))
			}
		}
	}
	if s.cut {
		doc = append(doc,
			document.Block{Lines: []document.Line{
				{Text: "Long messages are cut. To print them in full, add --sent.", Tone: document.Faint}}})
	}
	return doc
}

// sentMessages lays out the messages that the calls of a trial sent.
type sentMessages struct {
	report TrialReport
	width  int
	shown  map[string]bool // IDs of the prompts that were shown before
	cut    bool            // a message was cut
}

func (s *sentMessages) call(turn, turns int, e trace.Event) document.Block {
	head := fmt.Sprintf("sent to %s (%s)", named(e.Span.Model), named(e.Node))
	if turns > 1 {
		head = fmt.Sprintf("turn %d · ", turn) + head
	}
	b := document.Block{Lines: []document.Line{{Text: head + " at " + metric.FormatDuration(e.Span.Start)}}}
	for _, m := range e.Span.SentMessages {
		b.Lines = append(b.Lines, s.message(m)...)
	}
	return b
}

func (s *sentMessages) message(m trace.SentMessage) (list []document.Line) {
	text, notes := m.Text, []string{}
	if m.Prompt != "" {
		note := "prompt " + m.Prompt
		stored, ok := s.report.Prompt(m.Prompt)
		switch {
		case !ok:
			note += ", which the run did not store"
		case s.shown[m.Prompt]:
			note, stored = note+", as above", ""
		}
		text, s.shown[m.Prompt] = stored, true
		notes = append(notes, note)
	}
	if m.Images > 0 {
		notes = append(notes, plural(int64(m.Images), "image"))
	}
	if m.OmittedChars > 0 {
		notes = append(notes, "without the last "+plural(int64(m.OmittedChars), "character"))
	}
	role := named(m.Role)
	if len(notes) > 0 {
		role += " (" + strings.Join(notes, ", ") + ")"
	}
	list = append(list, document.Line{Indent: 2, Text: role, Tone: document.Faint})
	lines := s.lines(text)
	if !s.report.FullSent && len(lines) > sentLines+1 {
		s.cut = true
		lines = append(lines[:sentLines], "… "+plural(int64(len(lines)-sentLines), "more line"))
	}
	for _, l := range lines {
		list = append(list, document.Line{Indent: 4, Text: l})
	}
	return list
}

// lines wraps a text and preserves its line breaks.
func (s *sentMessages) lines(message string) (lines []string) {
	for _, l := range strings.Split(strings.TrimRight(text.EscapeMultiline(message), "\n"), "\n") {
		lines = append(lines, wrap(l, s.width-4)...)
	}
	return lines
}
