package newsroom

import (
	"cmp"
	"context"
	"errors"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// supervisor calls the model that decides which agent works next.
type supervisor struct {
	client   *llm.Client
	prompt   llm.Prompt
	executor worker // executes the supervisor's tool calls
}

func newSupervisor(c *llm.Client, prompt llm.Prompt) supervisor {
	return supervisor{client: c, prompt: prompt,
		executor: worker{role: role{name: supervisorNode}, tools: toolset(newReadTool())}}
}

// run calls the supervisor's model once. After a failed call there is no decision.
func (p supervisor) run(ctx context.Context, w *work) error {
	w.decision, w.failReason = decision{}, ""
	if w.isOver() {
		return nil
	}
	err := clock.CatchPanic(supervisorNode, func() error { return p.ask(ctx, w) })
	if err != nil && ctx.Err() != nil {
		return err
	}
	w.countFailure(err)
	if err != nil {
		w.visit, w.failReason = nil, cmp.Or(w.failReason, llm.TraceReason(err))
	}
	return nil
}

// isOver reports whether the limit of decisions is reached, so that the supervisor is not called
// again. The first decision for a request always requires a call.
func (w *work) isOver() bool {
	return w.visit == nil && (len(w.steps) > 0 || w.isResumed) && w.State.IterationCount >= w.rules.limit(&w.State)
}

func (p supervisor) ask(ctx context.Context, w *work) error {
	if w.visit == nil {
		if err := p.begin(w); err != nil {
			return err
		}
	}
	r := llm.Request{Messages: w.visit.messages, Temperature: new(0.2)}
	if w.visit.executed < maxCalls {
		r.Tools = toolList(p.executor.tools)
	}
	var d decision
	var answer llm.Response
	err := w.visit.timed(ctx, func(ctx context.Context) (err error) {
		d, answer, err = llm.ChatJSON(ctx, p.client, r, decisionForm, (*decision).shorten)
		return err
	})
	w.visit.calls = answer.ToolCalls
	// text in an answer with tool calls is not a decision
	if shouldContinueSupervisor(w.visit.pending(), w.visit.executed) == supervisorTools {
		w.visit.messages = append(w.visit.messages, llm.ToolCallMessage(answer.Content, answer.ToolCalls))
		return nil
	}
	w.visit = nil
	if err == nil && d.NextAgent == "" {
		w.failReason, err = noDecision,
			p.client.InvalidAnswerError(answer, llm.KindWrongSchema, errors.New("the answer names no agent"))
	}
	if err != nil {
		w.failReason = cmp.Or(w.failReason, llm.TraceReason(err))
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindNoDecision,
			Node:   supervisorNode,
			Reason: w.failReason,
			Text:   clipRunes(err.Error(), 200),
			Data:   trace.RawAnswerData(answer.TextOrReasoning()),
		})
		if kind := llm.KindOf(err); kind.IsInvalidAnswer() || kind == llm.KindEmptyContent {
			traceFormat(ctx, supervisorNode, llm.TraceReason(err), err.Error())
		}
		return err
	}
	traceFormat(ctx, supervisorNode, answer.FirstCorrection(), "")
	w.decision = d
	w.State.addLogEntry(supervisorNode, d.String())
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindRoute,
		Node:   supervisorNode,
		To:     d.NextAgent,
		Reason: byLLM,
		Text:   clipRunes(string(d.Guidance), 200),
		Data:   trace.RawAnswerData(answer.TextOrReasoning()),
	})
	return nil
}

// begin creates the messages for the supervisor's model, with the status of the work.
func (p supervisor) begin(w *work) error {
	system, err := p.prompt.Fill(w.promptData())
	if err != nil {
		return err
	}
	v := &agentCall{messages: []llm.Message{llm.SystemMessage(system)}}
	for _, m := range w.State.conversation() {
		v.messages = append(v.messages, llm.Message{Role: m.Role, Text: m.Content})
	}
	v.messages = append(v.messages, llm.UserMessage(w.rules.status(&w.State, w.requestText())))
	w.visit = v
	return nil
}

// route is the node that applies the supervisor's decision and counts it.
func (w *work) route(ctx context.Context) error {
	if w.failReason == "" && w.decision.NextAgent == "" { // the supervisor was not called
		w.nextNode = end
		w.addStep("", end, byLimit, maxIterations)
		w.endAtLimit(ctx)
		return nil
	}
	at := w.rules.routeFromSupervisor(&w.State, w.decision.NextAgent)
	if w.isSupervisorDown() && !w.isSingleStep {
		at = route{to: end, by: byLimit}
	}
	if w.State.IterationCount < w.rules.limit(&w.State) {
		w.State.IterationCount++
	}
	if w.decision.NextAgent == "" { // the reason is recorded even if the limit is reached
		at.reason = cmp.Or(w.failReason, noDecision)
	}
	w.recordFirstDecision(at)
	for _, c := range at.corrections {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindCorrection,
			Node:   routeNode,
			From:   c.from,
			To:     c.to,
			Reason: c.reason,
		})
	}
	w.nextNode = at.to
	taken := at.to
	switch at.to {
	case end:
		w.answeredBy = end
		if at.by == byLimit {
			w.endAtLimit(ctx)
		}
	case supervisorNode:
		taken = ""
	}
	w.addStep(w.decision.NextAgent, taken, at.by, at.reason)
	if at.reason != "" {
		w.State.addLogEntry(routeNode, w.correctionNote(at))
	}
	return nil
}

// recordFirstDecision records the first decision of the turn, which is scored. A failed call is not
// a decision. A complete answer without a known agent is an invalid decision.
func (w *work) recordFirstDecision(at route) {
	switch {
	case w.first.predicted != "":
	case w.decision.NextAgent != "" && at.reason != unknownAgent:
		w.first = firstDecision{predicted: w.decision.NextAgent, source: at.by}
	case w.decision.NextAgent != "" || w.failReason == noDecision || llm.ErrorKind(w.failReason).IsInvalidAnswer():
		w.first = firstDecision{predicted: invalid, source: byLLM}
	default:
		w.first.reason = cmp.Or(w.first.reason, w.failReason)
	}
}

// invalid is the predicted label of a complete answer that names no known agent.
const invalid = "invalid"

// correctionNote returns the log entry that explains to the supervisor why its decision was not
// followed.
func (w *work) correctionNote(at route) string {
	proposed := cmp.Or(clipRunes(w.decision.NextAgent, 60), "（没有决策）")
	if why := correctionNotes[at.reason]; why != "" {
		return proposed + " → " + at.to + "（" + at.reason + "：" + why + "）"
	}
	return proposed + " → " + at.to + "（" + at.reason + "）"
}

var correctionNotes = map[string]string{
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

// endAtLimit ends the work because the limit of decisions is reached. Unless a review has approved
// the post, the reply reports that the work is exhausted.
func (w *work) endAtLimit(ctx context.Context) {
	if w.answeredBy = end; w.State.isApproved(w.rules.threshold) {
		return
	}
	w.answeredBy = servedExhausted
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindCriticLoop,
		Node:   supervisorNode,
		From:   supervisorNode,
		To:     end,
		Reason: trace.ReasonMaxRounds,
	})
}
