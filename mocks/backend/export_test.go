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

// Quality is what a picture of a turn is worth that is shown.
func Quality(find func(string) (eval.LabeledTurn, bool), text string, nth int) float64 {
	return quality(find, model.Request{Text: text, Images: 1}, nth, 0)
}

// Promise is what the words of a request are worth.
var Promise = promise

// PlaceIn locates the calls of a trial.
var PlaceIn = placeIn

// Turns are exported for tests.
type Turns struct{ *caseTurns }

// TurnsOf finds a case's turns.
func TurnsOf(c eval.Case) Turns { return Turns{turnsOf(c)} }

// Find finds the turn that has a text.
func (t Turns) Find(text string) (eval.LabeledTurn, bool) { return t.find(text) }

// Ask counts a question.
func (t Turns) Ask(text string) { t.ask(text) }

// Try makes an answer that of a turn.
func (t Turns) Try(text string, nth int) int { return t.try(text, nth) }

// Counted is how much is remembered.
func (t Turns) Counted() int { return len(t.asked) + len(t.first) }

// Worth is what a critic makes of an attempt.
var Worth = quality

// Begun is how many turns are known to have begun.
func (t Turns) Begun() int { return t.begun }

// backendOf is a backend of a system that no list has, with a decider of a quality.
func backendOf(of system.System, decider suite.Simulated) *Backend {
	q, err := abilityOf(decider)
	if err != nil {
		panic(err)
	}
	l := labels{of: of, all: of.Contract.Labels}
	return &Backend{labels: l, labelsWithoutHistory: l, abilities: map[string]ability{of.DecidingComponent().Name: q},
		suite: suite.Suite{Models: map[string]suite.Model{of.DecidingComponent().Name: {Simulated: decider}}}}
}

// Answers are those of a system's parts in a trial.
func Answers(of system.System, t eval.Trial, decider suite.Simulated) model.Model {
	var form system.AnswerFormat
	if of.AnswerFormat != nil {
		form = of.AnswerFormat(nil)
	}
	return backendOf(of, decider).models(t, turnsOf(t.Case), form)
}

// Describe says how a system's decider is simulated.
func Describe(of system.System, decider suite.Simulated) string {
	return backendOf(of, decider).describe(of.DecidingComponent(), nil)
}

// Learned is what a floor says in a system's form.
func Learned(of system.System, m floor.Model, text string) string {
	return learnedDecider{baselineModel: m, labels: labels{of: of, all: of.Contract.Labels}, form: of.AnswerFormat(nil), turns: turnsOf(eval.Case{})}.Answer(model.Request{Text: text}).Content
}

// Simulate settles how a part of a system behaves.
func Simulate(of system.System, part string, m suite.Model) error {
	return backendOf(of, suite.Simulated{}).simulate(part, m)
}

// LinkTo leads to a part of a system that no list has, simulated or real.
func LinkTo(of system.System, part string, m suite.Model) system.Endpoint {
	b := &Backend{labels: labels{of: of}, suite: suite.Suite{Models: map[string]suite.Model{part: m}}, http: http.DefaultClient}
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

// OverWire answers for a system whose labels are known by the texts.
func OverWire(of system.System, want map[string]json.RawMessage) model.Model {
	q, err := abilityOf(suite.Simulated{})
	if err != nil {
		panic(err)
	}
	w := &shared{sets: []*set{{labels: labels{of: of, all: of.Contract.Labels}, want: want, ability: q, seed: 1}}}
	w.critic = judge(w.find, func(_ string, nth int) int { return nth }, 0, seeds{perEpoch: 1})
	return w
}

// CorpusOf is a searcher as a service of retrieval has it.
func CorpusOf(s recall.Searcher) mocks.Corpus { return corpus{s} }

// Joined are the corpora of systems that no list has.
func Joined(systems ...system.System) mocks.Corpus { return joinedOf(systems) }

// Searched counts what was made to be searched.
func (b *Backend) Searched() int { return len(b.searched) }
