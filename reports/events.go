package reports

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"evalctl/agent/trace"
)

// remark is the most of a free text that a line of the timeline shows, in columns.
const remark = 160

// momentOf says what an event was.
func momentOf(e trace.Event) moment {
	m := moment{at: e.At, span: instant, node: clean(e.Node)}
	switch {
	case e.Kind == trace.KindSpan && e.Span != nil:
		m.at, m.span, m.text = e.Span.Start, max(0, e.Span.Duration), spanText(*e.Span)
	case e.Kind == trace.KindDone:
		m.text = "done, " + counted(int64(utf8.RuneCountInString(e.Text)), "character")
	case e.Kind == trace.KindThought:
		m.text = "thought: " + brief(e.Text)
	case e.Kind == trace.KindReview && e.Review != nil:
		m.text = reviewText(*e.Review)
	case e.Kind == trace.KindLoop && e.Reason == trace.Exhausted:
		m.text = fmt.Sprintf("exhausted, %s → %s", e.From, e.To)
	case e.Kind == trace.KindComponent:
		m.text = componentText(e.Data)
	case e.Kind == trace.KindError:
		m.text = errorText(e.Data)
	case e.Kind == trace.KindForm:
		m.text = "not in the form asked for (" + e.Reason + ")" + remarkOf(e.Text)
	case e.Kind == trace.KindMessage:
		m.text = messageText(e.Data)
	case e.Kind == trace.KindQuestion:
		m.text = questionText(e.Data)
	case e.Kind == trace.KindCompression:
		m.text = eventText(e) + remarkOf(compressionText(e.Data))
	case e.Kind == trace.KindNodeComplete:
		m.text = eventText(e) + remarkOf(sessionText(e.Data))
	case isOfDocuments(e.Kind):
		m.text = eventText(e) + remarkOf(documentText(e.Data))
	default:
		m.text = eventText(e)
	}
	m.text = clean(m.text)
	return m
}

// spanText says what a call to the outside was and how it ended.
func spanText(s trace.Span) string {
	var parts []string
	if name := strings.Trim(s.Provider+"/"+s.Model, "/"); name != "" {
		parts = append(parts, name)
	}
	parts = append(parts, msOf(s.Duration)+" ms")
	if s.TTFT > 0 {
		parts = append(parts, "TTFT "+msOf(s.TTFT)+" ms")
	}
	if s.Tokens != (trace.Tokens{}) {
		parts = append(parts, fmt.Sprintf("tokens %s → %s", grouped(s.Tokens.In), grouped(s.Tokens.Out)))
	}
	if s.Uncounted {
		parts = append(parts, "tokens not known")
	}
	if s.Attempt > 1 {
		parts = append(parts, fmt.Sprintf("attempt %d", s.Attempt))
	}
	if s.Error != "" {
		failure := "✗ " + s.Error
		if s.Message != "" {
			failure += ": " + brief(s.Message)
		}
		parts = append(parts, failure)
	}
	return strings.Join(parts, ", ")
}

// eventText is the kind, where from and to, why, and the words.
func eventText(e trace.Event) string {
	text := strings.ReplaceAll(string(e.Kind), "_", " ")
	switch {
	case e.From != "" && e.To != "":
		text += " " + e.From + " → " + e.To
	case e.To != "":
		text += " → " + e.To
	case e.From != "":
		text += " from " + e.From
	}
	if e.Reason != "" {
		text += " (" + e.Reason + ")"
	}
	return text + remarkOf(e.Text)
}

// remarkOf is a free text behind what it is about.
func remarkOf(text string) string {
	if text == "" {
		return ""
	}
	return ": " + brief(text)
}

// chunks tells pieces of an answer, or of a thought, that came one after another as one.
func chunks(run []trace.Event) moment {
	first, last := run[0], run[len(run)-1]
	size := 0
	for _, e := range run {
		size += utf8.RuneCountInString(e.Text)
	}
	text := fmt.Sprintf("▸ %s, %s, first at %s ms", counted(int64(len(run)), "chunk"),
		counted(int64(size), "character"), msOf(first.At))
	if first.Kind == trace.KindThoughtChunk {
		text = "thought" + remarkOf(first.Text)
		if len(run) > 1 {
			text += " … " + counted(int64(size), "character")
		}
	}
	return moment{at: first.At, span: max(0, last.At-first.At), node: clean(first.Node), text: text}
}
