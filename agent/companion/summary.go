package companion

import (
	"context"
	"encoding/json"
	"strings"

	"evalctl/agent/clock"
	"evalctl/agent/companion/diary"
	"evalctl/agent/llm"
)

// Bounds on a day's row, and on what a model is shown of a day.
const (
	maxNotes   = 10
	maxNote    = 200      // characters
	maxSummary = 2000     // characters
	maxDay     = 64 << 10 // bytes
)

// summary is what the summarising model is asked for.
type summary struct {
	Summary   string          `json:"summary"`
	Topics    json.RawMessage `json:"topics,omitempty"`     // read leniently
	KeyPoints json.RawMessage `json:"key_points,omitempty"` // read leniently
}

func (s *summary) check() error {
	if strings.TrimSpace(s.Summary) == "" {
		return &llm.FieldError{Field: "summary", Problem: "is empty"}
	}
	return nil
}

// summarize has the model write a day's row. Where it does not, the day has none, and
// the error is of a context that has ended.
func (r *run) summarize(ctx context.Context, date string, lines []line) (day diary.DailySummary, ok bool, err error) {
	text := date + "\n" + strings.Join(texts(lines), "\n")
	if len(text) > maxDay {
		text = strings.ToValidUTF8(text[:maxDay], "")
	}
	var s summary
	var a llm.Response
	err = clock.CatchPanic(summaryNode, func() (err error) {
		s, a, err = llm.JSON(ctx, r.Summary, llm.Request{Messages: []llm.Message{llm.System(r.Prompts.Summary.Text), llm.User(text)}},
			llm.Form{Key: "summary"}, (*summary).check)
		return err
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return day, false, err
	case err != nil:
		if isUnread(err) {
			formed(ctx, summaryNode, llm.Reason(err), err.Error())
		}
		fallback(ctx, summaryNode, summaryNode, "no_summary", llm.Reason(err))
		return day, false, nil
	}
	topics, one := readNotes(s.Topics)
	points, other := readNotes(s.KeyPoints)
	if one && other {
		formed(ctx, summaryNode, a.NotExact(), "")
	} else {
		formed(ctx, summaryNode, wrongSchema, "topics or key_points are no lists of texts")
	}
	return diary.DailySummary{Agent: r.state.Agent, Date: date, Summary: cut(strings.TrimSpace(s.Summary), maxSummary), Topics: topics, KeyPoints: points}, true, nil
}

// readNotes reads a list of texts, as many as a row holds.
func readNotes(raw json.RawMessage) (notes []string, ok bool) {
	var list []string
	if given(raw) && json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	for _, n := range list {
		if n = strings.TrimSpace(n); n != "" && len(notes) < maxNotes {
			notes = append(notes, cut(n, maxNote))
		}
	}
	return notes, true
}

// cut is the beginning of a text, in characters.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}
