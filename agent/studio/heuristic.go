package studio

import (
	"strconv"
	"strings"
)

// HeuristicScore returns the score of V2's heuristic critic: the planner's confidence plus noise of
// up to 0.2, at most 1. The noise depends on the seed, the user's text and the number of the
// attempt (loop, from 1).
func HeuristicScore(seed uint64, text string, loop int, confidence float64) float64 {
	return min(1, confidence+0.2*uniform(seed, "critic", text, strconv.Itoa(loop)))
}

func heuristicV2(seed uint64, s *state) verdict {
	return verdict{Score: HeuristicScore(seed, s.Input.Text, s.RetryCount+1, s.Intent.Confidence)}
}

// heuristicV1 returns the score of V1's heuristic critic: the mean of completeness, consistency and
// sanity.
func heuristicV1(_ uint64, s *state) verdict {
	return verdict{Score: (completeness(s) + consistency(s) + sanity(s.Intent.Parameters)) / 3}
}

// completeness returns a score: 0.5 if the prompt contains the subject, plus 0.5 if it contains the
// style.
func completeness(s *state) (sum float64) {
	for _, slot := range []string{"subject", "style"} {
		if v := s.Intent.Slots[slot]; hasWords(v) && s.promptContains(v) {
			sum += 0.5
		}
	}
	return sum
}

// promptContains reports whether the prompt contains every word of a list, in any spelling. A word in another script
// than the prompt cannot be compared and counts as contained; the planner should write both in
// English.
func (s *state) promptContains(words string) bool {
	prompt := foldWords(s.Prompt.Final)
	foreign := func(word string) bool {
		return s.Intent.Prompt != "" && isNonLatin(word) != isNonLatin(s.Intent.Prompt)
	}
	for _, word := range strings.FieldsFunc(words, func(r rune) bool { return strings.ContainsRune("、,，;；", r) }) {
		if word = strings.TrimSpace(word); !strings.Contains(prompt, foldWords(word)) && !foreign(word) {
			return false
		}
	}
	return true
}

// consistency returns 1 if the prompt contains the text of the requested style, or if no style is
// requested; otherwise 0.
func consistency(s *state) float64 {
	if isBlank(s.Intent.Slots["style"]) {
		return 1
	}
	for _, h := range s.Prompt.Retrieved {
		if !strings.Contains(s.Prompt.Final, h.Style.Prompt) {
			return 0
		}
	}
	return min(1, float64(len(s.Prompt.Retrieved)))
}

// sanity returns 1 if the image parameters are valid or absent; otherwise 0.
func sanity(p parameters) float64 {
	_, strong, strengthOK := p.strength()
	_, _, sized, sizeOK := p.size()
	if strong && !strengthOK || sized && !sizeOK {
		return 0
	}
	return 1
}
