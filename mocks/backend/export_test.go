package backend

import (
	"encoding/json"
	"net/http"

	"evalctl/agent/recall"
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/floor"
	"evalctl/eval/suite"
	"evalctl/mocks"
	"evalctl/mocks/model"
)

// Quality returns the quality of an image of a turn in a request.
func Quality(find func(string) (eval.LabeledTurn, bool), text string, nth int) float64 {
	return quality(find, model.Request{Text: text, Images: 1}, nth, 0)
}

// Promise returns the quality for the texts of a request.
var Promise = textQuality

// PlaceIn locates the calls of a trial.
var PlaceIn = placeIn

// Turns exports caseTurns for tests.
type Turns struct{ *caseTurns }

func TurnsOf(c eval.Case) Turns { return Turns{turnsOf(c)} }

func (t Turns) Find(text string) (eval.LabeledTurn, bool) { return t.find(text) }

func (t Turns) Ask(text string) { t.countDecision(text) }

func (t Turns) Try(text string, nth int) int { return t.attemptNumber(text, nth) }

// Counted returns the number of stored entries.
func (t Turns) Counted() int { return len(t.decisions) + len(t.firstAnswers) }

// Worth returns a critic's quality of an attempt.
var Worth = quality

// Begun returns the number of turns that have begun.
func (t Turns) Begun() int { return t.turnsBegun }

// backendOf returns a backend of an unregistered system with a decider of the given quality.
func backendOf(of system.System, decider suite.Simulated) *Backend {
	q, err := abilityOf(decider)
	if err != nil {
		panic(err)
	}
	l := labels{system: of, all: of.Contract.Labels}
	return &Backend{labels: l, labelsWithoutHistory: l, abilities: map[string]ability{of.DecidingComponent().Name: q},
		suite: suite.Suite{Models: map[string]suite.Model{of.DecidingComponent().Name: {Simulated: decider}}}}
}

// Answers returns the models of a system's parts in a trial.
func Answers(of system.System, t eval.Trial, decider suite.Simulated) model.Model {
	var form system.AnswerFormat
	if of.AnswerFormat != nil {
		form = of.AnswerFormat(nil)
	}
	return backendOf(of, decider).models(t, turnsOf(t.Case), form)
}

// Describe returns the description of a system's simulated decider.
func Describe(of system.System, decider suite.Simulated) string {
	return backendOf(of, decider).describe(of.DecidingComponent(), nil)
}

// Learned returns a baseline model's answer in a system's format.
func Learned(of system.System, m floor.Model, text string) string {
	return learnedDecider{baselineModel: m, labels: labels{system: of, all: of.Contract.Labels},
		form: of.AnswerFormat(nil), turns: turnsOf(eval.Case{})}.Answer(model.Request{Text: text}).Content
}

// Simulate configures the behavior of a system's part.
func Simulate(of system.System, part string, m suite.Model) error {
	return backendOf(of, suite.Simulated{}).configureSimulated(part, m)
}

// LinkTo returns the endpoint of a part of an unregistered system, simulated or real.
func LinkTo(of system.System, part string, m suite.Model) system.Endpoint {
	b := &Backend{labels: labels{system: of}, suite: suite.Suite{Models: map[string]suite.Model{part: m}},
		http: http.DefaultClient}
	if m.BaseURL != "" {
		l, err := realLink(m)
		if err != nil {
			panic(err)
		}
		l.HTTP = b.http
		return l
	}
	server, err := mocks.New(mocks.Config{Parts: PartsOf(of)})
	if err != nil {
		panic(err)
	}
	return b.mockLink(server, part)
}

// OverWire returns the server model of a system with labels by text.
func OverWire(of system.System, want map[string]json.RawMessage) model.Model {
	q, err := abilityOf(suite.Simulated{})
	if err != nil {
		panic(err)
	}
	w := &serverModel{sets: []*labelSet{{labels: labels{system: of, all: of.Contract.Labels}, expected: want,
		ability: q, seed: 1}}}
	w.critic = newCritic(w.find, func(_ string, nth int) int { return nth }, 0, seeds{perEpoch: 1})
	return w
}

// CorpusOf returns a searcher as a corpus.
func CorpusOf(s recall.Searcher) mocks.Corpus { return corpus{s} }

// Joined returns the combined corpora of unregistered systems.
func Joined(systems ...system.System) mocks.Corpus { return joinCorpora(systems) }

// Searched returns the number of created corpora.
func (b *Backend) Searched() int { return len(b.corpora) }
