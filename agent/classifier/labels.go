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

func fold(name string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(name))), " ")
}

// read checks a JSON answer. Its confidence and reason may be missing: prompts
// are anybody's, and need not ask for them.
func (l labels) read(fields map[string]json.RawMessage, field string) (d decision, err error) {
	raw, ok := fields[field]
	if !ok {
		return d, &llm.FieldError{Field: field, Problem: "missing"}
	}
	if d.label, ok = l.find(text(raw)); !ok {
		return d, &llm.FieldError{Field: field, Problem: fmt.Sprintf("unknown %.80s", raw)}
	}
	if raw := fields["confidence"]; raw != nil && string(raw) != "null" {
		if err := json.Unmarshal(raw, &d.confidence); err != nil {
			return d, &llm.FieldError{Field: "confidence", Problem: fmt.Sprintf("%.40s is no number", raw)}
		}
		if err := llm.Unit("confidence", d.confidence); err != nil {
			return d, err
		}
	}
	if reason := text(fields["reason"]); reason != "" {
		d.reason = fmt.Sprintf("%.200s", reason) // characters: a remark, no essay
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
	if _, after, ok := strings.Cut(answer, "</think>"); ok {
		answer = after
	}
	answer = strings.TrimSpace(answer)
	if before, after, ok := strings.Cut(answer, ":"); ok && strings.EqualFold(strings.Trim(before, "* "), "label") {
		answer = after
	}
	answer = strings.TrimRight(strings.TrimSpace(answer), ".。")
	return strings.Trim(answer, "\"'`*“”「」 ")
}
