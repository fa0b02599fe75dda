package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"evalctl/agent/label"
	"evalctl/agent/trace"
)

// AnswerSpec describes the JSON object that a model must return, for DecodeAnswer and ChatJSON.
type AnswerSpec struct {
	Key                string         // name of the required member, such as the label of the decision; "": none
	Labels             label.Set      // valid values of the member Key; empty: any value
	AllowUnknownLabels bool           // accepts values of Key that are not in Labels
	Confidence         ConfidenceRule // whether the member "confidence" is required
}

// ConfidenceRule defines whether an answer must contain the member "confidence", a number in 0..1.
type ConfidenceRule int

// A present confidence must be a number in 0..1. It is required only if a threshold uses it.
const (
	IgnoreConfidence   ConfidenceRule = iota // the member "confidence" is not checked
	OptionalConfidence                       // the member may be missing or null
	RequiredConfidence                       // the member must be present; otherwise the answer is invalid
)

// confidenceKey is the name of the confidence member in the answers of every agent.
const confidenceKey = "confidence"

// ConfidenceRuleFor returns whether an answer must contain a confidence: RequiredConfidence if
// there is a threshold, OptionalConfidence if threshold is 0.
func ConfidenceRuleFor(threshold float64) ConfidenceRule {
	if threshold > 0 {
		return RequiredConfidence
	}
	return OptionalConfidence
}

// acceptances lists the deviations from the requested JSON that are corrected, the same for every
// agent (SPEC X3). Any other deviation makes an answer invalid. Each correction emits an event
// [trace.KindNormalized] with the name as its reason.
var acceptances = []struct {
	name    string
	meaning string
	changes func(*reading) []change
}{
	{"thoughts", "thoughts in <think> tags", acceptedIf(func(r *reading) bool { return r.thoughts })},
	{"code_fence", "a code fence around the object", acceptedIf((*reading).isFenced)},
	{"surrounding_text", "text around the object", acceptedIf((*reading).isSurrounded)},
	{"wrapped", "an object or a list around the object", acceptedIf((*reading).isWrapped)},
	{"several_objects", "several objects with the required member: the last is used",
		acceptedIf(func(r *reading) bool { return r.objects > 1 })},
	{"trailing_comma", "a comma after the last member", acceptedIf(func(r *reading) bool { return r.comma })},
	{"truncated_tail", "the end is missing: a value that the cut touched is missing, too",
		acceptedIf(func(r *reading) bool { return r.cut })},
	{"notation", "single quotes, comments, full-width colons or names without quotes",
		acceptedIf(func(r *reading) bool { return r.repaired })},
	{"key", "letter case, width or blanks of a name", func(r *reading) []change { return r.keys }},
	{"label", "letter case, width or blanks of a label, or a label without quotes",
		func(r *reading) []change { return r.labels }},
	{"number", "a number in quotes or in a list, a percentage or a fraction",
		func(r *reading) []change { return r.numbers }},
}

// change is a corrected part of an answer: the original text and its replacement.
type change struct{ from, to string }

func acceptedIf(is func(*reading) bool) func(*reading) []change {
	return func(r *reading) []change {
		if !is(r) {
			return nil
		}
		return []change{{}}
	}
}

// reading is the JSON object of an answer, with the corrections that were made.
type reading struct {
	extracted
	keys, labels, numbers []change
}

var fence = regexp.MustCompile("```[A-Za-z0-9]*")

func (r *reading) isFenced() bool {
	return strings.Contains(r.before, "```") || strings.Contains(r.after, "```")
}

func (r *reading) isSurrounded() bool {
	before, _, after := r.around()
	return !blank(before) || !blank(after)
}

func (r *reading) isWrapped() bool {
	_, wrapped, _ := r.around()
	return wrapped
}

// around returns the text before and after the object. Code fences and a JSON value that encloses
// the object are removed; wrapped reports whether there was such a value.
func (r *reading) around() (before string, wrapped bool, after string) {
	if r.before == "" && r.after == "" {
		return "", false, ""
	}
	before, after = fence.ReplaceAllString(r.before, ""), fence.ReplaceAllString(r.after, "")
	begin, end := strings.IndexAny(before, "{["), strings.LastIndexAny(after, "}]")
	if begin < 0 || end < 0 || !json.Valid([]byte(before[begin:]+"0"+after[:end+1])) {
		return before, false, after
	}
	return before[:begin], true, after[end+1:]
}

// normalized returns the names of the needed corrections, and emits an event for each of them.
func (r *reading) normalized(ctx context.Context, node string) (names []string) {
	const most = 100 // limit on the characters of a text in an event, and on the events of one name
	for _, a := range acceptances {
		all := a.changes(r)
		if len(all) == 0 {
			continue
		}
		names = append(names, a.name)
		for _, c := range all[:min(len(all), most)] {
			trace.Emit(ctx, trace.Event{
				Kind:   trace.KindNormalized,
				Node:   node,
				Reason: a.name,
				Text:   a.meaning,
				From:   fmt.Sprintf("%.*s", most, c.from),
				To:     fmt.Sprintf("%.*s", most, c.to),
			})
		}
	}
	return names
}

// ExtractMembers finds an object as Extract does and returns its members. A member whose name
// differs from one of names only in letter case, width or spaces is returned under exactly that
// name. normalized lists the corrections that were needed; each also emits a trace event for node.
func ExtractMembers(ctx context.Context, node, text, key string, names ...string) (members map[string]json.RawMessage,
	normalized []string, err error) {
	var r reading
	if r.extracted, err = extract(text, key); err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(r.raw, &members); err != nil {
		return nil, nil, &FieldError{Problem: "not an object"}
	}
	for _, name := range append(names, key) {
		if name != "" {
			r.rename(members, name)
		}
	}
	return members, r.normalized(ctx, node), nil
}

// conform corrects the spelling of label and confidence, and returns an error for invalid ones.
func (r *reading) conform(f AnswerSpec) error {
	if f.Labels.IsEmpty() && f.Confidence == IgnoreConfidence {
		return nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(r.raw, &members); err != nil {
		return &FieldError{Problem: "not an object"}
	}
	if !f.Labels.IsEmpty() {
		if err := r.label(members, f); err != nil {
			return err
		}
	}
	if f.Confidence != IgnoreConfidence {
		if err := r.confidence(members, f.Confidence); err != nil {
			return err
		}
	}
	if len(r.keys)+len(r.labels)+len(r.numbers) == 0 {
		return nil
	}
	raw, err := json.Marshal(members)
	r.raw = raw
	return err
}

// label checks that the member Key contains a valid label, and corrects its spelling.
func (r *reading) label(members map[string]json.RawMessage, f AnswerSpec) error {
	raw, ok := r.rename(members, f.Key)
	if !ok {
		return MissingFieldError(f.Key)
	}
	name, ok := scalar(raw)
	if !ok {
		return &FieldError{Field: f.Key, Problem: fmt.Sprintf("%.40s in place of a label", raw)}
	}
	found, known := f.Labels.Find(name)
	switch {
	case !known && f.AllowUnknownLabels && raw[0] != '"':
		return &FieldError{Field: f.Key, Problem: fmt.Sprintf("%.40s in place of a label", raw)}
	case !known && !f.AllowUnknownLabels:
		return &FieldError{
			Kind:    KindUnknownLabel,
			Field:   f.Key,
			Label:   name,
			Problem: fmt.Sprintf("unknown %.80q", name),
		}
	case !known:
		found = strings.TrimSpace(name)
	}
	if found != name || raw[0] != '"' {
		r.labels = append(r.labels, change{string(raw), found})
		members[f.Key] = quoted(found)
	}
	return nil
}

// scalar returns the text of a string, number or boolean, because a label may be called 5 or true.
func scalar(raw json.RawMessage) (text string, ok bool) {
	if len(raw) == 0 || strings.IndexByte("{[n", raw[0]) >= 0 { // n is the first byte of null
		return "", false
	}
	if raw[0] != '"' {
		return string(raw), true
	}
	return text, json.Unmarshal(raw, &text) == nil
}

func quoted(text string) json.RawMessage {
	raw, err := json.Marshal(text)
	if err != nil {
		return nil // cannot happen: a string can always be encoded
	}
	return raw
}

func (r *reading) confidence(members map[string]json.RawMessage, rule ConfidenceRule) error {
	raw, ok := r.rename(members, confidenceKey)
	if !ok || string(raw) == "null" {
		if rule == RequiredConfidence {
			return MissingFieldError(confidenceKey)
		}
		return nil
	}
	n, err := r.number(raw, confidenceKey)
	if err != nil {
		return err
	}
	members[confidenceKey], err = json.Marshal(n)
	if err != nil {
		return err
	}
	return CheckUnitInterval(confidenceKey, n)
}

// rename returns the member with this name. If it is missing and exactly one member differs from it
// only in case, width or spaces, rename renames and returns that member.
func (r *reading) rename(members map[string]json.RawMessage, name string) (json.RawMessage, bool) {
	if raw, ok := members[name]; ok {
		return raw, true
	}
	other, n := "", 0
	for given := range members {
		if sameName(given, name) {
			other, n = given, n+1
		}
	}
	if n != 1 {
		return nil, false
	}
	raw := members[other]
	delete(members, other)
	members[name] = raw
	r.keys = append(r.keys, change{other, name})
	return raw, true
}

// number decodes a number, also in notations that JSON does not allow, such as "90%". path is the
// path of the value, for errors.
func (r *reading) number(raw json.RawMessage, path string) (float64, error) {
	n, ok := ParseNumber(raw)
	if !ok {
		return 0, &FieldError{Field: path, Problem: fmt.Sprintf("%.40s in place of a number", raw)}
	}
	if strings.IndexByte("-0123456789", raw[0]) < 0 {
		r.numbers = append(r.numbers, change{string(raw), fmt.Sprint(n)})
	}
	return n, nil
}
