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
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// Limits for the texts of a trial's timeline, in columns.
const (
	longText  = 600 // excerpt of a question or an answer
	shortText = 160 // excerpt of any other text

	termWidth = 11 // width of the names at the start of lines, such as "user"
	// each paragraph counts as this many additional columns, which limits the number of short lines
	paragraphCost = 40
)

func (tl *trialLines) input(t agent.Turn) {
	if n := len(t.History); n > 0 {
		last := t.History[n-1]
		tl.term("history", fmt.Sprintf("%s, the last by %s: %s", plural(int64(n), "message"), last.Role, last.Content),
			shortText)
	}
	tl.session(t)
	tl.userMessages(t)
	for _, url := range t.Images {
		tl.term("image", finding.ImageText(url), shortText)
	}
	if t.Mask != "" {
		tl.term("mask", finding.ImageText(t.Mask), shortText)
	}
	for _, d := range t.Documents {
		tl.term("document", fmt.Sprintf("%s, %s: %s", d.Name,
			plural(int64(utf8.RuneCountInString(d.Content)), "character"), d.Content), shortText)
	}
	for _, tool := range t.Tools {
		tl.term("offered", strings.TrimSuffix(tool.Function.Name+": "+tool.Function.Description, ": "), shortText)
	}
	tl.settings("state", t.State)
	tl.settings("option", t.Options)
}

func (tl *trialLines) userMessages(t agent.Turn) {
	if len(t.Batch) == 0 {
		tl.term("user", t.Text, longText)
	}
	for _, message := range t.Batch {
		tl.term("user", message, longText)
	}
}

func (tl *trialLines) session(t agent.Turn) {
	var parts []string
	if t.Session != "" {
		parts = append(parts, "in session "+t.Session)
	}
	if t.Delay > 0 {
		parts = append(parts, time.Duration(t.Delay).String()+" after the previous turn")
	}
	tl.term("sent", strings.Join(parts, ", "), shortText)
}

func (tl *trialLines) settings(term string, values map[string]json.RawMessage) {
	for _, k := range slices.Sorted(maps.Keys(values)) {
		tl.term(term, k+" = "+string(values[k]), shortText)
	}
}

func (tl *trialLines) reply(r agent.Reply) {
	tl.replies(r)
	if r.Predicted != "" || r.DecidedBy != "" {
		tl.term("route", finding.RouteText(r), shortText)
	}
	tl.term("path", pathSummary(r.Steps), shortText)
	tl.lines = append(tl.lines, pathLines(r.Steps, tl.width)...)
	tl.term("slots", finding.SlotsText(r.Slots), shortText)
	tl.term("how", finding.SlotsText(r.Attributes), shortText)
	tl.term("found", finding.RetrievedText(r.Retrieved), shortText)
	if f := r.ErrorReply; f != nil {
		tl.term("error", finding.ErrorReplyText(*f), shortText)
	}
	if r.GeneratedImageURL != "" {
		tl.term("created", finding.ImageText(r.GeneratedImageURL), shortText)
	}
	for _, c := range r.ToolCalls {
		tl.term("tool", fmt.Sprintf("%s(%s) → %s", c.Name, c.Input, c.Output), 2*shortText)
	}
}

func (tl *trialLines) replies(r agent.Reply) {
	switch {
	case r.IsDeferred:
		tl.term("reply", "(answered with a later message)", longText)
	case len(r.Replies) == 0:
		tl.term("reply", cmp.Or(r.Content, "(empty)"), longText)
	}
	for i, message := range r.Replies {
		term := "reply"
		if i > 0 || message.DelaySeconds > 0 {
			term = "+" + finding.FormatDelay(message.DelaySeconds)
		}
		tl.term(term, cmp.Or(message.Content, "(empty)"), longText)
	}
}

// term adds a name followed by an excerpt of the text with about maxColumns columns. It preserves
// paragraphs, but each counts as additional columns.
func (tl *trialLines) term(name, text string, maxColumns int) {
	mark := pad("  "+name, termWidth-1)
	for _, p := range excerpt(text, maxColumns) {
		tl.add(document.Line{Mark: mark, Text: p})
		mark = strings.Repeat(" ", termWidth-1)
	}
}

// excerpt returns the beginning of a text as escaped paragraphs, about maxColumns columns in total.
// It ends with an ellipsis if the text is longer.
func excerpt(text string, maxColumns int) []string {
	var list []string
	for p := range strings.Lines(text) {
		p = strings.TrimSpace(clean(p))
		if p == "" {
			continue
		}
		if maxColumns <= 0 {
			list[len(list)-1] += " " + ellipsis
			break
		}
		short := shorten(p, maxColumns)
		list = append(list, short)
		if short != p {
			break
		}
		maxColumns -= columnsOf(p) + paragraphCost
	}
	return list
}
