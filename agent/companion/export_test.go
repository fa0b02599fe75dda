package companion

import (
	"context"
	"time"

	"evalctl/agent"
	"evalctl/agent/companion/dates"
	"evalctl/agent/llm"
)

// Plain are the rules for plain questions: name, example and counterexample.
func Plain() (list [][3]string) {
	for _, p := range plainRules {
		list = append(list, [3]string{p.rule, p.example, p.counter})
	}
	return list
}

// Plainly is the rule that matches a message about earlier days.
func Plainly(text string, now time.Time) string {
	return plainRule(text, dates.Find(text, now), dates.DayOf(now))
}

// Internals for the specs.
var (
	Keyword = keyword
	Gather  = newDebouncer
	WordsOf = wordsOf
)

// ReadAnswer parses the deciding model's answer to a message: the date in canonical form, and the
// keywords.
func ReadAnswer(answer, message string, now time.Time) (date string, words []string, err error) {
	v, err := llm.Decode[verdict](answer, intentForm(defaultThreshold))
	if err != nil {
		return "", nil, err
	}
	r := &run{now: now, text: message, namedDates: dates.Find(message, now)}
	q := r.modelQuery(context.Background(), routerAnswer{verdict: v})
	return q.days.String(), q.words, nil
}

// ReadReplies parses the chat model's answer.
func ReadReplies(answer string) ([]agent.ReplyMessage, error) {
	list, err := llm.Decode[replies](answer, llm.Form{Key: "replies"})
	if err != nil {
		return nil, err
	}
	return new(run).read(context.Background(), list, answer, "")
}

// ByDate reports whether a message's dates alone make it a query after an invalid answer.
func ByDate(text string, now time.Time) bool {
	r := &run{text: text, now: now, namedDates: dates.Find(text, now)}
	return r.datedPast()
}
