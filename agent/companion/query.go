package companion

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"evalctl/agent/companion/dates"
)

// query is a search in the diary.
type query struct {
	days    dates.Result
	words   []string
	only    bool // without dates, only days with a keyword match
	nowhere bool // only impossible or future days are named
}

// slots are the slots of the decision.
func (q query) slots() map[string]string {
	days := q.days
	if len(days.Ranges) == 0 {
		days.Ranges = days.Upcoming
	}
	return map[string]string{"date": days.String(), "keywords": strings.Join(q.words, " ")}
}

// message is the query from the user's message, which refers to the past. Its words only rank the
// days, because many are unspecific. They filter only if its days cannot be searched.
func (r *run) message() query {
	q := query{days: r.named, words: wordsOf(r.named.TextWithoutDates(r.text))}
	q.only = len(q.days.Ranges) == 0 && len(q.days.Invalid)+len(q.days.Upcoming) > 0
	q.nowhere = q.only && len(q.words) == 0
	q.days.Upcoming = nil
	return q
}

// Reasons why a part of the model's query is not used.
const (
	unreadable  = "unreadable_date"
	wrongSchema = "wrong_schema"
	tooMany     = "too_many"
)

// params is the query from the model's answer. Missing and invalid parts are taken from the
// message; they do not invalidate the decision.
func (r *run) params(ctx context.Context, j judged) query {
	var fields struct {
		Date     json.RawMessage `json:"date"`
		Range    json.RawMessage `json:"date_range"`
		Keywords json.RawMessage `json:"keywords"`
	}
	wrong := ""
	if given(j.QueryParams) && json.Unmarshal(j.QueryParams, &fields) != nil {
		wrong = "query_params"
		unused(ctx, intentNode, wrong, string(j.QueryParams), "message", wrongSchema)
	}
	q := r.message()
	lost := q.only
	for _, f := range []dateField{{"date_range", fields.Range, r.readRange}, {"date", fields.Date, r.readDate}} {
		days, reason := f.days()
		if reason != "" {
			unused(ctx, intentNode, f.name, string(f.raw), r.named.String(), reason)
		}
		if reason == unreadable || reason == wrongSchema {
			wrong = f.name
		} else if len(days.Ranges)+len(days.Upcoming) > 0 {
			q.days, lost = days, len(days.Ranges) == 0
			break
		} else if reason != "" {
			lost = true
		}
	}
	words, most, ok := readWords(fields.Keywords)
	if most {
		unused(ctx, intentNode, "keywords", string(fields.Keywords), strings.Join(words, " "), tooMany)
	}
	if !ok {
		wrong = "keywords"
		unused(ctx, intentNode, wrong, string(fields.Keywords), strings.Join(q.words, " "), wrongSchema)
	} else if words != nil {
		q.words, q.only = words, true
	}
	lost = lost && len(q.days.Ranges) == 0
	q.only, q.nowhere = q.only || lost, lost && len(q.words) == 0
	formedAs(ctx, intentNode, wrong, j.notExact)
	return q
}

// dateField is a date field of the model's answer.
type dateField struct {
	name string
	raw  json.RawMessage
	read func(json.RawMessage) (dates.Result, error)
}

// days parses the field. reason explains why it is invalid or not used completely. An absent field
// has no days and no reason.
func (f dateField) days() (days dates.Result, reason string) {
	if !given(f.raw) {
		return days, ""
	}
	days, err := f.read(f.raw)
	switch {
	case errors.Is(err, dates.ErrNotADate):
		return days, unreadable
	case err != nil:
		return days, wrongSchema
	case len(days.Invalid) > 0:
		return days, days.Invalid[0].Reason
	}
	return days, ""
}

// given reports whether a field is present and not null.
func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// readDate parses a day, or the user's words for one.
func (r *run) readDate(raw json.RawMessage) (days dates.Result, err error) {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return days, err
	}
	if days, err = dates.Parse(text, r.now); err == nil {
		return days, nil
	}
	if said := dates.Find(text, r.now); len(said.Spans) > 0 {
		return said, nil
	}
	return days, err
}

func (r *run) readRange(raw json.RawMessage) (days dates.Result, err error) {
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
		return days, hasEnds(raw)
	case from == "":
		return dates.Parse(to, r.now)
	default:
		return dates.Range(from, to, r.now)
	}
}

// hasEnds returns an error for a range without from and to. Explicit empty values are valid.
func hasEnds(raw json.RawMessage) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return err
	}
	if fields["from"] == nil && fields["to"] == nil {
		return errors.New("has neither from nor to")
	}
	return nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return strings.TrimSpace(*s)
}

// readWords parses the keywords, nil if absent. It also accepts a string instead of a list. most is
// true if words were dropped because there are too many or they are too long.
func readWords(raw json.RawMessage) (words []string, most, ok bool) {
	if !given(raw) {
		return nil, false, true
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return nil, false, false
		}
		list = strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,，、;；", r) })
	}
	words = []string{} // an explicit empty list is not nil
	for _, w := range list {
		switch w = strings.Join(strings.Fields(w), " "); {
		case w == "":
		case utf8.RuneCountInString(w) > maxWord || len(words) == maxWords:
			most = true
		default:
			words = append(words, w)
		}
	}
	return words, most, true
}
