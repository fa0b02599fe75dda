package backend

import (
	"strings"
	"unicode/utf8"

	"evalctl/eval"
)

// withText are the places of the turns that have a text.
func withText(turns []eval.LabeledTurn, text string) (list []int) {
	for i, step := range turns {
		if step.Text == text {
			list = append(list, i)
		}
	}
	return list
}

// latestSaid is the last turn whose text is said in a prompt, -1 where none is. One
// that has not begun yet cannot be; the ones before it may be. Of those that say the
// same, so many are said as the prompt holds.
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

// longestWithin is the turn with the longest text within a prompt, -1 where it has
// none.
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

// gathered is, of the turns that came on the heels of one and stand behind it in a
// prompt, the last with a label: their answer is that one's.
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

// unescaped undoes what JSON does to a text.
var unescaped = strings.NewReplacer(`\"`, `"`, `\n`, "\n", `\\`, `\`, `\u0026`, "&", `\u003c`, "<", `\u003e`, ">")

// longEnough is how many characters of a message are in no prompt by accident.
const longEnough = 8

// timesSaid counts how often a prompt holds what a user said: where that is short, on
// a line of its own, in quotes or behind a colon.
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

// standsAlone tells whether a text is apart from what stands before and behind it.
func standsAlone(before, behind string) bool {
	first, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " "))
	last, _ := utf8.DecodeRuneInString(strings.TrimLeft(behind, " "))
	return (first == utf8.RuneError || strings.ContainsRune("\n\"「『“‘:：>】]-*", first)) &&
		(last == utf8.RuneError || strings.ContainsRune("\n\"」』”’<", last))
}
