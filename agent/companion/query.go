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
	days    dates.Result
	words   []string
	only    bool // days without the words are not meant, unless days are named
	nowhere bool // it names nothing but days that there are not, or not yet
}

// slots are what the decision names besides the intent.
func (q query) slots() map[string]string {
	days := q.days
	if len(days.Ranges) == 0 {
		days.Ranges = days.Upcoming
	}
	return map[string]string{"date": days.String(), "keywords": strings.Join(q.words, " ")}
}

// message is what the user's own message asks for, which is about the past. Its words
// rank alone, for many say nothing of a day, but where its days cannot be looked up.
func (r *run) message() query {
	q := query{days: r.named, words: wordsOf(r.named.TextWithoutDates(r.text))}
	q.only = len(q.days.Ranges) == 0 && len(q.days.Invalid)+len(q.days.Upcoming) > 0
	q.nowhere = q.only && len(q.words) == 0
	q.days.Upcoming = nil
	return q
}

// Why what a model says of a query is not made use of.
const (
	unreadable  = "unreadable_date"
	wrongSchema = "wrong_schema"
	tooMany     = "too_many"
)

// params is what the model's answer asks for. What is missing there is taken from the
// message, and so is what cannot be read: it spoils no decision.
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

// dateField is a field of the model's answer that names days.
type dateField struct {
	name string
	raw  json.RawMessage
	read func(json.RawMessage) (dates.Result, error)
}

// days are those of the field, none where it says nothing, and the reason for which it
// cannot be read or not all of it is taken.
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

// given tells a field that says something.
func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// readDate reads a day, or the words in which the user has named it.
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

// hasEnds tells whether a range says that it has no days; one that says anything else
// is none.
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

// readWords are the keywords of a field, nil where it says nothing. A text in the place
// of a list is read too. Most tells that there are more, or longer ones, than are taken.
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
	words = []string{} // that none is named is said, too
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
