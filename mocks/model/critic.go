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

// SimulatedCritic is a critic that scores results with a known error. Its score is the true quality
// plus normally distributed noise. The benefit of a Critic loop and the share of wrong verdicts can
// therefore be computed. The noise depends only on Seed and the position of the call in its trial;
// outside a trial, on the text and the number of the answer.
type SimulatedCritic struct {
	// Quality returns the true quality, 0..1, of the result in a request. nth is the number of the
	// critic's answer to this text, from 1. Calls that a fault refuses or leaves unanswered are not
	// counted.
	Quality   func(r Request, nth int) float64
	Noise     float64 // standard deviation of the score, 0..1
	Threshold float64 // a result with a higher score passes, 0..1
	Seed      uint64  // seed of the noise

	mu      sync.Mutex
	answers map[uint64]int // number of answers so far, by hash of the text
}

var _ Model = (*SimulatedCritic)(nil)

// Validate returns an error that names the invalid field.
func (j *SimulatedCritic) Validate() error {
	switch {
	case j.Quality == nil:
		return errors.New("SimulatedCritic.Quality is missing")
	case !(j.Noise >= 0 && j.Noise <= 1):
		return fmt.Errorf("SimulatedCritic.Noise %v is not within 0..1", j.Noise)
	case !(j.Threshold >= 0 && j.Threshold <= 1):
		return fmt.Errorf("SimulatedCritic.Threshold %v is not within 0..1", j.Threshold)
	}
	return nil
}

// Answer returns a verdict if a critic component calls, and plausible text otherwise.
func (j *SimulatedCritic) Answer(r Request) Answer {
	if r.Role != component.Critic {
		return Answer{Content: plausibleAnswer(r, r.seedOf(j.Seed))}
	}
	nth := j.nextAnswer(r.Text)
	score := j.score(r, nth, j.Quality(r, nth))
	passed := score > j.Threshold
	v := verdict{Passed: passed, Score: score}
	v.Feedback, v.Suggestions = feedbackFor(IsChinese(r.Text), passed)
	b, err := json.Marshal(v)
	if err != nil { // cannot happen: the number is finite and the texts are valid
		return Answer{ErrorResponse: &ErrorResponse{Status: 400, Message: err.Error()}}
	}
	return Answer{Content: string(b)}
}

// verdict is the JSON that a critic answers.
type verdict struct {
	Passed      bool     `json:"passed"`
	Score       float64  `json:"score"`
	Feedback    string   `json:"feedback"`
	Suggestions []string `json:"suggestions"`
}

// Score returns the score of the nth answer to a text outside a trial: in 0..1, with three
// decimals.
func (j *SimulatedCritic) Score(text string, nth int, quality float64) float64 {
	return j.score(Request{Text: text}, nth, quality)
}

func (j *SimulatedCritic) score(r Request, nth int, quality float64) float64 {
	seed := r.seedOf(j.Seed)
	if r.Position == (CallPosition{}) {
		seed = random.Mix(seed, uint64(nth))
	}
	d := random.Rand{Seed: seed}
	x := quality + j.Noise*d.NormFloat64()
	return math.Round(1000*min(max(x, 0), 1)) / 1000
}

// maxTexts is the number of texts whose answers are counted. When it is reached, all counts are
// dropped, because a server may run for a long time.
const maxTexts = 1 << 16

// nextAnswer returns the number of the next answer to a text, from 1.
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
