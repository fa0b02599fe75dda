package newsroom

import (
	"cmp"
	"context"
	"errors"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// supervisor decides who is next.
type supervisor struct {
	client *llm.Client
	prompt llm.Prompt
	hands  worker // execute its calls
}

func newSupervisor(c *llm.Client, prompt llm.Prompt) supervisor {
	return supervisor{client: c, prompt: prompt, hands: worker{role: role{name: supervisorNode}, tools: toolset(read())}}
}

// run asks the supervisor once. A call that fails is a decision that was not made.
func (p supervisor) run(ctx context.Context, w *work) error {
	w.decision, w.failed = decision{}, ""
	if w.isOver() {
		return nil
	}
	err := clock.CatchPanic(supervisorNode, func() error { return p.ask(ctx, w) })
	if err != nil && ctx.Err() != nil {
		return err
	}
	if err != nil {
		w.visit, w.failed = nil, cmp.Or(w.failed, llm.Reason(err))
	}
	return nil
}

// isOver tells whether the supervisor need not be asked again: the limit is
// reached. The first decision of an episode is always asked for.
func (w *work) isOver() bool {
	return w.visit == nil && (len(w.steps) > 0 || w.resumed) && w.State.IterationCount >= w.rules.limit(&w.State)
}

func (p supervisor) ask(ctx context.Context, w *work) error {
	if w.visit == nil {
		if err := p.begin(w); err != nil {
			return err
		}
	}
	r := llm.Request{Messages: w.visit.messages, Temperature: new(0.2)}
	if w.visit.executed < mostCalls {
		r.Tools = offered(p.hands.tools)
	}
	var d decision
	var answer llm.Response
	err := w.visit.timed(ctx, func(ctx context.Context) (err error) {
		d, answer, err = llm.JSON(ctx, p.client, r, decisionForm, (*decision).shorten)
		return err
	})
	w.visit.calls = answer.ToolCalls
	if shouldContinueSupervisor(w.visit.pending(), w.visit.executed) == supervisorTools { // what it says besides is no decision yet
		w.visit.messages = append(w.visit.messages, llm.AssistantToolCalls(answer.Content, answer.ToolCalls))
		return nil
	}
	w.visit = nil
	if err == nil && d.NextAgent == "" {
		w.failed, err = noDecision, p.client.InvalidAnswerError(answer, llm.KindSchema, errors.New("the answer names no agent"))
	}
	if err != nil {
		w.failed = cmp.Or(w.failed, llm.Reason(err))
		trace.Emit(ctx, trace.Event{Kind: trace.KindNoDecision, Node: supervisorNode, Reason: w.failed, Text: shortened(err.Error(), 200),
			Data: trace.AnswerData(answer.Text())})
		if kind := llm.KindOf(err); kind.IsInvalidAnswer() || kind == llm.KindEmptyContent {
			formed(ctx, supervisorNode, llm.Reason(err), err.Error())
		}
		return err
	}
	formed(ctx, supervisorNode, answer.NotExact(), "")
	w.decision = d
	w.State.note(supervisorNode, d.String())
	trace.Emit(ctx, trace.Event{Kind: trace.KindRoute, Node: supervisorNode, To: d.NextAgent, Reason: byLLM,
		Text: shortened(string(d.Guidance), 200), Data: trace.AnswerData(answer.Text())})
	return nil
}

// begin shows the supervisor how far the work is.
func (p supervisor) begin(w *work) error {
	system, err := p.prompt.Fill(w.prompting())
	if err != nil {
		return err
	}
	v := &agentCall{messages: []llm.Message{llm.System(system)}}
	for _, m := range w.State.conversation() {
		v.messages = append(v.messages, llm.Message{Role: m.Role, Text: m.Content})
	}
	v.messages = append(v.messages, llm.User(w.rules.status(&w.State, w.wish())))
	w.visit = v
	return nil
}

// route takes the decision, and counts it.
func (w *work) route(ctx context.Context) error {
	if w.failed == "" && w.decision.NextAgent == "" { // nobody was asked
		w.to = end
		w.step("", end, byLimit, maxIterations)
		w.endAtLimit(ctx)
		return nil
	}
	at := w.rules.routeFromSupervisor(&w.State, w.decision.NextAgent)
	if w.State.IterationCount < w.rules.limit(&w.State) {
		w.State.IterationCount++
	}
	if w.decision.NextAgent == "" { // also at the limit
		at.reason = cmp.Or(w.failed, noDecision)
	}
	w.remember(at)
	for _, c := range at.corrections {
		trace.Emit(ctx, trace.Event{Kind: trace.KindCorrection, Node: routeNode, From: c.from, To: c.to, Reason: c.reason})
	}
	w.to = at.to
	taken := at.to
	switch at.to {
	case end:
		w.served = end
		if at.by == byLimit {
			w.endAtLimit(ctx)
		}
	case supervisorNode:
		taken = ""
	}
	w.step(w.decision.NextAgent, taken, at.by, at.reason)
	if at.reason != "" {
		w.State.note(routeNode, w.refusal(at))
	}
	return nil
}

// remember keeps the first decision of the turn: of a call that failed there is
// none, and a whole answer that names nobody is a wrong one.
func (w *work) remember(at route) {
	switch {
	case w.first.predicted != "":
	case w.decision.NextAgent != "" && at.reason != unknownAgent:
		w.first = first{predicted: w.decision.NextAgent, source: at.by}
	case w.decision.NextAgent != "" || w.failed == noDecision || llm.ErrorKind(w.failed).IsInvalidAnswer():
		w.first = first{predicted: invalid, source: byLLM}
	default:
		w.first.reason = cmp.Or(w.first.reason, w.failed)
	}
}

// invalid is predicted where a whole answer names no agent.
const invalid = "invalid"

// refusal is what the supervisor is told of a decision that was not taken.
func (w *work) refusal(at route) string {
	asked := cmp.Or(shortened(w.decision.NextAgent, 60), "（没有决策）")
	if why := refusals[at.reason]; why != "" {
		return asked + " → " + at.to + "（" + at.reason + "：" + why + "）"
	}
	return asked + " → " + at.to + "（" + at.reason + "）"
}

var refusals = map[string]string{
	unknownAgent:        "没有这个 agent",
	noDecision:          "回答里没有 next_agent",
	endRefused:          "有正文、审核通过并且每项质量分数都及格之后才能结束",
	"needs_brief":       "写作之前要先有创意简报",
	"needs_content":     "审核之前要先有正文",
	"needs_image_plans": "出图之前要先有配图方案",
	"malformed_json":    "回答不是 json",
	"wrong_schema":      "回答里没有 next_agent",
	"empty_content":     "回答是空的",
}

// endAtLimit ends the work at the limit: as exhausted, unless the review has let the
// piece go.
func (w *work) endAtLimit(ctx context.Context) {
	if w.served = end; w.State.isApproved(w.rules.threshold) {
		return
	}
	w.served = servedExhausted
	trace.Emit(ctx, trace.Event{Kind: trace.KindLoop, Node: supervisorNode, From: supervisorNode, To: end, Reason: trace.Exhausted})
}
