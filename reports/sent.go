package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/visible"
)

// sentLines is the number of lines of a sent message that are shown unless all are requested.
const sentLines = 6

// WriteSentMessages prints what each call of a chat model in a trial sent. prompt returns the text of a stored
// prompt by its ID, and false if it is missing. full: print every line; otherwise the first ones of
// each message.
func WriteSentMessages(w io.Writer, r eval.Result, prompt func(id string) (text string, ok bool), full bool, width int) error {
	s := sentPrinter{
		terminal: terminal{width: lineWidth(width)},
		prompt:   prompt,
		full:     full,
		shown:    map[string]bool{},
	}
	for i, turn := range r.Outcome.Turns {
		for _, e := range turn.Events {
			if e.Kind == trace.KindSpan && len(e.Span.SentMessages) > 0 {
				s.call(i+1, len(r.Outcome.Turns), e)
			}
		}
	}
	if s.cut {
		s.line("")
		s.statement(line{text: "Long messages are cut. To print them in full, add --sent.", tone: faint})
	}
	_, err := bytes.NewReader(s.out.Bytes()).WriteTo(w)
	return err
}

// sentPrinter is a terminal that prints sent messages.
type sentPrinter struct {
	terminal
	prompt func(id string) (string, bool)
	full   bool
	shown  map[string]bool // IDs of the prompts that were printed before
	cut    bool            // a message was cut
}

func (s *sentPrinter) call(turn, turns int, e trace.Event) {
	head := fmt.Sprintf("sent to %s (%s)", visible.EscapeLabel(e.Span.Model), visible.EscapeLabel(e.Node))
	if turns > 1 {
		head = fmt.Sprintf("turn %d · ", turn) + head
	}
	s.line("")
	s.statement(line{text: head + " at " + number.Duration(e.Span.Start)})
	for _, m := range e.Span.SentMessages {
		s.message(m)
	}
}

func (s *sentPrinter) message(m trace.SentMessage) {
	text, notes := m.Text, []string{}
	if m.Prompt != "" {
		note := "prompt " + m.Prompt
		stored, ok := s.prompt(m.Prompt)
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
	role := visible.EscapeLabel(m.Role)
	if len(notes) > 0 {
		role += " (" + strings.Join(notes, ", ") + ")"
	}
	s.line(s.paint("  "+role, faint))
	lines := s.lines(text)
	if !s.full && len(lines) > sentLines+1 {
		s.cut = true
		lines = append(lines[:sentLines], "… "+plural(int64(len(lines)-sentLines), "more line"))
	}
	for _, l := range lines {
		s.line("    " + l)
	}
}

// lines wraps a text and preserves its line breaks.
func (s *sentPrinter) lines(text string) (lines []string) {
	for _, l := range strings.Split(strings.TrimRight(visible.EscapeMultiline(text), "\n"), "\n") {
		lines = append(lines, wrap(l, s.width-4)...)
	}
	return lines
}
