package backend

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks/component"
	"evalctl/mocks/model"
)

// serverModel is the simulated model of a server that any agent may call. It answers from the
// labels of whole datasets, and finds out from the prompt which system and component is calling.
type serverModel struct {
	sets   []*labelSet
	critic *model.SimulatedCritic
}

var _ model.Classifier = (*serverModel)(nil)

// AllComponents returns the components of all systems, plus one per role.
func AllComponents() component.Components {
	parts := component.DefaultComponents()
	for name, role := range ComponentsOf(suite.Systems()...) {
		if _, standard := parts[name]; !standard {
			parts[name] = role
		}
	}
	return parts
}

// labelSet contains the expected outcomes of one system's dataset, by text.
type labelSet struct {
	labels   labels
	expected map[string]eval.LabeledTurn // with the tools and the expectation of a turn, without its other input
	ability  ability
	seed     uint64
}

// NewServerModel returns a simulated model for a server that any agent may call. It answers from
// the labels of the given datasets, with the given accuracy (0..1).
func NewServerModel(sets []*datasets.Dataset, accuracy float64, seed uint64) (model.Model, error) {
	w := &serverModel{}
	calibration, err := model.NewCalibration(model.PerfectCurve(accuracy), accuracy)
	if err != nil {
		return nil, err
	}
	for _, data := range sets {
		of, _ := suite.FindSystem(data.Target())
		s := &labelSet{
			labels:   labels{system: of, all: of.Contract.Labels},
			expected: map[string]eval.LabeledTurn{},
			ability:  ability{accuracy: accuracy, slotAccuracy: 1, calibration: calibration},
			seed:     seed,
		}
		if of.Contract.HasDatasetLabels() {
			s.labels.all = oosLast(of, data.Labels())
		}
		if err := s.index(data); err != nil {
			return nil, err
		}
		w.sets = append(w.sets, s)
	}
	// The caller is unknown, so each answer to a text counts as the next attempt of one turn.
	w.critic = newCritic(w.find, func(_ string, nth int) int { return nth }, 0, seeds{perEpoch: seed})
	return w, nil
}

// oosLast moves the out-of-scope label of the system's default suite to the end. The last label is
// the fallback label.
func oosLast(of system.System, labels []string) []string {
	shipped, err := datasets.DefaultSuite(of.Name)
	at := slices.Index(labels, shipped.OOSLabel)
	if err != nil || at < 0 {
		return labels
	}
	return append(slices.Delete(labels, at, at+1), shipped.OOSLabel)
}

func (s *labelSet) index(data *datasets.Dataset) error {
	for c, err := range data.Stream(datasets.Filter{}) {
		if err != nil {
			return err
		}
		burst := ""
		for _, step := range c.Turns {
			if step.Delay == 0 {
				burst = ""
			}
			burst = strings.TrimPrefix(burst+" "+step.Text, " ")
			if step.Expected != nil {
				want := eval.LabeledTurn{Turn: agent.Turn{Tools: step.Tools}, Expected: step.Expected}
				s.expected[step.Text] = want
				s.expected[burst] = want // the combined text of messages that arrive in a burst
			}
		}
	}
	return nil
}

func (s *labelSet) find(text string) (eval.LabeledTurn, bool) {
	step, ok := s.expected[text]
	return step, ok
}

func (w *serverModel) find(text string) (step eval.LabeledTurn, ok bool) {
	for _, s := range w.sets {
		if step, ok = s.find(text); ok {
			return step, true
		}
	}
	return step, false
}

// Classify returns the name of the component whose prompt is in the request; empty: unknown.
func (w *serverModel) Classify(r model.Request) string {
	prompt := systemPrompt(r)
	for _, s := range w.sets {
		for _, part := range s.labels.system.Components {
			if part.MatchPrompt != nil && part.MatchPrompt(prompt) {
				return part.Name
			}
		}
	}
	return ""
}

// ComponentOfPrompt returns the name of the component, of any system, whose prompt is in the
// request; empty: unknown.
func ComponentOfPrompt(r model.Request) string {
	prompt := systemPrompt(r)
	for _, of := range suite.Systems() {
		for _, part := range of.Components {
			if part.MatchPrompt != nil && part.MatchPrompt(prompt) {
				return part.Name
			}
		}
	}
	return ""
}

// Answer answers as the component that is calling: with the answer that its system defines, a
// critic's verdict, a decision, or plausible text. The caller is unknown, so each request counts as
// the first of its turn.
func (w *serverModel) Answer(r model.Request) model.Answer {
	prompt := systemPrompt(r)
	s := w.selectSet(r, prompt)
	if part, _ := s.labels.system.Component(r.ComponentName); part.Simulate != nil && part.Role != system.RoleRouter {
		text := s.lastKnownText(r)
		if s.expected[text].Expected == nil {
			text = lastLine(text)
		}
		return simulateReply(part, r, text, s.expected[text].Expected, 1, textSeed(s.seed, part, text, 1))
	}
	if r.Role == component.Critic {
		return w.critic.Answer(r)
	}
	return s.decide(r, prompt)
}

// decide answers as the router of the set's system, in the format that the prompt requires.
func (s *labelSet) decide(r model.Request, prompt string) model.Answer {
	var form system.AnswerFormat
	if of := s.labels.system; of.AnswerFormat != nil {
		var given system.SettingValues
		if of.SettingsFromPrompt != nil {
			given = of.SettingsFromPrompt(prompt)
		}
		form = of.AnswerFormat(of.WithDefaults(given))
	}
	form.PlainLabel = !r.RequiresJSON
	if s.labels.system.Contract.HasDatasetLabels() && len(r.Tools) > 0 {
		form = toolCallFormat()
	}
	find := s.find
	switch {
	case s.labels.hasPath(): // the next decision depends on the whole conversation
		step, known := s.find(s.lastKnownText(r))
		find = func(string) (eval.LabeledTurn, bool) { return step, known }
	case prompt == "": // the prompt may contain the user's message
		r.Text = s.longestTextIn(r.Text)
	}
	return s.labels.decider(find, form, s.ability, seeds{perEpoch: s.seed}).Answer(r)
}

// toolCallFormat returns the answer format of the system that has a tool for each user-defined
// label.
func toolCallFormat() system.AnswerFormat {
	for _, of := range suite.Systems() {
		if of.AnswerFormat != nil {
			if form := of.AnswerFormat(of.WithDefaults(nil)); form.ToolCall {
				return form
			}
		}
	}
	return system.AnswerFormat{PlainLabel: true}
}

// selectSet returns the set of the system that is probably calling. Systems without the component
// are excluded, if others have it. The first of these criteria that matches decides:
//
// - the component recognizes the prompt
// - the prompt contains the system's label field
// - the request requires JSON and the component writes JSON
// - the set contains the text
// - the set is the first one
func (w *serverModel) selectSet(r model.Request, prompt string) *labelSet {
	sets := slices.DeleteFunc(slices.Clone(w.sets), func(s *labelSet) bool {
		_, has := s.labels.system.Component(r.ComponentName)
		return !has
	})
	if len(sets) == 0 {
		sets = w.sets
	}
	for _, fits := range []func(*labelSet) bool{
		func(s *labelSet) bool {
			part, _ := s.labels.system.Component(r.ComponentName)
			return part.MatchPrompt != nil && part.MatchPrompt(prompt)
		},
		func(s *labelSet) bool { return strings.Contains(prompt, `"`+s.labels.system.Contract.LabelField+`"`) },
		func(s *labelSet) bool {
			part, _ := s.labels.system.Component(r.ComponentName)
			return r.RequiresJSON && part.Role == system.RoleStructured
		},
		func(s *labelSet) bool { _, ok := s.find(r.Text); return ok },
	} {
		if i := slices.IndexFunc(sets, fits); i >= 0 {
			return sets[i]
		}
	}
	return sets[0]
}

// lastKnownText returns the last text in the request's messages that the set has a label for; else
// the user's last message.
func (s *labelSet) lastKnownText(r model.Request) string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == "system" {
			continue
		}
		text := s.longestTextIn(m.Text)
		if _, known := s.expected[text]; known {
			return text
		}
	}
	return r.Text
}

// maxPrompt is the maximum length, in bytes, of a prompt that is searched for labeled texts.
const maxPrompt = 16 << 10

// longestTextIn returns the longest labeled text that a prompt contains; else the prompt itself.
func (s *labelSet) longestTextIn(prompt string) (text string) {
	if _, known := s.expected[prompt]; known || len(prompt) > maxPrompt {
		return prompt
	}
	for known := range s.expected {
		if len(known) > len(text) && strings.Contains(prompt, known) {
			text = known
		}
	}
	return cmp.Or(text, prompt)
}
