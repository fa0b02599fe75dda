// Package classifier is an agent that assigns one label of a custom set to each message, with one
// model call.
package classifier

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/label"
	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/agent/trace"
)

// Node is the name of the classifier's only node in traces.
const Node = "model"

// defaultField is the default name of the JSON field with the label in the model's answer.
const defaultField = "label"

// Config configures the classifier.
type Config struct {
	Model  *llm.Client    // required; its node name must be Node
	Prompt Template       // zero: the prompt that ships with the package
	Labels []system.Label // the valid labels of turns without tools of their own, at least two
	// each turn has tools of its own, so there may be fewer than two Labels
	ToolsPerTurn    bool
	Aliases         map[string]string // further names of labels in answers, each with its label; nil: none
	LabelField      string            // name of the JSON field with the label; "": "label"
	PlainTextAnswer bool              // the model answers with only the label instead of JSON
	Examples        ExampleSelector   // selects the few-shot examples of the prompt; nil: none

	Temperature *float64 // nil: the default of the model's API

	// OOSLabel is the out-of-scope label; "": none. It replaces a label whose confidence is below
	// Threshold. If a threshold is set, an answer without a confidence is invalid.
	OOSLabel  string
	Threshold float64 // minimum confidence in 0..1; 0: every label is accepted
}

// ExampleSelector selects the few-shot examples that the prompt shows for a text.
type ExampleSelector interface {
	Select(text string) []system.LabeledExample
}

// Agent is the classifier. It has no conversation state and is safe for concurrent use.
type Agent struct {
	cfg         Config
	choice      choice // for turns without tools of their own
	emptyPrompt string // the prompt without a turn, used for turns that insert no text, tools, examples or history
}

var _ agent.Agent = (*Agent)(nil)

// New creates a classifier. Its errors name the invalid field of cfg.
func New(cfg Config) (*Agent, error) {
	switch {
	case cfg.Model == nil:
		return nil, errors.New("classifier.Config.Model: required")
	case len(cfg.Labels) < 2 && !cfg.ToolsPerTurn:
		return nil, fmt.Errorf("classifier.Config.Labels: %d are nothing to choose from", len(cfg.Labels))
	}
	if err := cfg.checkThreshold(); err != nil {
		return nil, err
	}
	if cfg.LabelField == "" {
		cfg.LabelField = defaultField
	}
	var err error
	if cfg.Prompt, err = cfg.Prompt.orShipped(cfg.PlainTextAnswer); err != nil {
		return nil, err
	}
	a := &Agent{cfg: cfg, choice: newChoice(cfg.Labels, cfg.Aliases)}
	a.emptyPrompt, err = a.fill(agent.Turn{}, a.choice, nil)
	return a, err
}

func (cfg Config) checkThreshold() error {
	switch {
	case !(cfg.Threshold >= 0 && cfg.Threshold <= 1):
		return fmt.Errorf("classifier.Config.Threshold: %v is not in 0..1", cfg.Threshold)
	case cfg.Threshold > 0 && cfg.PlainTextAnswer:
		return errors.New("classifier.Config.Threshold: a plain label has no confidence")
	case cfg.Threshold > 0 && cfg.OOSLabel == "":
		return errors.New("classifier.Config.Threshold: no label is out of scope, so there is none to give instead")
	case cfg.OOSLabel != "" &&
		!slices.ContainsFunc(cfg.Labels, func(l system.Label) bool { return l.Name == cfg.OOSLabel }):
		return fmt.Errorf("classifier.Config.OOSLabel: %q is not one of the labels", cfg.OOSLabel)
	}
	return nil
}

// withModel returns a copy of the classifier that calls another model.
func (a *Agent) withModel(model *llm.Client) *Agent {
	own := *a
	own.cfg.Model = model
	return &own
}

// maxShown limits the part of an invalid model answer that the reply contains, in characters.
const maxShown = 2000

// Respond labels one turn. The reply's content is the label, or the model's raw text if it contains
// no valid label. The last emitted event is always KindDone.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	var reply agent.Reply
	err := clock.CatchPanic(Node, func() (err error) {
		reply, err = a.label(ctx, t)
		return err
	})
	if reply.Content != "" {
		trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Text: reply.Content})
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: reply.Content})
	return reply, err
}

func (a *Agent) label(ctx context.Context, t agent.Turn) (agent.Reply, error) {
	choice := a.choiceOf(t)
	messages, err := a.messages(t, choice)
	if err != nil {
		return agent.Reply{}, err
	}
	d, raw, err := a.callModel(ctx, llm.Request{Messages: messages, Temperature: a.cfg.Temperature}, choice.labels)
	switch kind := llm.KindOf(err); {
	case kind.IsInvalidAnswer():
		var invalid llm.FieldError
		if at, ok := errors.AsType[*llm.FieldError](err); ok {
			invalid = *at
		}
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindRoute,
			Node:   Node,
			From:   trace.ClipLabel(invalid.Label),
			To:     choice.invalid,
			Reason: string(kind),
			Text:   err.Error(),
			Data:   trace.RawAnswerData(raw),
		})
		return agent.Reply{Content: fmt.Sprintf("%.*s", maxShown, raw), Predicted: choice.invalid,
			DecidedBy: "llm"}, nil
	case err != nil:
		trace.EmitNoDecision(ctx, Node, llm.TraceReason(err), raw, err)
		return agent.Reply{}, err
	}
	return a.decide(ctx, d, raw), nil
}

// decide returns the model's label, or the out-of-scope label if the confidence is too low.
func (a *Agent) decide(ctx context.Context, d decision, raw string) agent.Reply {
	modelDecision := &agent.ModelDecision{Label: d.label, Confidence: d.confidence}
	if !a.cfg.PlainTextAnswer {
		modelDecision.DecisionIfRejected = a.cfg.OOSLabel
	}
	reply := agent.Reply{DecidedBy: "llm", ModelDecision: modelDecision}
	if d.confidence != nil {
		reply.Confidence = *d.confidence
	}
	taken, why := d.label, "llm"
	if reply.Confidence < a.cfg.Threshold {
		taken, why = a.cfg.OOSLabel, trace.ReasonLowConfidence
		if taken != d.label {
			trace.Emit(ctx, trace.Event{
				Kind:   trace.KindFallback,
				Node:   Node,
				From:   d.label,
				To:     taken,
				Reason: why,
			})
		}
	}
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindRoute,
		Node:   Node,
		To:     taken,
		Reason: why,
		Text:   d.reason,
		Data:   trace.RawAnswerData(raw),
	})
	reply.Content = taken
	reply.Predicted = taken
	reply.AnsweredBy = taken
	return reply
}

// decision is the label of a valid model answer, with the model's confidence and reason.
type decision struct {
	label, reason string
	confidence    *float64 // nil: not given
}

// callModel calls the model and returns its decision and the raw answer.
func (a *Agent) callModel(ctx context.Context, r llm.Request, labels label.Set) (d decision, raw string, err error) {
	if a.cfg.PlainTextAnswer {
		return a.callPlainModel(ctx, r, labels)
	}
	form := llm.AnswerSpec{Key: a.cfg.LabelField, Labels: labels, Confidence: llm.ConfidenceRuleFor(a.cfg.Threshold)}
	members, answer, err := llm.ChatJSON[map[string]json.RawMessage](ctx, a.cfg.Model, r, form)
	if err == nil {
		d, err = decisionOf(members, a.cfg.LabelField)
	}
	return d, answer.TextOrReasoning(), err
}

// callPlainModel calls the model for an answer that is only a label. A truncated label that could
// be the beginning of another one is an error.
func (a *Agent) callPlainModel(ctx context.Context, r llm.Request, labels label.Set) (decision, string, error) {
	answer, err := a.cfg.Model.Chat(ctx, r)
	if err != nil {
		return decision{}, answer.TextOrReasoning(), err
	}
	if err := a.cfg.Model.CheckAnswer(answer); err != nil {
		return decision{}, answer.TextOrReasoning(), err
	}
	text := stripDecoration(answer.Content)
	found, ok := labels.Find(text)
	switch {
	case answer.IsTruncated() && labels.IsPrefix(text):
		err = a.cfg.Model.InvalidAnswerError(answer, llm.KindTruncated, fmt.Errorf("%.80q broke off", answer.Content))
	case !ok:
		err = a.cfg.Model.InvalidAnswerError(answer, llm.KindUnknownLabel,
			&llm.FieldError{Label: text, Problem: fmt.Sprintf("%.80q is not one of the labels", answer.Content)})
	}
	return decision{label: found}, answer.TextOrReasoning(), err
}
