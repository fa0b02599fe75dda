package finding

import (
	"cmp"
	"fmt"
	"slices"
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

	Answer string // text that the model returned for a decision or a review; "": not stored

	Kind         TimelineRowKind
	IsMinor      bool            // less important than other rows, so that reports may omit it
	MergedStarts []time.Duration // start times of the other calls that were merged into this row

	call *trace.Span // nil: the event is not a call
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
		Answer:   line(e.RawAnswer()),
		Kind:     roleOf(e),
		IsMinor:  isMinor(e.Kind),
	}
	switch {
	case e.Kind == trace.KindSpan && e.Span != nil:
		m.call = e.Span
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
