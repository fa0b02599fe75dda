package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"evalctl/agent"
	"evalctl/reports/event"
)

// How much of what was said a timeline shows, in columns.
const (
	longText  = 600 // a question, an answer
	shortText = 160 // anything besides

	termWidth     = 11 // of the terms on the left
	paragraphCost = 40 // of an excerpt's columns, so that it is not all short lines
)

func (tl *timeline) input(t agent.Turn) {
	if n := len(t.History); n > 0 {
		last := t.History[n-1]
		tl.term("history", fmt.Sprintf("%s, the last by %s: %s", counted(int64(n), "message"), last.Role, last.Content), shortText)
	}
	tl.sending(t)
	tl.said(t)
	for _, url := range t.Images {
		tl.term("image", event.ImageLink(url), shortText)
	}
	if t.Mask != "" {
		tl.term("mask", event.ImageLink(t.Mask), shortText)
	}
	for _, d := range t.Documents {
		tl.term("document", fmt.Sprintf("%s, %s: %s", d.Name, counted(int64(utf8.RuneCountInString(d.Content)), "character"), d.Content), shortText)
	}
	tl.settings("state", t.State)
	tl.settings("option", t.Options)
}

// said is the user's message, or each of a batch.
func (tl *timeline) said(t agent.Turn) {
	if len(t.Batch) == 0 {
		tl.term("user", t.Text, longText)
	}
	for _, message := range t.Batch {
		tl.term("user", message, longText)
	}
}

// sending tells a turn of a session, and one that waits for no answer.
func (tl *timeline) sending(t agent.Turn) {
	var parts []string
	if t.Session != "" {
		parts = append(parts, "in session "+t.Session)
	}
	if t.After > 0 {
		parts = append(parts, time.Duration(t.After).String()+" after the previous turn")
	}
	tl.term("sent", strings.Join(parts, ", "), shortText)
}

func (tl *timeline) settings(term string, values map[string]json.RawMessage) {
	for _, k := range slices.Sorted(maps.Keys(values)) {
		tl.term(term, k+" = "+string(values[k]), shortText)
	}
}

func (tl *timeline) reply(r agent.Reply) {
	tl.answer(r)
	if r.Predicted != "" || r.DecidedBy != "" {
		tl.term("route", event.Route(r), shortText)
	}
	tl.term("path", pathSummary(r.Steps), shortText)
	for _, l := range pathLines(r.Steps, tl.width) {
		tl.line(l)
	}
	tl.term("slots", event.Values(r.Slots), shortText)
	tl.term("how", event.Values(r.Attributes), shortText)
	tl.term("found", event.RetrievedText(r.Retrieved), shortText)
	if f := r.ErrorReply; f != nil {
		tl.term("error", event.ErrorReplyText(*f), shortText)
	}
	if r.GeneratedImageURL != "" {
		tl.term("created", event.ImageLink(r.GeneratedImageURL), shortText)
	}
	for _, c := range r.ToolCalls {
		tl.term("tool", fmt.Sprintf("%s(%s) → %s", c.Name, c.Input, c.Output), 2*shortText)
	}
}

// answer is the answer, or each message of one that is several, with how long it
// waits for the one before.
func (tl *timeline) answer(r agent.Reply) {
	switch {
	case r.Batched:
		tl.term("reply", "(answered with a later message)", longText)
	case len(r.Replies) == 0:
		tl.term("reply", cmp.Or(r.Content, "(empty)"), longText)
	}
	for i, said := range r.Replies {
		term := "reply"
		if i > 0 || said.DelaySeconds > 0 {
			term = "+" + event.Delay(said.DelaySeconds)
		}
		tl.term(term, cmp.Or(said.Content, "(empty)"), longText)
	}
}

// term writes a term and, beside it, about so many columns of a text. Its
// paragraphs are kept; each costs a line's worth of them.
func (tl *timeline) term(name, text string, most int) {
	lead := pad("  "+name, termWidth, false)
	for _, p := range excerpt(text, most) {
		for _, l := range wrap(p, tl.width-termWidth) {
			tl.line(lead + l)
			lead = strings.Repeat(" ", termWidth)
		}
	}
}

// excerpt is the beginning of a text, as harmless paragraphs; … ends it if
// there is more.
func excerpt(text string, most int) []string {
	var list []string
	for p := range strings.Lines(text) {
		p = strings.TrimSpace(clean(p))
		if p == "" {
			continue
		}
		if most <= 0 {
			list[len(list)-1] += " " + ellipsis
			break
		}
		short := shorten(p, most)
		list = append(list, short)
		if short != p {
			break
		}
		most -= columnsOf(p) + paragraphCost
	}
	return list
}
