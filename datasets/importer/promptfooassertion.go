package importer

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// assertion is what a test of promptfoo wants of the answer.
type assertion struct {
	Type  string `json:"type" yaml:"type"`
	Value any    `json:"value" yaml:"value"`
}

// assertionTypes are promptfoo's, with those that older versions know: a text in
// a column __expected that begins with none of them is to be equalled.
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

// typed is an assertion in a column: not-contains(0.8): something.
var typed = regexp.MustCompile(`(?s)^(not-)?([a-z0-9-]+)(?:\(\d+(?:\.\d+)?\))?(?::(.*))?$`)

// parseAssertion reads a column __expected as src/csv.ts of
// github.com/promptfoo/promptfoo does.
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

// labels reads what an assertion accepts; ok tells that it is one of labels.
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

// word reads what an answer is to contain. A model that is asked for a label
// alone contains it by being it; of several words nobody knows whether they are
// a label or what any good answer mentions.
func word(value any) (string, error) {
	text, err := scalar(value)
	if err == nil && strings.ContainsFunc(text, unicode.IsSpace) {
		err = fmt.Errorf("%s is not a single word: an answer may mention it without being it", quoted(text))
	}
	return text, err
}

// scalar writes a value as promptfoo compares it: as text.
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
