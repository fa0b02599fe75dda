package studio

import (
	"strconv"
	"strings"
)

// HeuristicScore is the score of v2's heuristic critic for a text in a loop, counted from 1. It is
// the planner's confidence plus noise of up to 0.2, at most 1.
func HeuristicScore(seed uint64, text string, loop int, confidence float64) float64 {
	return min(1, confidence+0.2*uniform(seed, "critic", text, strconv.Itoa(loop)))
}

func heuristicV2(seed uint64, s *state) verdict {
	return verdict{Score: HeuristicScore(seed, s.Input.Text, s.RetryCount+1, s.Intent.Confidence)}
}

// heuristicV1 is the mean of three scores of the prompt.
func heuristicV1(_ uint64, s *state) verdict {
	return verdict{Score: (completeness(s) + consistency(s) + sanity(s.Intent.Parameters)) / 3}
}

// completeness is the sum of 0.5 for the subject and 0.5 for the style, each if it is given and
// part of the prompt.
func completeness(s *state) (sum float64) {
	for _, slot := range []string{"subject", "style"} {
		if v := s.Intent.Slots[slot]; hasWords(v) && s.promptContains(v) {
			sum += 0.5
		}
	}
	return sum
}

// promptContains reports whether the prompt contains every word of a list. A word in another script
// than the planner's prompt counts as contained, because it cannot be compared. The planner should
// write both in English.
func (s *state) promptContains(words string) bool {
	prompt := strings.ToLower(s.Prompt.Final)
	foreign := func(word string) bool {
		return s.Intent.Prompt != "" && isNonLatin(word) != isNonLatin(s.Intent.Prompt)
	}
	for _, word := range strings.FieldsFunc(words, func(r rune) bool { return strings.ContainsRune("、,，;；", r) }) {
		if word = strings.TrimSpace(word); !strings.Contains(prompt, strings.ToLower(word)) && !foreign(word) {
			return false
		}
	}
	return true
}

// consistency is 1 if the prompt contains the requested style, or if none is requested.
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

// sanity is 1 if the parameters are absent or valid.
func sanity(p parameters) float64 {
	_, strong, strengthOK := p.strength()
	_, _, sized, sizeOK := p.size()
	if strong && !strengthOK || sized && !sizeOK {
		return 0
	}
	return 1
}
