package studio

import (
	"strconv"
	"strings"
)

// HeuristicScore is the score that v2's heuristic critic gives a turn with
// that text in that loop, from 1: the planner's confidence and noise of up to
// 0.2, at most 1.
func HeuristicScore(seed uint64, text string, loop int, confidence float64) float64 {
	return min(1, confidence+0.2*uniform(seed, "critic", text, strconv.Itoa(loop)))
}

func heuristicV2(seed uint64, s *state) verdict {
	return verdict{Score: HeuristicScore(seed, s.Input.Text, s.RetryCount+1, s.Intent.Confidence)}
}

// heuristicV1 is the mean of three views on the prompt.
func heuristicV1(_ uint64, s *state) verdict {
	return verdict{Score: (completeness(s) + consistency(s) + sanity(s.Intent.Parameters)) / 3}
}

// completeness is half for the subject and half for the style, each where it
// is known and in the prompt.
func completeness(s *state) (sum float64) {
	for _, slot := range []string{"subject", "style"} {
		if v := s.Intent.Slots[slot]; hasWords(v) && s.prompts(v) {
			sum += 0.5
		}
	}
	return sum
}

// prompts tells whether a word is in the prompt, or each of a list. The planner is
// told to write both in English; where it has not, one cannot be looked for in
// the other, and nothing speaks against it.
func (s *state) prompts(words string) bool {
	prompt := strings.ToLower(s.Prompt.Final)
	foreign := func(word string) bool {
		return s.Intent.Prompt != "" && inOtherScript(word) != inOtherScript(s.Intent.Prompt)
	}
	for _, word := range strings.FieldsFunc(words, func(r rune) bool { return strings.ContainsRune("、,，;；", r) }) {
		if word = strings.TrimSpace(word); !strings.Contains(prompt, strings.ToLower(word)) && !foreign(word) {
			return false
		}
	}
	return true
}

// consistency is 1 where the prompt follows the style asked for, or none was.
func consistency(s *state) float64 {
	if blank(s.Intent.Slots["style"]) {
		return 1
	}
	for _, h := range s.Prompt.Retrieved {
		if !strings.Contains(s.Prompt.Final, h.Style.Prompt) {
			return 0
		}
	}
	return min(1, float64(len(s.Prompt.Retrieved)))
}

// sanity is 1 where the parameters can be meant, absent ones included.
func sanity(p parameters) float64 {
	_, strong, strengthOK := p.strength()
	_, _, sized, sizeOK := p.size()
	if strong && !strengthOK || sized && !sizeOK {
		return 0
	}
	return 1
}
