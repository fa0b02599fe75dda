package terminal

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// ReplyPrinter shows the answer of an agent on the terminal while the agent generates it.
type ReplyPrinter struct {
	Out       *Printer // where the answer is printed
	inText    bool     // the last output was streamed text without a line end
	lastImage string   // URL of the last image that was shown
	shown     shownText
	buttons   []Button
}

// Button is a button of the last panel that the agent sent.
type Button struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// Buttons returns the buttons that the answer ends with; nil: it has none.
func (s *ReplyPrinter) Buttons() []Button { return s.buttons }

// ShowEvent shows one trace event of the answer, such as a chunk of text, a message or an error. It
// ignores events that are not for users.
func (s *ReplyPrinter) ShowEvent(e trace.Event) {
	switch e.Kind {
	case trace.KindChunk:
		if s.shown.addChunk(e.Text) {
			s.Out.Printf("%s", e.Text)
			s.inText = !strings.HasSuffix(e.Text, "\n")
		}
	case trace.KindMessage:
		s.message(e.Data)
	case trace.KindQuestion:
		s.question(e.Data)
	case trace.KindSpan:
		if e.Span.Error != "" && e.Span.Error != string(llm.KindCanceled) { // a canceled call is not an error
			s.line("! %-8s %s: %s", e.Node, e.Span.Error, OneLine(errors.New(e.Span.Message)))
		}
	case trace.KindBanner, trace.KindNotice:
		s.line("· %s", e.Text)
	case trace.KindThoughtLog:
		s.line("· %-8s %s", e.Node, e.Text)
	case trace.KindThinkingStart:
		s.line("· %s", e.Node)
	case trace.KindThoughtChunk:
		s.Out.Printf("%s", e.Text)
		s.inText = !strings.HasSuffix(e.Text, "\n")
	case trace.KindThinkingEnd:
		s.endText()
	case trace.KindSummaryComplete:
		s.line("· %s", documentOf(e))
	case trace.KindSummaryError:
		s.line("! %s: %s", documentOf(e), e.Reason)
	case trace.KindNodeError:
		s.line("! %-8s %s", e.Node, cmp.Or(e.Text, e.Reason))
	case trace.KindGenUIComponent:
		s.component(e.Data)
	}
}

// documentOf returns the ID and title of an event's document, or the name of its node.
func documentOf(e trace.Event) string {
	var of struct {
		ID    string `json:"doc_id"`
		Title string `json:"title"`
	}
	_ = json.Unmarshal(e.Data, &of) // if the data are invalid, the name of the node is used
	name := strings.TrimSpace(of.ID + " " + of.Title)
	if e.Reason != "" && e.Kind == trace.KindSummaryComplete {
		name += " (" + e.Reason + ")"
	}
	return cmp.Or(name, e.Node)
}

// component shows a user interface component as text: image URL, text and buttons.
func (s *ReplyPrinter) component(data json.RawMessage) {
	var c struct {
		Props struct {
			ImageURL string   `json:"imageUrl"`
			Text     string   `json:"text"`
			Actions  []Button `json:"actions"`
		} `json:"props"`
	}
	if err := json.Unmarshal(data, &c); err != nil {
		s.line("! a component that is not JSON: %v", err)
		return
	}
	if c.Props.ImageURL != "" {
		s.image(c.Props.ImageURL)
	}
	if c.Props.Text != "" {
		s.shown.addMessage(c.Props.Text)
		s.line("%s", c.Props.Text)
	}
	var labels []string
	for _, a := range c.Props.Actions {
		labels = append(labels, "["+a.Label+"]")
	}
	if len(labels) > 0 {
		s.buttons = c.Props.Actions
		s.line("%s", strings.Join(labels, " "))
	}
}

func (s *ReplyPrinter) line(format string, args ...any) {
	s.endText()
	s.Out.Printf(format+"\n", args...)
}

func (s *ReplyPrinter) endText() {
	if s.inText {
		s.Out.Printf("\n")
		s.inText = false
	}
}

// Finish shows the parts of the finished reply that its events did not show. These are the text of
// a reply that was not streamed, and the URL of a generated image.
func (s *ReplyPrinter) Finish(r agent.Reply) {
	s.endText()
	if r.Content != "" && s.shown.isEmpty() {
		s.line("%s", r.Content)
	}
	if r.GeneratedImageURL != "" && r.GeneratedImageURL != s.lastImage {
		s.image(r.GeneratedImageURL)
	}
}

func (s *ReplyPrinter) image(url string) {
	s.lastImage = url
	s.line("▣ %s", url)
}
