package companion

import (
	"context"
	"time"

	"evalctl/agent"
	"evalctl/agent/companion/dates"
	"evalctl/agent/llm"
)

// Plain are the rules of plain questions: name, example and counter-example.
func Plain() (list [][3]string) {
	for _, p := range plain {
		list = append(list, [3]string{p.rule, p.example, p.counter})
	}
	return list
}

// Plainly is the rule by which a message plainly asks about earlier days.
func Plainly(text string, now time.Time) string {
	return plainly(text, dates.Find(text, now), dates.DayOf(now))
}

// What the specs ask for.
var (
	Keyword = keyword
	Gather  = gather
	WordsOf = wordsOf
)

// ReadAnswer reads what the deciding model says of a message: the date in its
// canonical form, and the keywords.
func ReadAnswer(answer, message string, now time.Time) (date string, words []string, err error) {
	v, err := llm.Decode[verdict](answer, intentForm(defaultThreshold))
	if err != nil {
		return "", nil, err
	}
	r := &run{now: now, text: message, named: dates.Find(message, now)}
	q := r.params(context.Background(), judged{verdict: v})
	return q.days.String(), q.words, nil
}

// ReadReplies reads what the chat model says.
func ReadReplies(answer string) ([]agent.ReplyMessage, error) {
	list, err := llm.Decode[replies](answer, llm.Form{Key: "replies"})
	if err != nil {
		return nil, err
	}
	return new(run).read(context.Background(), list, answer, "")
}

// ByDate tells whether a message's dates alone make it a question, where nobody else has
// decided.
func ByDate(text string, now time.Time) bool {
	r := &run{text: text, now: now, named: dates.Find(text, now)}
	return r.datedPast()
}
