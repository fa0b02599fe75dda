package companion

import (
	"context"
	"encoding/json"
	"strings"

	"evalctl/agent/clock"
	"evalctl/agent/companion/diary"
	"evalctl/agent/llm"
)

// Limits on the summary of a day, and on the messages to summarize.
const (
	maxNotes   = 10
	maxNote    = 200      // characters
	maxSummary = 2000     // characters
	maxDay     = 64 << 10 // bytes
)

// summary is the JSON answer of the summarizing model.
type summary struct {
	Summary string `json:"summary"`
	// parsed separately, so that an error does not invalidate the summary
	Topics json.RawMessage `json:"topics,omitempty"`
	// parsed separately, so that an error does not invalidate the summary
	KeyPoints json.RawMessage `json:"key_points,omitempty"`
}

func (s *summary) check() error {
	if strings.TrimSpace(s.Summary) == "" {
		return &llm.FieldError{Field: "summary", Problem: "is empty"}
	}
	return nil
}

// summarize calls the model to summarize the messages of one day. ok is false if that fails. It
// returns an error only if the context ended.
func (r *run) summarize(ctx context.Context, date string, lines []promptLine) (day diary.DailySummary,
	ok bool, err error) {
	text := date + "\n" + strings.Join(texts(lines), "\n")
	if len(text) > maxDay {
		text = strings.ToValidUTF8(text[:maxDay], "")
	}
	var s summary
	var a llm.Response
	err = clock.CatchPanic(summaryNode, func() (err error) {
		s, a, err = llm.ChatJSON(ctx, r.Summary,
			llm.Request{Messages: []llm.Message{llm.SystemMessage(r.Prompts.Summary.Text), llm.UserMessage(text)}},
			llm.AnswerSpec{Key: "summary"}, (*summary).check)
		return err
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return day, false, err
	case err != nil:
		if isInvalidAnswer(err) {
			traceFormat(ctx, summaryNode, llm.TraceReason(err), err.Error())
		}
		fallback(ctx, summaryNode, summaryNode, "no_summary", llm.TraceReason(err))
		return day, false, nil
	}
	memory, _ := r.memory()
	topics, one := readNotes(s.Topics)
	points, other := readNotes(s.KeyPoints)
	if one && other {
		traceFormat(ctx, summaryNode, a.FirstCorrection(), "")
	} else {
		traceFormat(ctx, summaryNode, wrongSchema, "topics or key_points are no lists of texts")
	}
	return diary.DailySummary{
		Agent:     memory,
		Date:      date,
		Summary:   truncateRunes(strings.TrimSpace(s.Summary), maxSummary),
		Topics:    topics,
		KeyPoints: points,
	}, true, nil
}

// readNotes parses a list of strings and truncates it to the limits of a summary.
func readNotes(raw json.RawMessage) (notes []string, ok bool) {
	var list []string
	if isGiven(raw) && json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	for _, n := range list {
		if n = strings.TrimSpace(n); n != "" && len(notes) < maxNotes {
			notes = append(notes, truncateRunes(n, maxNote))
		}
	}
	return notes, true
}

// truncateRunes returns the first characters of a text, at most this many.
func truncateRunes(text string, limit int) string {
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit])
	}
	return text
}
