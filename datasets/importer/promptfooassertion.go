package importer

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// assertion is a requirement of a promptfoo test on the answer, such as equals or contains.
type assertion struct {
	Type  string `json:"type" yaml:"type"`
	Value any    `json:"value" yaml:"value"`
}

// assertionTypes contains the assertion types of current and older versions of promptfoo. A text in
// a column __expected that starts with none of them is an equals assertion.
var assertionTypes = []string{
	"answer-relevance", "assert-set", "bleu", "classifier", "contains", "contains-all", "contains-any", "contains-html",
	"contains-json", "contains-sql", "contains-xml", "context-faithfulness", "context-recall", "context-relevance",
	"conversation-relevance", "cost", "equals", "eval", "factuality", "finish-reason", "fn", "g-eval", "gleu", "grade",
	"guardrails", "icontains", "icontains-all", "icontains-any", "is-html", "is-json", "is-refusal", "is-sql",
	"is-valid-function-call", "is-valid-openai-function-call", "is-valid-openai-tools-call", "is-xml", "javascript",
	"latency", "levenshtein", "llm-rubric", "meteor", "model-graded-closedqa", "model-graded-factuality", "moderation",
	"perplexity", "perplexity-score", "pi", "python", "regex", "rouge-n", "ruby", "search-rubric", "select-best",
	"similar", "starts-with", "tool-call-f1", "trace-error-spans", "trace-span-count", "trace-span-duration", "webhook",
	"word-count",
}

// typed matches an assertion with a type in a CSV column, such as not-contains(0.8): something.
var typed = regexp.MustCompile(`(?s)^(not-)?([a-z0-9-]+)(?:\(\d+(?:\.\d+)?\))?(?::(.*))?$`)

// parseAssertion parses the text in a column __expected in the same way as promptfoo's src/csv.ts.
func parseAssertion(text string) assertion {
	if strings.HasPrefix(text, "file://") {
		return assertion{Type: "file", Value: text}
	}
	m := typed.FindStringSubmatch(text)
	if m == nil || !slices.Contains(assertionTypes, m[2]) {
		return assertion{Type: "equals", Value: strings.TrimSpace(text)}
	}
	a := assertion{Type: m[1] + m[2], Value: strings.TrimSpace(m[3])}
	if strings.HasSuffix(a.Type, "-any") {
		var list []any
		for one := range strings.SplitSeq(m[3], ",") {
			list = append(list, strings.TrimSpace(one))
		}
		a.Value = list
	}
	return a
}

// labels returns the labels that the assertion accepts. ok is false if there are none.
func (a assertion) labels() (labels []string, ok bool, err error) {
	switch a.Type {
	case "equals":
		label, err := scalar(a.Value)
		return []string{label}, true, err
	case "contains", "icontains":
		label, err := word(a.Value)
		return []string{label}, true, err
	case "contains-any", "icontains-any":
		list, ok := a.Value.([]any)
		if !ok || len(list) == 0 {
			return nil, true, errors.New("must be a list of labels")
		}
		for _, one := range list {
			label, err := word(one)
			if err != nil {
				return nil, true, err
			}
			labels = append(labels, label)
		}
		return distinct(labels), true, nil
	}
	return nil, false, nil
}

// word returns the label of a contains assertion, which must be a single word. Several words may be
// part of any good answer, so they are rejected.
func word(value any) (string, error) {
	text, err := scalar(value)
	if err == nil && strings.ContainsFunc(text, unicode.IsSpace) {
		err = fmt.Errorf("%s is not a single word: an answer may mention it without being it", quoted(text))
	}
	return text, err
}

// scalar returns the value of an assertion as text, in the format in which promptfoo compares it.
func scalar(value any) (string, error) {
	switch v := value.(type) {
	case string:
		if strings.HasPrefix(v, "file://") || strings.Contains(v, "{{") {
			return "", fmt.Errorf("%s is filled in later", quoted(v))
		}
		return v, nil
	case bool, int, int64, uint64, float64:
		return fmt.Sprint(v), nil
	}
	return "", errors.New("its value is not a plain label")
}
