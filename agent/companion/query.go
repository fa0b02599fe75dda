package companion

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"evalctl/agent/companion/dates"
)

// query is what is looked up.
type query struct {
	days    dates.Reading
	words   []string
	nowhere bool // it names nothing but days that there are not, or not yet
}

// slots are what the decision names besides the intent.
func (q query) slots() map[string]string {
	days := q.days
	if len(days.Runs) == 0 {
		days.Runs = days.Coming
	}
	return map[string]string{"date": days.String(), "keywords": strings.Join(q.words, " ")}
}

// message is what the user's own message asks for, which is about the past.
func (r *run) message(ctx context.Context) query {
	q := query{days: r.saidDays(ctx), words: wordsOf(r.said.Without(r.text))}
	q.nowhere = len(q.days.Runs) == 0 && len(q.words) == 0 && len(q.days.Refused)+len(q.days.Coming) > 0
	q.days.Coming = nil
	return q
}

// saidDays are the days that the message names; those that are none are told of.
func (r *run) saidDays(ctx context.Context) dates.Reading {
	for _, no := range r.said.Refused {
		unused(ctx, intentNode, "message", no.Text, "", no.Reason)
	}
	return r.said
}

// Why what a model says of a query is not made use of.
const (
	unreadable  = "unreadable_date"
	wrongSchema = "wrong_schema"
	tooMany     = "too_many"
)

// params is what the model's answer asks for. What is missing there is taken from the
// message, and so is what cannot be read: it spoils no decision.
func (r *run) params(ctx context.Context, v verdict) query {
	var fields struct {
		Date     json.RawMessage `json:"date"`
		Range    json.RawMessage `json:"date_range"`
		Keywords json.RawMessage `json:"keywords"`
	}
	wrong := ""
	if given(v.Params) && json.Unmarshal(v.Params, &fields) != nil {
		wrong = "query_params"
		unused(ctx, intentNode, wrong, string(v.Params), "message", wrongSchema)
	}
	own := r.message(ctx)
	q, lost := own, own.nowhere
	for _, field := range []struct {
		name string
		raw  json.RawMessage
		read func(json.RawMessage) (dates.Reading, error)
	}{{"date_range", fields.Range, r.readRange}, {"date", fields.Date, r.readDate}} {
		days, reason := readDays(field.raw, field.read)
		if reason != "" {
			unused(ctx, intentNode, field.name, string(field.raw), own.days.String(), reason)
		}
		if reason == unreadable || reason == wrongSchema {
			wrong = field.name
		} else if reason != "" {
			lost = true
		} else if len(days.Runs)+len(days.Coming) > 0 {
			q.days, lost = days, len(days.Runs) == 0
			break
		}
	}
	words, ok := readWords(fields.Keywords)
	if !ok {
		wrong = "keywords"
		unused(ctx, intentNode, wrong, string(fields.Keywords), strings.Join(own.words, " "), wrongSchema)
	} else if words != nil {
		q.words = words
	}
	q.nowhere = lost && len(q.days.Runs) == 0 && len(q.words) == 0
	if wrong != "" {
		formed(ctx, intentNode, wrongSchema, wrong)
	} else {
		formed(ctx, intentNode, "", "")
	}
	return q
}

// given tells a field that says something.
func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// readDays are the days of a field, none where it says nothing, or the reason for which
// it cannot be read.
func readDays(raw json.RawMessage, read func(json.RawMessage) (dates.Reading, error)) (days dates.Reading, reason string) {
	if !given(raw) {
		return days, ""
	}
	days, err := read(raw)
	switch {
	case errors.Is(err, dates.ErrUnreadable):
		return days, unreadable
	case err != nil:
		return days, wrongSchema
	case len(days.Refused) > 0:
		return days, days.Refused[0].Reason
	}
	return days, ""
}

// readDate reads a day, or the words in which the user has named it.
func (r *run) readDate(raw json.RawMessage) (days dates.Reading, err error) {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return days, err
	}
	if days, err = dates.Parse(text, r.now); err == nil {
		return days, nil
	}
	if said := dates.Read(text, r.now); len(said.Spans) > 0 {
		return said, nil
	}
	return days, err
}

func (r *run) readRange(raw json.RawMessage) (days dates.Reading, err error) {
	var ends struct {
		From *string `json:"from"`
		To   *string `json:"to"`
	}
	if err := json.Unmarshal(raw, &ends); err != nil {
		return days, err
	}
	from, to := text(ends.From), text(ends.To)
	switch {
	case from == "" && to == "":
		return days, nil
	case from == "":
		return dates.Parse(to, r.now)
	default:
		return dates.Range(from, to, r.now)
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return strings.TrimSpace(*s)
}

// readWords are the keywords of a field, nil where it says nothing. A text in the place
// of a list is read too.
func readWords(raw json.RawMessage) (words []string, ok bool) {
	if !given(raw) {
		return nil, true
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return nil, false
		}
		list = strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,，、;；", r) })
	}
	words = []string{} // that none is named is said, too
	for _, w := range list {
		if w = strings.Join(strings.Fields(w), " "); w != "" && utf8.RuneCountInString(w) <= maxWord && len(words) < maxWords {
			words = append(words, w)
		}
	}
	return words, true
}
