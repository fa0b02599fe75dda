package finding

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"evalctl/agent/text"
	"evalctl/agent/trace"
	"evalctl/eval/metric"
)

// TimelineRow is a row of a timeline: a call or another event of a turn. Its texts are single lines
// without control characters.
type TimelineRow struct {
	Start    time.Duration // start, relative to the start of the turn
	Duration time.Duration // negative: the event happened at one moment
	Node     string        // node of the agent that the event belongs to
	Text     string        // description of the event

	Answer     string // text that the model returned for a decision or a review; "": not stored
	IsDecision bool   // Answer contains a decision, not a review

	Kind         TimelineRowKind
	IsMinor      bool            // less important than other rows, so that reports may omit it
	MergedStarts []time.Duration // start times of the other calls that were merged into this row

	Call *trace.Span // the call; nil: the event is not a call
}

// TimelineRowKind classifies a row, for example to choose its color.
type TimelineRowKind string

const (
	RowCall   TimelineRowKind = "call"   // successful call
	RowFailed TimelineRowKind = "failed" // failed call, or another failure
	RowOther  TimelineRowKind = "mark"   // any other event, drawn as a mark
)

// noDuration is the Duration of events that happened at one moment.
const noDuration = -1

// TimelineRows returns the rows for the events of a turn, sorted by start time. Free texts are
// limited to the given number of columns.
func TimelineRows(events []trace.Event, most int) []TimelineRow {
	return formatter{maxColumns: most}.rows(events)
}

// MergedTimelineRows returns the same rows as [TimelineRows], but merges the polls of a task into
// one row.
func MergedTimelineRows(events []trace.Event, most int) []TimelineRow {
	w := formatter{maxColumns: most}
	return w.merged(w.rows(events))
}

func (w formatter) rows(events []trace.Event) []TimelineRow {
	var list []TimelineRow
	for i := 0; i < len(events); i++ {
		e := events[i]
		if isHidden(e) {
			continue
		}
		if !isChunk(e.Kind) {
			list = append(list, w.row(e))
			continue
		}
		n := 1
		for i+n < len(events) && events[i+n].Kind == e.Kind && events[i+n].Node == e.Node {
			n++
		}
		list = append(list, w.chunks(events[i:i+n]))
		i += n - 1
	}
	slices.SortStableFunc(list, func(a, b TimelineRow) int { return cmp.Compare(a.Start, b.Start) })
	return list
}

// row converts an event to a row.
func (w formatter) row(e trace.Event) TimelineRow {
	m := TimelineRow{
		Start:    e.Offset,
		Duration: noDuration,
		Node:     line(e.Node),
		Answer:   text.EscapeMultiline(e.RawAnswer()),
		Kind:     roleOf(e),
		IsMinor:  isMinor(e.Kind),

		IsDecision: e.Kind != trace.KindReview,
	}
	switch {
	case e.Kind == trace.KindSpan && e.Span != nil:
		m.Call = e.Span
		m.Start, m.Duration, m.Text = e.Span.Start, max(0, e.Span.Duration), w.spanText(*e.Span)
	case e.Kind == trace.KindDone:
		m.Text = "done, " + metric.Plural(int64(utf8.RuneCountInString(e.Text)), "character")
	case e.Kind == trace.KindThoughtLog:
		m.Text = "thought: " + w.brief(e.Text)
	case e.Kind == trace.KindReview && e.Review != nil:
		m.Text = w.reviewText(*e.Review)
	case e.Kind == trace.KindCriticLoop && e.Reason == trace.ReasonMaxRounds:
		m.Text = fmt.Sprintf("exhausted, %s → %s", e.From, e.To)
	case e.Kind == trace.KindGenUIComponent:
		m.Text = w.componentText(e.Data)
	case e.Kind == trace.KindError:
		m.Text = w.errorText(e.Data)
	case e.Kind == trace.KindFormCheck:
		m.Text = "not in the requested form (" + e.Reason + ")" + w.suffix(e.Text)
	case e.Kind == trace.KindMessage:
		m.Text = w.messageText(e.Data)
	case e.Kind == trace.KindQuestion:
		m.Text = w.questionText(e.Data)
	case e.Kind == trace.KindCompression:
		m.Text = w.eventText(e) + w.suffix(compressionText(e.Data))
	case e.Kind == trace.KindNodeComplete:
		m.Text = w.eventText(e) + w.suffix(sessionText(e.Data))
	case isDocumentEvent(e.Kind):
		m.Text = w.eventText(e) + w.suffix(documentText(e.Data))
	default:
		m.Text = w.eventText(e)
	}
	m.Text = line(m.Text)
	return m
}

// chunks merges consecutive pieces of a streamed reply or thought into one row.
func (w formatter) chunks(run []trace.Event) TimelineRow {
	first, last := run[0], run[len(run)-1]
	size := 0
	for _, e := range run {
		size += utf8.RuneCountInString(e.Text)
	}
	text := fmt.Sprintf("▸ %s, %s, first at %s", metric.Plural(int64(len(run)), "chunk"),
		metric.Plural(int64(size), "character"), metric.FormatDuration(first.Offset))
	if first.Kind == trace.KindThoughtChunk {
		text = "thought" + w.suffix(first.Text)
		if len(run) > 1 {
			text += " … " + metric.Plural(int64(size), "character")
		}
	}
	return TimelineRow{
		Start:    first.Offset,
		Duration: max(0, last.Offset-first.Offset),
		Node:     line(first.Node),
		Text:     text,
		Kind:     RowOther,
		IsMinor:  true,
	}
}

// maxText is the maximum number of bytes of a text that are processed. No row shows more.
const maxText = 16 << 10

// line returns a text of any size as one line without control characters.
func line(s string) string { return text.EscapeLine(s[:min(len(s), maxText)]) }

func roleOf(e trace.Event) TimelineRowKind {
	switch e.Kind {
	case trace.KindSpan:
		if e.Span != nil && e.Span.Error == "" {
			return RowCall
		}
		return RowFailed
	case trace.KindFault, trace.KindFallback, trace.KindTimeout, trace.KindRetry, trace.KindError, trace.KindNoDecision,
		trace.KindNodeError,
		trace.KindSummaryError, trace.KindCacheError, trace.KindFormCheck:
		return RowFailed
	case trace.KindGuard, trace.KindCorrection:
		return RowFailed
	case trace.KindCriticLoop:
		if e.Reason == trace.ReasonMaxRounds {
			return RowFailed
		}
	}
	return RowOther
}

// isMinor reports whether events of this kind are less important: progress of a node, and user
// interface elements.
func isMinor(k trace.Kind) bool {
	switch k {
	case trace.KindThoughtLog, trace.KindGenUIComponent, trace.KindBanner, trace.KindMessage, trace.KindNodeComplete,
		trace.KindSummaryInit, trace.KindSummaryComplete:
		return true
	}
	return false
}

// isHidden reports whether a timeline omits the event, because it only reports success or repeats
// part of another event.
func isHidden(e trace.Event) bool {
	return e.Kind == trace.KindFormCheck && e.Reason == "" || slices.Contains([]trace.Kind{
		trace.KindThinkingStart, trace.KindThinkingEnd, trace.KindSummaryStart, trace.KindSummaryChunk,
		trace.KindCacheMiss}, e.Kind)
}

// isChunk reports whether events of this kind are pieces of a streamed reply or thought.
func isChunk(k trace.Kind) bool { return k == trace.KindChunk || k == trace.KindThoughtChunk }

func isDocumentEvent(k trace.Kind) bool {
	return k == trace.KindSummaryInit || k == trace.KindSummaryComplete || k == trace.KindSummaryError
}

// documentText returns which document an event is about, or how many documents. It returns "" if
// the data contains neither.
func documentText(data json.RawMessage) string {
	var of struct {
		ID    string `json:"doc_id"`
		Title string `json:"title"`
		Total int64  `json:"total"`
	}
	switch err := json.Unmarshal(data, &of); {
	case err != nil:
		return ""
	case of.ID != "":
		return strings.TrimSpace(of.ID + " " + of.Title)
	case of.Total > 0:
		return metric.Plural(of.Total, "document")
	}
	return ""
}

// sessionText returns how many messages and tokens the session has. It returns "" if the event does
// not contain this.
func sessionText(data json.RawMessage) string {
	var of struct {
		Messages int64 `json:"message_count"`
		Tokens   int64 `json:"total_token_count"`
	}
	if json.Unmarshal(data, &of) != nil || of.Messages <= 0 {
		return ""
	}
	return metric.Plural(of.Messages, "message") + ", " + metric.Plural(of.Tokens, "token")
}

// compressionText describes how much the history of a session was compressed, in tokens and
// messages.
func compressionText(data json.RawMessage) string {
	var c trace.Compression
	if json.Unmarshal(data, &c) != nil || c.TokensBefore == 0 {
		return ""
	}
	return fmt.Sprintf("%s → %s tokens, %s kept", metric.FormatInteger(int64(c.TokensBefore)),
		metric.FormatInteger(int64(c.TokensAfter)), metric.Plural(int64(c.RetainedMessages), "message"))
}

// minPolls is the minimum number of consecutive polls that become one row.
const minPolls = 3

// merged returns the rows with the polls of a task merged into one row. Polls are consecutive calls
// of a node to one provider that succeeded and used no tokens.
func (w formatter) merged(list []TimelineRow) []TimelineRow {
	var out []TimelineRow
	for len(list) > 0 {
		n := polls(list)
		if n < minPolls {
			out, list = append(out, list[0]), list[1:]
			continue
		}
		first, last := list[0], list[n-1]
		first.Duration = last.Start + last.Duration - first.Start
		first.Text = strings.TrimPrefix(text.EscapeLine(provider(*first.Call))+", ", ", ") +
			"asked " + metric.Plural(int64(n), "time") + ", " + metric.FormatDuration(first.Duration)
		for _, m := range list[1:n] {
			first.MergedStarts = append(first.MergedStarts, m.Start)
		}
		out, list = append(out, first), list[n:]
	}
	return out
}

// polls returns how many rows at the start of the list are polls of the same task.
func polls(list []TimelineRow) (n int) {
	end := time.Duration(-1)
	for n < len(list) && isPoll(list[n]) && list[n].Node == list[0].Node && list[n].Start >= end &&
		list[n].Call.Provider == list[0].Call.Provider && list[n].Call.Model == list[0].Call.Model {
		end = list[n].Start + list[n].Duration
		n++
	}
	return n
}

func isPoll(m TimelineRow) bool {
	return m.Call != nil && m.Call.Error == "" && m.Call.Tokens == (trace.Tokens{}) && !m.Call.UsageUnreported
}
