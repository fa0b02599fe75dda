package main

import (
	"cmp"
	"encoding/json"
	"sync"

	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks"
)

// labels say what a dataset's cases are labelled with.
type labels struct {
	field string   // of the expectation
	all   []string // the residual one last
	guess guess    // of texts that no case holds; nil: they are unknown
}

// cast is a model whose components speak from scripts, the critic from the
// labels of the pictures, the others from the labels of the texts.
type cast struct {
	scripts map[mocks.Component]mocks.Model
	critic  *mocks.Judge
	router  *mocks.Labelled
}

func (c cast) Answer(r mocks.ChatRequest) mocks.Answer {
	if script, ok := c.scripts[r.Component]; ok {
		return script.Answer(r)
	}
	if r.Component == mocks.Critic {
		return c.critic.Answer(r)
	}
	return c.router.Answer(r)
}

// Validate is asked once by the mocks.
func (c cast) Validate() error {
	if err := c.critic.Validate(); err != nil {
		return err
	}
	return c.router.Validate()
}

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

// ask is told of a question to the planner.
func (s *saying) ask(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[text]++
}

func (s *saying) find(text string) (eval.Step, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var same []eval.Step
	for _, step := range s.turns {
		if step.Text == text {
			same = append(same, step)
		}
	}
	if same == nil {
		return eval.Step{}, false
	}
	return same[min(max(s.asked[text], 1), len(same))-1], true
}

// try makes the nth answer of the critic to a text that of a turn.
func (s *saying) try(text string, nth int) int {
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

// cast is made for each trial: its models know the case's labels.
func (w *world) cast(t eval.Trial, v suite.Variant, noise uint64) cast {
	said := inCase(t.Case)
	m := w.suite.Models["router"]
	router := &mocks.Labelled{Field: w.labels.field, Labels: w.labels.all, Accuracy: cmp.Or(m.Accuracy, 1),
		Confusion: m.Confusion, Seed: noise,
		Label: func(text string) (string, bool) {
			said.ask(text)
			label, _, ok := w.labels.knows(said.find, text)
			return label, ok
		}}
	if c := m.Confidence; c != nil {
		router.Confidence = mocks.Calibration{
			Right: mocks.Spread{Mean: c.Right, Spread: c.Spread}, Wrong: mocks.Spread{Mean: c.Wrong, Spread: c.Spread}}
	}
	if w.suite.Target == "studio" {
		w.labels.direct(router, said.find, v.Profile, cmp.Or(m.Slots, 1))
	}
	return cast{scripts: w.scripts, router: router, critic: judge(said.find, said.try, w.suite.Models["critic"].Spread, noise)}
}

// judge is a critic who scores pictures by their labels.
func judge(find finder, try func(text string, nth int) int, spread float64, seed uint64) *mocks.Judge {
	return &mocks.Judge{Threshold: passMark, Spread: spread, Seed: seed,
		Quality: func(r mocks.ChatRequest, nth int) float64 { return quality(find, r.Text, try(r.Text, nth)) }}
}

// A simulated critic passes what scores higher than passMark, and finds
// pictures without labels fair.
const (
	passMark    = 0.7
	fairQuality = 0.85
)

// quality is the label of the nth picture that a text led to.
func quality(find finder, text string, nth int) float64 {
	s, _ := find(text)
	pictures, err := s.Pictures()
	if err != nil || len(pictures) == 0 {
		return fairQuality
	}
	return pictures[min(nth, len(pictures))-1].Quality
}

// direct has the planner's model name the subject and the style, each with a
// chance, and speak as the profile asks.
func (l labels) direct(m *mocks.Labelled, find finder, profile string, slots float64) {
	m.SlotAccuracy = slots
	m.Slots = func(text string) map[string]string {
		if _, slots, ok := l.knows(find, text); ok {
			return slots
		}
		return map[string]string{"subject": "", "style": ""}
	}
	if profile != "v1" {
		return
	}
	m.Confusion, m.Labels = nil, nil // v1 has a name of its own for one, and none for what it cannot do
	for _, l := range []string{"generate_image", "inpainting", "adjust_parameters"} {
		m.Labels = append(m.Labels, inV1(l))
	}
	label := m.Label
	m.Label = func(text string) (string, bool) {
		l, ok := label(text)
		return inV1(l), ok
	}
	m.Extra = func(text, _ string) map[string]any {
		return map[string]any{"prompt": text, "parameters": map[string]any{"style_strength": 70, "resolution": "800x600"}}
	}
}

// inV1 is an action as the studio's first version calls it. What it has no
// name for is taken for a wish of a picture.
func inV1(action string) string {
	switch action {
	case "adjust_parameters":
		return "parameter_adjustment"
	case "unknown":
		return "generate_image"
	}
	return action
}

// slotsOf are the right values of a step, "" where it names none.
func slotsOf(s eval.Step) map[string]string {
	var expect struct {
		Slots map[string]eval.OneOf `json:"slots"`
	}
	slots := map[string]string{"subject": "", "style": ""}
	if len(s.Want) == 0 || json.Unmarshal(s.Want, &expect) != nil {
		return slots
	}
	for name, accepted := range expect.Slots {
		slots[name] = accepted.Primary()
	}
	return slots
}
