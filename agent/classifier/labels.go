package classifier

import (
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// labels find the one that a model means.
type labels struct {
	exact  map[string]bool
	folded map[string]string // "" for what several labels look like
}

func newLabels(list []system.Label) labels {
	l := labels{exact: map[string]bool{}, folded: map[string]string{}}
	for _, one := range list {
		l.exact[one.Name] = true
		key := fold(one.Name)
		if _, twice := l.folded[key]; twice {
			l.folded[key] = ""
			continue
		}
		l.folded[key] = one.Name
	}
	return l
}

// find finds a label by its name: exactly, else whatever its case, width and
// the spaces around it, where only one is like that.
func (l labels) find(name string) (string, bool) {
	if l.exact[name] {
		return name, true
	}
	label := l.folded[fold(name)]
	return label, label != ""
}

// begins tells what may be the beginning of a longer label.
func (l labels) begins(said string) bool {
	said = fold(said)
	for name := range l.folded {
		if name != said && strings.HasPrefix(name, said) {
			return true
		}
	}
	return false
}

func fold(name string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(name))), " ")
}

// read checks a JSON answer. Its confidence and reason decide nothing, and may be
// missing or of another kind: prompts are anybody's. What is wrong with a
// confidence stands in the reason.
func (l labels) read(fields map[string]json.RawMessage, field string) (d decision, err error) {
	raw, ok := fields[field]
	if !ok {
		return d, llm.Missing(field)
	}
	if d.label, ok = l.find(text(raw)); !ok {
		return d, &llm.FieldError{Kind: llm.KindLabel, Field: field, Problem: fmt.Sprintf("unknown %.80s", raw)}
	}
	d.reason = fmt.Sprintf("%.200s", text(fields["reason"])) // characters: a remark, no essay
	if raw := fields["confidence"]; raw != nil && string(raw) != "null" {
		if err := json.Unmarshal(raw, &d.confidence); err != nil || llm.Unit("confidence", *d.confidence) != nil {
			d.confidence, d.reason = nil, fmt.Sprintf("confidence %.40s is not in 0..1; %s", raw, d.reason)
		}
	}
	return d, nil
}

// text is a JSON string's, and of a number or a boolean what is written: labels
// may be called 5 or true.
func text(raw json.RawMessage) string {
	var s string
	if len(raw) > 0 && raw[0] != '"' && raw[0] != '{' && raw[0] != '[' && string(raw) != "null" {
		return string(raw)
	}
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// undecorated frees a label from what models put around it: thoughts, quotes,
// emphasis, a full stop, and the word label.
func undecorated(answer string) string {
	answer = strings.TrimSpace(llm.WithoutThoughts(answer))
	if before, after, ok := strings.Cut(answer, ":"); ok && strings.EqualFold(strings.Trim(before, "* "), "label") {
		answer = after
	}
	answer = strings.TrimRight(strings.TrimSpace(answer), ".。")
	return strings.Trim(answer, "\"'`*“”「」 ")
}
