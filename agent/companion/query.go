package companion

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"evalctl/agent/dates"
)

// query is a search for days in the diary.
type query struct {
	days          dates.Result
	words         []string
	mustMatch     bool // if days is empty, only days that contain a keyword are found
	hasNoValidDay bool // the message names only impossible or future days, so nothing is found
}

// slots returns the query as the slots of the decision.
func (q query) slots() map[string]string {
	days := q.days
	if len(days.Ranges) == 0 {
		days.Ranges = days.Upcoming
	}
	return map[string]string{"date": days.String(), "keywords": strings.Join(q.words, " ")}
}

// messageQuery derives the query from the user's message. Its words rank the days that it names. If
// it names none, only days with a word of the message are found.
func (r *run) messageQuery() query {
	q := query{days: r.namedDates, words: wordsOf(r.namedDates.TextWithoutDates(r.text))}
	q.mustMatch = len(q.days.Ranges) == 0
	q.hasNoValidDay = q.mustMatch && len(q.days.Invalid)+len(q.days.Upcoming) > 0 && len(q.words) == 0
	q.days.Upcoming = nil
	return q
}

// Reasons why a part of the model's query is ignored.
const (
	unreadable  = "unreadable_date"
	wrongSchema = "wrong_schema"
	tooMany     = "too_many"
)

// modelQuery derives the query from the model's answer. For missing and invalid parts it uses the
// message. They do not make the decision invalid.
func (r *run) modelQuery(ctx context.Context, j routerAnswer) query {
	var fields struct {
		Date     json.RawMessage `json:"date"`
		Range    json.RawMessage `json:"date_range"`
		Keywords json.RawMessage `json:"keywords"`
	}
	invalidField := ""
	if isGiven(j.QueryParams) && json.Unmarshal(j.QueryParams, &fields) != nil {
		invalidField = "query_params"
		traceIgnored(ctx, intentNode, invalidField, string(j.QueryParams), "message", wrongSchema)
	}
	q := r.messageQuery()
	hasNoValidDay := q.mustMatch && len(r.namedDates.Invalid)+len(r.namedDates.Upcoming) > 0
	for _, f := range []dateField{{"date_range", fields.Range, r.readRange}, {"date", fields.Date, r.readDate}} {
		days, reason := f.days()
		if reason != "" {
			traceIgnored(ctx, intentNode, f.name, string(f.raw), r.namedDates.String(), reason)
		}
		if reason == unreadable || reason == wrongSchema {
			invalidField = f.name
		} else if len(days.Ranges)+len(days.Upcoming) > 0 {
			q.days, hasNoValidDay = days, len(days.Ranges) == 0
			break
		} else if reason != "" {
			hasNoValidDay = true
		}
	}
	words, isCut, ok := readWords(fields.Keywords)
	if isCut {
		traceIgnored(ctx, intentNode, "keywords", string(fields.Keywords), strings.Join(words, " "), tooMany)
	}
	if !ok {
		invalidField = "keywords"
		traceIgnored(ctx, intentNode, invalidField, string(fields.Keywords), strings.Join(q.words, " "), wrongSchema)
	} else if words != nil {
		q.words, q.mustMatch = words, true
	}
	hasNoValidDay = hasNoValidDay && len(q.days.Ranges) == 0
	q.mustMatch, q.hasNoValidDay = q.mustMatch || hasNoValidDay, hasNoValidDay && len(q.words) == 0
	traceFormatResult(ctx, intentNode, invalidField, j.notExact)
	return q
}

// dateField is one of the two date fields in the model's answer.
type dateField struct {
	name string
	raw  json.RawMessage
	read func(json.RawMessage) (dates.Result, error)
}

// days parses the field. reason explains why it is invalid or only partly used; "": neither.
func (f dateField) days() (days dates.Result, reason string) {
	if !isGiven(f.raw) {
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

// isGiven reports whether a JSON field is present and not null.
func isGiven(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// readDate parses a date in the model's answer: a day, or the user's words for it.
func (r *run) readDate(raw json.RawMessage) (days dates.Result, err error) {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return days, err
	}
	if days, err = dates.Parse(text, r.now); err == nil {
		return days, nil
	}
	if found := dates.Find(text, r.now); len(found.Spans) > 0 {
		return found, nil
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
		return dates.ParseRange(from, to, r.now)
	}
}

// hasEnds returns an error for a date range without "from" and "to" fields. Both may be empty.
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

// readWords parses the keywords in the model's answer: a list or a string; nil: absent. isCut is
// true if words were dropped, because there are too many or they are too long.
func readWords(raw json.RawMessage) (words []string, isCut, ok bool) {
	if !isGiven(raw) {
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
			isCut = true
		default:
			words = append(words, w)
		}
	}
	return words, isCut, true
}
