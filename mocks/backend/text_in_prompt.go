package backend

import (
	"strings"
	"unicode/utf8"

	"evalctl/eval"
)

// turnsWithText returns the indexes of the turns whose text is exactly text.
func turnsWithText(turns []eval.LabeledTurn, text string) (list []int) {
	for i, step := range turns {
		if step.Text == text {
			list = append(list, i)
		}
	}
	return list
}

// lastTurnIn returns the index of the last turn whose text is in a prompt; -1: none. A prompt may
// contain earlier turns as history, but never later ones. If several turns have the same text, the
// number of occurrences decides.
func lastTurnIn(turns []eval.LabeledTurn, prompt string) (at int) {
	prompt, at = jsonUnescaper.Replace(prompt), -1
	for i, step := range turns {
		same := turnsWithText(turns, step.Text)
		if same[0] < i {
			continue
		}
		if times := countOccurrences(prompt, jsonUnescaper.Replace(step.Text)); times > 0 {
			at = max(at, same[min(times, len(same))-1])
		}
	}
	if at < 0 {
		return at
	}
	return lastOfBurst(turns, prompt, at)
}

// longestTurnIn returns the index of the turn with the longest text that is in a prompt; -1: none.
func longestTurnIn(turns []eval.LabeledTurn, prompt string) int {
	at, longest := -1, 0
	for i, step := range turns {
		if len(step.Text) > longest && strings.Contains(prompt, step.Text) {
			at, longest = i, len(step.Text)
		}
	}
	if at < 0 {
		return at
	}
	return lastOfBurst(turns, prompt, at)
}

// lastOfBurst returns the index of the last labeled turn of a burst: a series of messages that gets
// one answer. The burst starts at the turn with index at, and the prompt contains its combined
// text.
func lastOfBurst(turns []eval.LabeledTurn, prompt string, at int) int {
	combined := turns[at].Text
	for next := at + 1; next < len(turns) && turns[next].Delay > 0; next++ {
		if combined += " " + turns[next].Text; !strings.Contains(prompt, combined) {
			break
		}
		if turns[next].Expected != nil {
			at = next
		}
	}
	return at
}

// jsonUnescaper reverses JSON escaping, because a prompt may contain a message as a JSON string.
var jsonUnescaper = strings.NewReplacer(`\"`, `"`, `\n`, "\n", `\\`, `\`, `\u0026`, "&", `\u003c`, "<", `\u003e`, ">")

// minDistinctRunes is the length, in characters, from which a message in a prompt is not a
// coincidence.
const minDistinctRunes = 8

// countOccurrences returns how often a prompt contains a user's message. A message shorter than
// minDistinctRunes only counts on its own line, in quotes or after a colon.
func countOccurrences(prompt, message string) (times int) {
	message = strings.TrimSpace(message)
	if message == "" {
		return 0
	}
	long := utf8.RuneCountInString(message) >= minDistinctRunes
	for from := 0; ; {
		at := strings.Index(prompt[from:], message)
		if at < 0 {
			return times
		}
		end := from + at + len(message)
		if long || isDelimited(prompt[:from+at], prompt[end:]) {
			times++
		}
		from = end
	}
}

// isDelimited reports whether the text before and after a message marks it as a quoted message:
// line ends, quotes or a colon.
func isDelimited(before, after string) bool {
	first, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " "))
	last, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " "))
	return (first == utf8.RuneError || strings.ContainsRune("\n\"「『“‘:：>】]-*", first)) &&
		(last == utf8.RuneError || strings.ContainsRune("\n\"」』”’<", last))
}
