package companion

import (
	"context"
	"time"

	"evalctl/agent"
	"evalctl/agent/dates"
	"evalctl/agent/llm"
)

// PlainRules returns the name, the example and the counterexample of each rule in plainRules.
func PlainRules() (list [][3]string) {
	for _, p := range plainRules {
		list = append(list, [3]string{p.rule, p.example, p.counter})
	}
	return list
}

// PlainRule returns the name of the rule that matches a message; "": none.
func PlainRule(text string, now time.Time) string {
	return plainRule(text, dates.Find(text, now), dates.DayOf(now))
}

// Unexported functions for the specs.
var (
	Keyword      = keyword
	NewDebouncer = newDebouncer
	WordsOf      = wordsOf
)

// ReadAnswer parses the deciding model's answer to a message and returns the dates and keywords of
// the query.
func ReadAnswer(answer, message string, now time.Time) (date string, words []string, err error) {
	v, err := llm.DecodeAnswer[verdict](answer, intentForm(defaultThreshold))
	if err != nil {
		return "", nil, err
	}
	r := &run{now: now, text: message, namedDates: dates.Find(message, now)}
	q := r.modelQuery(context.Background(), routerAnswer{verdict: v})
	return q.days.String(), q.words, nil
}

// ReadReplies parses an answer of the chat model.
func ReadReplies(answer string) ([]agent.ReplyMessage, error) {
	list, err := llm.DecodeAnswer[replies](answer, llm.AnswerSpec{Key: "replies"})
	if err != nil {
		return nil, err
	}
	return new(run).read(context.Background(), list, answer, "")
}

// IsDatedPast reports whether the dates in a message refer to the past.
func IsDatedPast(text string, now time.Time) bool {
	r := &run{text: text, now: now, namedDates: dates.Find(text, now)}
	return r.datedPast()
}
