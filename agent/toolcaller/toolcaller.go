// Package toolcaller is the target tool-calling (--target tool-calling): an agent that routes each
// message to a tool. Any model with chat completions receives the tools; the called tool is the
// route.
package toolcaller

import (
	"context"
	"errors"
	"fmt"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/label"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// Node is the name of the single node.
const Node = "model"

// Values of tool_choice.
const (
	choiceAuto     = "auto"     // calling no tool is allowed
	choiceRequired = "required" // one tool must be called
)

// Config configures an Agent.
type Config struct {
	Model      *llm.Client // required; node Node
	Prompt     llm.Prompt  // system message; zero: the shipped prompt
	Tools      []Tool      // declared tools with distinct names
	ToolChoice string      // choiceAuto or choiceRequired; "": choiceAuto

	// NoTool is the label if no tool is called; "": such an answer is invalid.
	NoTool string

	Temperature *float64 // nil: the service's
}

// Agent is the tool-calling agent. It holds no conversation state and is safe for concurrent use.
type Agent struct {
	cfg      Config
	declared []llm.Tool
	labels   map[string]string // by tool name
	invalid  string
}

var _ agent.Agent = (*Agent)(nil)

// New validates cfg. Errors name the field.
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
	a := &Agent{cfg: cfg, labels: map[string]string{}}
	if err := checkTools(cfg.Tools); err != nil {
		return nil, fmt.Errorf("toolcaller.Config.Tools: %w", err)
	}
	known := []string{cfg.NoTool}
	for _, t := range cfg.Tools {
		a.declared = append(a.declared, t.wire())
		a.labels[ToolName(t.Label)] = t.Label
		known = append(known, t.Label)
	}
	a.invalid = label.Invalid(known...)
	return a, nil
}

// withModel returns a copy of the agent with another model.
func (a *Agent) withModel(model *llm.Client) *Agent {
	own := *a
	own.cfg.Model = model
	return &own
}

// Respond routes one turn. The content of the reply is the model's text or the call. The last event
// is always KindDone.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	var reply agent.Reply
	err := clock.CatchPanic(Node, func() (err error) {
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
	answer, err := a.cfg.Model.Chat(ctx, llm.Request{
		Messages:    a.messages(t),
		Tools:       a.declared,
		ToolChoice:  a.cfg.ToolChoice,
		Temperature: a.cfg.Temperature,
	})
	if err == nil && len(answer.ToolCalls) == 0 {
		err = a.unanswered(answer)
	}
	switch {
	case llm.KindOf(err).IsInvalidAnswer():
		return a.wrong(ctx, agent.Reply{Content: clip(answer.Content), DecidedBy: "llm"}, answer, llm.KindOf(err),
			err.Error()), nil
	case err != nil:
		trace.EmitNoDecision(ctx, Node, llm.Reason(err), rawAnswer(answer), err)
		return agent.Reply{}, err
	case len(answer.ToolCalls) == 0:
		return a.withoutCall(ctx, answer), nil
	}
	return a.withCall(ctx, answer), nil
}

// unanswered returns the error of an answer without a call that is empty or truncated; otherwise
// nil.
func (a *Agent) unanswered(answer llm.Response) error {
	if err := a.cfg.Model.NoAnswer(answer); err != nil {
		return err
	}
	if answer.IsTruncated() {
		return a.cfg.Model.InvalidAnswerError(answer, llm.KindTruncated,
			errors.New("the answer broke off before a tool was called"))
	}
	return nil
}

// withoutCall returns the label for no tool.
func (a *Agent) withoutCall(ctx context.Context, answer llm.Response) agent.Reply {
	reply := agent.Reply{Content: clip(answer.Content), DecidedBy: "llm"}
	if a.cfg.NoTool == "" {
		return a.wrong(ctx, reply, answer, llm.KindLabel, "no tool is called, and there is no label for that")
	}
	return a.decided(ctx, reply, answer, a.cfg.NoTool, "no tool is called")
}

// withCall returns the label of the first called tool.
func (a *Agent) withCall(ctx context.Context, answer llm.Response) agent.Reply {
	first := answer.ToolCalls[0]
	reply := agent.Reply{Content: clip(callLine(first)), DecidedBy: "llm"}
	if more := answer.ToolCalls[1:]; len(more) > 0 {
		trace.Emit(ctx, trace.Event{Kind: trace.KindIgnoredInput, Node: Node,
			Text: clip("called besides: " + namesOf(more))})
	}
	label, known := a.labels[first.Name]
	if !known {
		return a.wrong(ctx, reply, answer, llm.KindLabel,
			fmt.Sprintf("%.80q is not a tool that was offered", first.Name))
	}
	reply.ToolCalls = []agent.ToolCall{{Name: first.Name, Input: first.Arguments}}
	slots, err := slotsOf(first.Arguments)
	form := trace.Event{Kind: trace.KindFormCheck, Node: Node}
	if err != nil {
		form.Reason, form.Text = string(llm.KindMalformedJSON), clip(err.Error())
	}
	trace.Emit(ctx, form)
	reply.Slots = slots
	why := ""
	if first.Name != label {
		why = "the tool is called " + first.Name
	}
	return a.decided(ctx, reply, answer, label, why)
}

func (a *Agent) decided(ctx context.Context, reply agent.Reply, answer llm.Response, label, why string) agent.Reply {
	reply.Predicted = label
	reply.AnsweredBy = label
	reply.ModelDecision = &agent.ModelDecision{Label: label}
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindRoute,
		Node:   Node,
		To:     label,
		Reason: "llm",
		Text:   why,
		Data:   trace.AnswerData(rawAnswer(answer)),
	})
	return reply
}

// wrong returns a reply with an invalid label, which is not an error.
func (a *Agent) wrong(ctx context.Context, reply agent.Reply, answer llm.Response, kind llm.ErrorKind,
	why string) agent.Reply {
	reply.Predicted = a.invalid
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindRoute,
		Node:   Node,
		To:     a.invalid,
		Reason: string(kind),
		Text:   why,
		Data:   trace.AnswerData(rawAnswer(answer)),
	})
	return reply
}
