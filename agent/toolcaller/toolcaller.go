// Package toolcaller evaluates tool calling (--target tool-calling). Each label is a tool. A model
// with a chat completions API receives the message and the tools. The tool that it calls is its
// decision.
package toolcaller

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/label"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// NodeName is the name of the agent's only node in the trace.
const NodeName = "model"

// Values of the setting tool-choice.
const (
	choiceAuto     = "auto"     // the model may call no tool
	choiceRequired = "required" // the model must call a tool
)

// Config configures an Agent: the model, its prompt and the tools.
type Config struct {
	Model  *llm.Client // the model; its node must be NodeName; required
	Prompt llm.Prompt  // system message; zero: the built-in prompt
	Tools  []Tool      // the tools that the model may call in turns without own tools, with distinct names
	// each turn has tools of its own, so there may be no Tools
	ToolsPerTurn bool
	ToolChoice   string // choiceAuto or choiceRequired; "": choiceAuto

	// NoToolLabel is the label that the agent predicts if the model calls no tool; "": such an
	// answer is invalid.
	NoToolLabel string

	Aliases map[string]string // further names of labels as tools, each with its label; nil: none

	Temperature *float64 // temperature of the model; nil: default of the service
}

// Agent requests a model to call a tool for each message. It stores no conversation and is safe for
// concurrent use.
type Agent struct {
	cfg     Config
	offer   offer     // for turns without tools of their own
	aliases label.Set // only the aliases
}

var _ agent.Agent = (*Agent)(nil)

// New returns an agent. Its errors name the invalid field of cfg.
func New(cfg Config) (*Agent, error) {
	if cfg.Model == nil {
		return nil, errors.New("toolcaller.Config.Model: required")
	}
	if cfg.ToolChoice == "" {
		cfg.ToolChoice = choiceAuto
	}
	if cfg.ToolChoice != choiceAuto && cfg.ToolChoice != choiceRequired {
		return nil, fmt.Errorf("toolcaller.Config.ToolChoice: %q is neither %s nor %s", cfg.ToolChoice,
			choiceAuto, choiceRequired)
	}
	if cfg.Prompt.Text == "" {
		var err error
		if cfg.Prompt, err = llm.LoadPrompt(shipped, "prompts/route.md"); err != nil {
			return nil, err
		}
	}
	if err := checkTools(cfg.Tools); err != nil && !(cfg.ToolsPerTurn && len(cfg.Tools) == 0) {
		return nil, fmt.Errorf("toolcaller.Config.Tools: %w", err)
	}
	return &Agent{
		cfg:     cfg,
		offer:   newOffer(cfg.Tools, cfg.NoToolLabel),
		aliases: label.NewSet().WithAliases(cfg.Aliases),
	}, nil
}

func (a *Agent) withModel(model *llm.Client) *Agent {
	own := *a
	own.cfg.Model = model
	return &own
}

// Respond answers a turn with the label of the called tool. The content of the reply is the tool
// call. If the model calls no tool, it is the model's text. The last event is always KindDone.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	var reply agent.Reply
	err := clock.CatchPanic(NodeName, func() (err error) {
		reply, err = a.route(ctx, t)
		return err
	})
	if reply.Content != "" {
		trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Text: reply.Content})
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: reply.Content})
	return reply, err
}

func (a *Agent) route(ctx context.Context, t agent.Turn) (agent.Reply, error) {
	o := a.offerOf(t)
	answer, err := a.cfg.Model.Chat(ctx, llm.Request{
		Messages:    a.messages(t, o),
		Tools:       o.declared,
		ToolChoice:  a.cfg.ToolChoice,
		Temperature: a.cfg.Temperature,
	})
	if err == nil && len(answer.ToolCalls) == 0 {
		err = a.checkAnswer(answer)
	}
	switch {
	case llm.KindOf(err).IsInvalidAnswer():
		return o.invalidReply(ctx, agent.Reply{Content: clip(answer.Content), DecidedBy: "llm"},
			answer, llm.KindOf(err), "", err.Error()), nil
	case err != nil:
		trace.EmitNoDecision(ctx, NodeName, llm.TraceReason(err), rawAnswer(answer), err)
		return agent.Reply{}, err
	case len(answer.ToolCalls) == 0:
		return a.replyWithoutCall(ctx, answer, o), nil
	}
	return a.replyWithCall(ctx, answer, o), nil
}

// checkAnswer returns an error if an answer without a tool call is empty or truncated; otherwise
// nil.
func (a *Agent) checkAnswer(answer llm.Response) error {
	if err := a.cfg.Model.CheckAnswer(answer); err != nil {
		return err
	}
	if answer.IsTruncated() {
		return a.cfg.Model.InvalidAnswerError(answer, llm.KindTruncated,
			errors.New("the answer broke off before a tool was called"))
	}
	return nil
}

// replyWithoutCall returns the reply if the model called no tool: it predicts NoToolLabel.
func (a *Agent) replyWithoutCall(ctx context.Context, answer llm.Response, o offer) agent.Reply {
	reply := agent.Reply{Content: clip(answer.Content), DecidedBy: "llm"}
	if a.cfg.NoToolLabel == "" {
		return o.invalidReply(ctx, reply, answer, llm.KindUnknownLabel, "",
			"no tool is called, and there is no label for that")
	}
	return a.decidedReply(ctx, reply, answer, a.cfg.NoToolLabel, "no tool is called")
}

// replyWithCall returns the reply if the model called tools: it predicts the label of the first
// one.
func (a *Agent) replyWithCall(ctx context.Context, answer llm.Response, o offer) agent.Reply {
	first := answer.ToolCalls[0]
	reply := agent.Reply{Content: clip(callLine(first)), DecidedBy: "llm"}
	if more := answer.ToolCalls[1:]; len(more) > 0 {
		trace.Emit(ctx, trace.Event{Kind: trace.KindIgnoredInput, Node: NodeName,
			Text: clip("called besides: " + namesOf(more))})
	}
	label, known := o.labels[first.Name]
	if meant, ok := a.aliases.Find(cmp.Or(label, first.Name)); ok && o.has(meant) {
		label, known = meant, true
	}
	if !known {
		return o.invalidReply(ctx, reply, answer, llm.KindUnknownLabel, first.Name,
			fmt.Sprintf("%.80q is not a tool that was offered", first.Name))
	}
	reply.ToolCalls = []agent.ToolCall{{Name: first.Name, Input: first.Arguments}}
	slots, err := slotsOf(first.Arguments)
	form := trace.Event{Kind: trace.KindFormCheck, Node: NodeName}
	if err != nil {
		form.Reason, form.Text = string(llm.KindMalformedJSON), clip(err.Error())
	}
	trace.Emit(ctx, form)
	reply.Slots = slots
	why := ""
	if first.Name != label {
		why = "the tool is called " + first.Name
	}
	reply = a.decidedReply(ctx, reply, answer, label, why)
	if c, ok := llm.ParseNumber(json.RawMessage(slots[confidenceArgument])); ok && c >= 0 && c <= 1 {
		reply.Confidence, reply.ModelDecision.Confidence = c, &c
	}
	return reply
}

// confidenceArgument is the argument of a tool call that is the confidence of the decision, if it
// is a number from 0 to 1.
const confidenceArgument = "confidence"

func (a *Agent) decidedReply(ctx context.Context, reply agent.Reply, answer llm.Response, label,
	why string) agent.Reply {
	reply.Predicted = label
	reply.AnsweredBy = label
	reply.ModelDecision = &agent.ModelDecision{Label: label}
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindRoute,
		Node:   NodeName,
		To:     label,
		Reason: "llm",
		Text:   why,
		Data:   trace.RawAnswerData(rawAnswer(answer)),
	})
	return reply
}

// invalidReply returns a reply that predicts an invalid label. This counts as a wrong decision, not
// as an error of the provider.
// called is the name of the called tool; "": none.
func (o offer) invalidReply(ctx context.Context, reply agent.Reply, answer llm.Response, kind llm.ErrorKind,
	called, why string) agent.Reply {
	reply.Predicted = o.invalid
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindRoute,
		Node:   NodeName,
		From:   trace.ClipLabel(called),
		To:     o.invalid,
		Reason: string(kind),
		Text:   why,
		Data:   trace.RawAnswerData(rawAnswer(answer)),
	})
	return reply
}
