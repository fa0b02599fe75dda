package companion

import (
	"time"

	"evalctl/agent/companion/dates"
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
	return plainly(text, dates.Read(text, now), dates.Of(now))
}

// What the specs ask of the words of a message.
var (
	Keyword = keyword
	WordsOf = wordsOf
)
