package main

import (
	"cmp"

	"evalctl/eval"
	"evalctl/mocks/component"
	"evalctl/mocks/model"
)

// cast is a model whose components speak from scripts, the critic from the
// labels of the pictures, the others from the labels of the texts.
type cast struct {
	scripts map[string]model.Model
	critic  *model.Judge
	router  *model.Labelled
	v1      *model.Labelled // for the studio's first version; nil: of another system
}

func (c cast) Answer(r model.Request) model.Answer {
	if script, ok := c.scripts[r.Part]; ok {
		return script.Answer(r)
	}
	switch {
	case r.Component == component.Critic:
		return c.critic.Answer(r)
	case c.v1 != nil && asksV1(r):
		return c.v1.Answer(r)
	}
	return c.router.Answer(r)
}

func (c cast) Validate() error {
	if err := c.critic.Validate(); err != nil {
		return err
	}
	return c.router.Validate()
}

// cast is made for each trial: its models know the case's labels.
func (w *world) cast(t eval.Trial, noise uint64) cast {
	said := inCase(t.Case)
	m := w.suite.Models["router"]
	router := w.labels.router(said.find, cmp.Or(m.Accuracy, 1), cmp.Or(m.Slots, 1), noise)
	router.Confusion = m.Confusion
	label := router.Label
	router.Label = func(text string) (string, bool) {
		said.ask(text)
		return label(text)
	}
	if c := m.Confidence; c != nil {
		router.Confidence = model.Calibration{
			Right: model.Spread{Mean: c.Right, Spread: c.Spread}, Wrong: model.Spread{Mean: c.Wrong, Spread: c.Spread}}
	}
	return cast{scripts: w.scripts, router: router, v1: w.labels.inV1(router),
		critic: judge(said.find, said.try, w.suite.Models["critic"].Spread, noise)}
}

// judge is a critic who scores pictures by their labels.
func judge(find finder, try func(text string, nth int) int, spread float64, seed uint64) *model.Judge {
	return &model.Judge{Threshold: passMark, Spread: spread, Seed: seed,
		Quality: func(r model.Request, nth int) float64 { return quality(find, r.Text, try(r.Text, nth)) }}
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
