package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"

	"evalctl/mocks/component"
	"evalctl/mocks/random"
)

// SimulatedCritic is a critic of known quality. Its score is Quality plus normal noise. The gain of
// a Critic loop and its wrong verdicts can therefore be computed. The noise depends only on Seed
// and the request's place in the trial; outside a trial, on the text and nth.
type SimulatedCritic struct {
	// Quality returns the quality, 0..1, of what a request contains. nth is the number of the
	// critic's answer to this text, from 1. Calls refused or left unanswered by a fault are not
	// counted.
	Quality   func(r Request, nth int) float64
	Noise     float64 // standard deviation, 0..1
	Threshold float64 // a score above it passes, 0..1
	Seed      uint64

	mu      sync.Mutex
	answers map[uint64]int // by text
}

var _ Model = (*SimulatedCritic)(nil)

// Validate returns an error that names the invalid field.
func (j *SimulatedCritic) Validate() error {
	switch {
	case j.Quality == nil:
		return errors.New("Judge.Quality is missing")
	case !(j.Noise >= 0 && j.Noise <= 1):
		return fmt.Errorf("Judge.Spread %v is not within 0..1", j.Noise)
	case !(j.Threshold >= 0 && j.Threshold <= 1):
		return fmt.Errorf("Judge.Threshold %v is not within 0..1", j.Threshold)
	}
	return nil
}

// Answer returns a verdict to a critic and plausible text to others.
func (j *SimulatedCritic) Answer(r Request) Answer {
	if r.Component != component.Critic {
		return Answer{Content: plausibleAnswer(r, r.seedOf(j.Seed))}
	}
	nth := j.nextAnswer(r.Text)
	score := j.score(r, nth, j.Quality(r, nth))
	passed := score > j.Threshold
	v := verdict{Passed: passed, Score: score}
	v.Feedback, v.Suggestions = feedbackFor(IsChinese(r.Text), passed)
	b, err := json.Marshal(v)
	if err != nil { // cannot happen: the number is finite and the texts are valid
		return Answer{Refusal: &Refusal{Status: 400, Message: err.Error()}}
	}
	return Answer{Content: string(b)}
}

// verdict is a critic's answer.
type verdict struct {
	Passed      bool     `json:"passed"`
	Score       float64  `json:"score"`
	Feedback    string   `json:"feedback"`
	Suggestions []string `json:"suggestions"`
}

// Score returns the score of the nth answer to a text outside a trial: within 0..1, with three
// digits.
func (j *SimulatedCritic) Score(text string, nth int, quality float64) float64 {
	return j.score(Request{Text: text}, nth, quality)
}

func (j *SimulatedCritic) score(r Request, nth int, quality float64) float64 {
	seed := r.seedOf(j.Seed)
	if r.Place == (Place{}) {
		seed = random.Mix(seed, uint64(nth))
	}
	d := random.Rand{Seed: seed}
	x := quality + j.Noise*d.NormFloat64()
	return math.Round(1000*min(max(x, 0), 1)) / 1000
}

// maxTexts is the number of counted texts. All counts are dropped when it is reached, because a
// server may run for a long time.
const maxTexts = 1 << 16

// nextAnswer returns the number of the next answer to a text.
func (j *SimulatedCritic) nextAnswer(text string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.answers == nil || len(j.answers) == maxTexts {
		j.answers = map[uint64]int{}
	}
	key := random.Hash(0, text)
	j.answers[key]++
	return j.answers[key]
}

func feedbackFor(chinese, passed bool) (feedback string, suggestions []string) {
	switch {
	case chinese && passed:
		return "画面符合要求，主体明确，风格到位", []string{}
	case chinese:
		return "画面与要求还有差距：主体不够突出，风格不够明显", []string{"突出画面主体", "加强风格特征"}
	case passed:
		return "The result meets the request: clear subject, fitting style.", []string{}
	}
	return "The result falls short: weak subject, faint style.",
		[]string{"Bring the subject out", "Strengthen the style"}
}
