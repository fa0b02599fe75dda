package main

import (
	"sync"

	"evalctl/eval"
)

// finder finds the labelled turn that says a text.
type finder func(text string) (eval.Step, bool)

// saying finds the turns of a case by what they say. Of turns that say the
// same, each question to the planner is the next one's.
type saying struct {
	turns []eval.Step

	mu    sync.Mutex // turns may overlap
	asked map[string]int
	first map[string]map[int]int // of a text's turn, the answer of the critic that was its first
}

func inCase(c eval.Case) *saying {
	return &saying{turns: c.Turns, asked: map[string]int{}, first: map[string]map[int]int{}}
}

// same are the turns that say a text.
func (s *saying) same(text string) (list []eval.Step) {
	for _, step := range s.turns {
		if step.Text == text {
			list = append(list, step)
		}
	}
	return list
}

// ask is told of a question to the planner. What no turn says is not counted:
// a conversation without a case has no end.
func (s *saying) ask(text string) {
	if s.same(text) == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[text]++
}

func (s *saying) find(text string) (eval.Step, bool) {
	same := s.same(text)
	if same == nil {
		return eval.Step{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return same[min(max(s.asked[text], 1), len(same))-1], true
}

// try makes the nth answer of the critic to a text that of a turn.
func (s *saying) try(text string, nth int) int {
	if s.same(text) == nil {
		return nth
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first[text] == nil {
		s.first[text] = map[int]int{}
	}
	turn := s.asked[text]
	if _, ok := s.first[text][turn]; !ok {
		s.first[text][turn] = nth
	}
	return nth - s.first[text][turn] + 1
}
