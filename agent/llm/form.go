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

// Form describes the JSON object that a model must answer with.
type Form struct {
	Key        string     // a member that the object must have, such as the decision's label; "": none
	Labels     label.Set  // the values that the member Key may have; empty: any
	Open       bool       // a value that is none of Labels is kept
	Confidence Confidence // what becomes of the member confidence
}

// Confidence says what becomes of an object's member confidence, a number in 0..1.
type Confidence int

// A confidence that is stated must be a number in 0..1. It is required only where a
// threshold uses it.
const (
	NoConfidence       Confidence = iota // the object has none; a member of this name is not checked
	OptionalConfidence                   // it may be missing or null
	RequiredConfidence                   // a missing one makes the answer invalid
)

// confidenceKey is the name of that member in every system.
const confidenceKey = "confidence"

// ConfidenceFor is the rule where answers below the threshold are not used; 0: all are used.
func ConfidenceFor(threshold float64) Confidence {
	if threshold > 0 {
		return RequiredConfidence
	}
	return OptionalConfidence
}

// acceptances is the list of all the ways in which an answer may differ from the
// requested form and is read nevertheless (SPEC X3), the same in every system. What else
// is wrong with an answer makes it invalid. Each use of one is an event of the kind
// [trace.KindNormalized], with its name as the reason.
var acceptances = []struct {
	name    string
	meaning string
	changes func(*reading) []change
}{
	{"thoughts", "thoughts in <think> tags", when(func(r *reading) bool { return r.thoughts })},
	{"code_fence", "a code fence around the object", when((*reading).isFenced)},
	{"surrounding_text", "text around the object", when((*reading).isSurrounded)},
	{"wrapped", "an object or a list around the object", when((*reading).isWrapped)},
	{"several_objects", "several objects with the required member: the last is used", when(func(r *reading) bool { return r.objects > 1 })},
	{"trailing_comma", "a comma after the last member", when(func(r *reading) bool { return r.comma })},
	{"truncated_tail", "the end is missing: a value that the cut touched is missing, too", when(func(r *reading) bool { return r.cut })},
	{"notation", "single quotes, comments, full-width colons or names without quotes", when(func(r *reading) bool { return r.repaired })},
	{"key", "letter case, width or blanks of a name", func(r *reading) []change { return r.keys }},
	{"label", "letter case, width or blanks of a label, or a label without quotes", func(r *reading) []change { return r.labels }},
	{"number", "a number in quotes or in a list, a percentage or a fraction", func(r *reading) []change { return r.numbers }},
}

// change is a part of an answer that is read as if it said something else.
type change struct{ from, to string }

func when(is func(*reading) bool) func(*reading) []change {
	return func(r *reading) []change {
		if !is(r) {
			return nil
		}
		return []change{{}}
	}
}

// reading is how an answer is read.
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

// around returns the text around the object, without code fences and without the value
// that the object is part of, if it is.
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

// normalized lists the names of the acceptances that the answer needed, and leaves an
// event of each use in the trace.
func (r *reading) normalized(ctx context.Context, node string) (names []string) {
	const most = 100 // characters of a part, and events of one name
	for _, a := range acceptances {
		all := a.changes(r)
		if len(all) == 0 {
			continue
		}
		names = append(names, a.name)
		for _, c := range all[:min(len(all), most)] {
			trace.Emit(ctx, trace.Event{Kind: trace.KindNormalized, Node: node, Reason: a.name, Text: a.meaning,
				From: fmt.Sprintf("%.*s", most, c.from), To: fmt.Sprintf("%.*s", most, c.to)})
		}
	}
	return names
}

// Members finds an object as Extract does and reads its members, those that have one of
// these names but for letter case, width and blanks under exactly that name. The trace has
// an event for each part that was read though it is not in the exact form, and normalized
// lists their names.
func Members(ctx context.Context, node, text, key string, names ...string) (members map[string]json.RawMessage, normalized []string, err error) {
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

// conform writes the label and the confidence of an object as the form has them.
func (r *reading) conform(f Form) error {
	if f.Labels.IsEmpty() && f.Confidence == NoConfidence {
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
	if f.Confidence != NoConfidence {
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

// label finds the label that the member Key names.
func (r *reading) label(members map[string]json.RawMessage, f Form) error {
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
	case !known && f.Open && raw[0] != '"':
		return &FieldError{Field: f.Key, Problem: fmt.Sprintf("%.40s in place of a label", raw)}
	case !known && !f.Open:
		return &FieldError{Kind: KindLabel, Field: f.Key, Problem: fmt.Sprintf("unknown %.80q", name)}
	case !known:
		found = strings.TrimSpace(name)
	}
	if found != name || raw[0] != '"' {
		r.labels = append(r.labels, change{string(raw), found})
		members[f.Key] = quoted(found)
	}
	return nil
}

// scalar is the text of a string, and a number or a boolean as it is written: labels may
// be called 5 or true.
func scalar(raw json.RawMessage) (text string, ok bool) {
	if len(raw) == 0 || strings.IndexByte("{[n", raw[0]) >= 0 { // n: null
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
		return nil // a text always can be
	}
	return raw
}

func (r *reading) confidence(members map[string]json.RawMessage, rule Confidence) error {
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

// rename finds the member with this name, else the only one that differs from it in
// letter case, width and blanks alone, which it renames.
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

// number reads a number, which JSON would write otherwise, perhaps.
func (r *reading) number(raw json.RawMessage, path string) (float64, error) {
	n, ok := Number(raw)
	if !ok {
		return 0, &FieldError{Field: path, Problem: fmt.Sprintf("%.40s in place of a number", raw)}
	}
	if strings.IndexByte("-0123456789", raw[0]) < 0 {
		r.numbers = append(r.numbers, change{string(raw), fmt.Sprint(n)})
	}
	return n, nil
}
