package backend

import (
	"strings"
	"unicode/utf8"

	"evalctl/eval"
)

// withText returns the indexes of the turns with a text.
func withText(turns []eval.LabeledTurn, text string) (list []int) {
	for i, step := range turns {
		if step.Text == text {
			list = append(list, i)
		}
	}
	return list
}

// latestSaid returns the last turn whose text is in a prompt; -1: none. Later turns cannot be in
// it; earlier ones may. If several turns have the same text, the number of occurrences decides.
func latestSaid(turns []eval.LabeledTurn, prompt string) (at int) {
	prompt, at = unescaped.Replace(prompt), -1
	for i, step := range turns {
		same := withText(turns, step.Text)
		if same[0] < i {
			continue
		}
		if times := timesSaid(prompt, unescaped.Replace(step.Text)); times > 0 {
			at = max(at, same[min(times, len(same))-1])
		}
	}
	if at < 0 {
		return at
	}
	return gathered(turns, prompt, at)
}

// longestWithin returns the turn with the longest text in a prompt; -1: none.
func longestWithin(turns []eval.LabeledTurn, prompt string) int {
	at, longest := -1, 0
	for i, step := range turns {
		if len(step.Text) > longest && strings.Contains(prompt, step.Text) {
			at, longest = i, len(step.Text)
		}
	}
	if at < 0 {
		return at
	}
	return gathered(turns, prompt, at)
}

// gathered returns the last labeled turn of a burst whose combined text is in the prompt. The burst
// has one answer.
func gathered(turns []eval.LabeledTurn, prompt string, at int) int {
	said := turns[at].Text
	for next := at + 1; next < len(turns) && turns[next].After > 0; next++ {
		if said += " " + turns[next].Text; !strings.Contains(prompt, said) {
			break
		}
		if turns[next].Expected != nil {
			at = next
		}
	}
	return at
}

// unescaped reverses JSON escaping.
var unescaped = strings.NewReplacer(`\"`, `"`, `\n`, "\n", `\\`, `\`, `\u0026`, "&", `\u003c`, "<", `\u003e`, ">")

// longEnough is the number of characters from which a message does not occur by chance.
const longEnough = 8

// timesSaid counts how often a prompt contains a user's message. A short message must be on its own
// line, in quotes or after a colon.
func timesSaid(prompt, said string) (times int) {
	said = strings.TrimSpace(said)
	if said == "" {
		return 0
	}
	long := utf8.RuneCountInString(said) >= longEnough
	for from := 0; ; {
		at := strings.Index(prompt[from:], said)
		if at < 0 {
			return times
		}
		end := from + at + len(said)
		if long || standsAlone(prompt[:from+at], prompt[end:]) {
			times++
		}
		from = end
	}
}

// standsAlone reports whether the surrounding text delimits a message.
func standsAlone(before, behind string) bool {
	first, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " "))
	last, _ := utf8.DecodeRuneInString(strings.TrimLeft(behind, " "))
	return (first == utf8.RuneError || strings.ContainsRune("\n\"「『“‘:：>】]-*", first)) &&
		(last == utf8.RuneError || strings.ContainsRune("\n\"」』”’<", last))
}
