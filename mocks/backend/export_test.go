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

// Quality returns the quality with which a simulated critic scores the nth image of a turn.
func Quality(find func(string) (eval.LabeledTurn, bool), text string, nth int) float64 {
	return quality(find, model.Request{Text: text, ImageCount: 1}, nth, 0)
}

// Promise returns the quality with which a simulated critic scores the texts of a request without
// an image.
var Promise = textQuality

// PlaceIn exports positionsIn, which returns the position of a call in a trial.
var PlaceIn = positionsIn

// Turns exports caseTurns, which finds the turn of a request.
type Turns struct{ *caseTurns }

func TurnsOf(c eval.Case) Turns { return Turns{turnsOf(c)} }

func (t Turns) Find(text string) (eval.LabeledTurn, bool) { return t.find(text) }

func (t Turns) Ask(text string) { t.countDecision(text) }

func (t Turns) Try(text string, nth int) int { return t.attemptNumber(text, nth) }

// Counted returns the number of stored counter entries.
func (t Turns) Counted() int { return len(t.decisions) + len(t.firstAnswers) }

// Worth exports quality, the quality of an attempt that a simulated critic reviews.
var Worth = quality

// Begun returns the number of turns that have begun.
func (t Turns) Begun() int { return t.turnsBegun }

// backendOf returns a Backend for a system that is not registered, whose router has the given
// quality.
func backendOf(of system.System, decider suite.Simulated) *Backend {
	q, err := abilityOf(decider)
	if err != nil {
		panic(err)
	}
	l := labels{system: of, all: of.Contract.Labels}
	return &Backend{labels: l, labelsWithoutHistory: l, abilities: map[string]ability{of.DecidingComponent().Name: q},
		suite: suite.Suite{Models: map[string]suite.Model{of.DecidingComponent().Name: {Simulated: decider}}}}
}

// Answers returns the simulated models of a system's components in a trial.
func Answers(of system.System, t eval.Trial, decider suite.Simulated) model.Model {
	var form system.AnswerFormat
	if of.AnswerFormat != nil {
		form = of.AnswerFormat(nil)
	}
	return backendOf(of, decider).models(t, turnsOf(t.Case), form)
}

// Describe returns the description of a system's simulated router in a note.
func Describe(of system.System, decider suite.Simulated) string {
	return backendOf(of, decider).describe(of.DecidingComponent(), nil)
}

// Learned returns the answer of a baseline model to a text, in the format of a system.
func Learned(of system.System, m floor.Model, text string) string {
	return learnedDecider{baselineModel: m, labels: labels{system: of, all: of.Contract.Labels},
		form: of.AnswerFormat(nil), turns: turnsOf(eval.Case{})}.Answer(model.Request{Text: text}).Content
}

// Simulate returns the error of configuring a system's component with the given simulated model.
func Simulate(of system.System, part string, m suite.Model) error {
	return backendOf(of, suite.Simulated{}).configureSimulated(part, m)
}

// LinkTo returns the endpoint of a component of a system that is not registered.
func LinkTo(of system.System, part string, m suite.Model) system.Endpoint {
	b := &Backend{labels: labels{system: of}, suite: suite.Suite{Models: map[string]suite.Model{part: m}},
		http: http.DefaultClient}
	if m.BaseURL != "" {
		l, err := realEndpoint(m)
		if err != nil {
			panic(err)
		}
		l.HTTP = b.http
		return l
	}
	server, err := mocks.New(mocks.Config{Components: ComponentsOf(of)})
	if err != nil {
		panic(err)
	}
	return b.mockEndpoint(server, part)
}

// OverWire returns the simulated model of a server for unknown callers, with expected outcomes by
// text.
func OverWire(of system.System, want map[string]json.RawMessage) model.Model {
	q, err := abilityOf(suite.Simulated{})
	if err != nil {
		panic(err)
	}
	expected := map[string]eval.LabeledTurn{}
	for text, raw := range want {
		expected[text] = eval.LabeledTurn{Expected: raw}
	}
	w := &serverModel{sets: []*labelSet{{labels: labels{system: of, all: of.Contract.Labels}, expected: expected,
		ability: q, seed: 1}}}
	w.critic = newCritic(w.find, func(_ string, nth int) int { return nth }, 0, seeds{perEpoch: 1})
	return w
}

// CorpusOf returns a searcher as a mocks.Corpus.
func CorpusOf(s recall.Searcher) mocks.Corpus { return corpus{s} }

// Joined returns the combined documents of systems that are not registered.
func Joined(systems ...system.System) mocks.Corpus { return joinCorpora(systems) }

// Searched returns the number of document collections that the Backend has created.
func (b *Backend) Searched() int { return len(b.corpora) }
