package newsroom

import (
	"context"
	"errors"
	"fmt"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/graph"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// agentCall is the dialog of an agent or the supervisor with its model, from the task to the final
// answer.
type agentCall struct {
	messages           []llm.Message
	calls              []llm.ToolCall // tool calls of the last answer that are not executed yet
	executed           int
	painted            int   // images that were generated
	refused            int   // calls for plans that have an image, which do not count as executed
	assets             texts // asset IDs of the images that exist so far
	toolErr            error // error of the last tool call that failed
	spent              time.Duration
	questionsForbidden bool // the model was informed that questions are not allowed
}

func (v *agentCall) pending() int {
	if v == nil {
		return 0
	}
	return len(v.calls)
}

func (v *agentCall) made() int {
	if v == nil {
		return 0
	}
	return v.executed
}

func (v *agentCall) images() texts {
	if v == nil {
		return nil
	}
	return v.assets
}

// timed runs f with the time that remains of AgentTimeout.
func (v *agentCall) timed(ctx context.Context, f func(context.Context) error) error {
	limited, cancel := clock.WithTimeout(ctx, AgentTimeout-v.spent)
	defer cancel()
	began := clock.Now(ctx)
	err := f(limited)
	v.spent += clock.Since(ctx, began)
	return err
}

// worker runs one of the eight agents: its model, prompt and tools.
type worker struct {
	role
	client           *llm.Client
	prompt           llm.Prompt
	tools            map[string]tool
	missingToolsNote string // addition to the prompt about unavailable tools; "": all tools are available
}

// noSearch is the addition to the research agent's prompt if web search is unavailable.
const noSearch = "\n\n你现在没有 search 工具，不能联网查证：只用用户给出的资料写要点，在 summary 里写明没有联网查证，不要编造事实和来源。"

// next returns the node after an answer of the agent's model.
func (a worker) next(w *work) string {
	switch a.name {
	case researchAgent:
		return shouldContinueResearch(w.visit.pending(), w.visit.made())
	case imageAgent:
		return shouldContinueImage(imagesComplete(w.State.ImagePlans, w.visit.images()), w.visit.pending(),
			w.visit.made())
	}
	return supervisorNode
}

// run calls the agent's model once and stores its result. If the call fails, the failure is traced
// and the supervisor continues.
func (a worker) run(ctx context.Context, w *work) error {
	err := clock.CatchPanic(a.name, func() error { return a.ask(ctx, w) })
	if stop := (*graph.InterruptError)(nil); err == nil || ctx.Err() != nil || errors.As(err, &stop) {
		return err
	}
	a.recordFailure(ctx, w, err)
	return nil
}

// recordFailure discards the agent's dialog, and logs the failure for the supervisor.
func (a worker) recordFailure(ctx context.Context, w *work, err error) {
	w.visit = nil
	reason := llm.TraceReason(err)
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindFallback,
		Node:   a.name,
		From:   a.name,
		To:     supervisorNode,
		Reason: reason,
	})
	w.State.addLogEntry(a.name, "failed："+reason)
	w.failReason = reason
}

func (a worker) ask(ctx context.Context, w *work) error {
	if w.visit == nil {
		if err := a.begin(w); err != nil {
			return err
		}
	}
	r := llm.Request{Messages: w.visit.messages, JSON: true}
	if w.visit.executed < maxCalls {
		r.Tools = toolList(a.tools)
	}
	var answer llm.Response
	err := w.visit.timed(ctx, func(ctx context.Context) (err error) {
		answer, err = a.client.Chat(ctx, r)
		return err
	})
	if err != nil {
		return err
	}
	w.visit.calls = answer.ToolCalls
	if len(a.tools) > 0 && w.visit.pending() > 0 && a.next(w) != supervisorNode {
		w.visit.messages = append(w.visit.messages, llm.ToolCallMessage(answer.Content, answer.ToolCalls))
		return nil
	}
	return a.finish(ctx, w, answer)
}

// begin creates the messages for the agent's model, with its task.
func (a worker) begin(w *work) error {
	system, err := a.prompt.Fill(w.promptData())
	if err != nil {
		return err
	}
	v := &agentCall{messages: []llm.Message{llm.SystemMessage(system + a.missingToolsNote)}}
	if a.canRead("messages") {
		for _, m := range w.State.conversation() {
			v.messages = append(v.messages, llm.Message{Role: m.Role, Text: m.Content})
		}
	}
	words := llm.UserMessage(w.taskText(a.role))
	if a.name == referenceAgent {
		words.Images = w.State.ReferenceImages
	}
	v.messages = append(v.messages, words)
	if a.name == imageAgent { // existing images are not generated again
		v.assets = mergeAssets(w.State.ImagePlans, w.State.GeneratedImageAssetIDs, nil)
	}
	w.visit = v
	return nil
}

// finish parses the final answer of the agent's model. It stores the artifact, or interrupts the
// work with questions to the user.
func (a worker) finish(ctx context.Context, w *work, answer llm.Response) error {
	results, questions, notExact, err := a.parseAnswer(ctx, answer.Content)
	switch v := w.visit; {
	case a.name == imageAgent && len(v.assets) > 0:
		for _, q := range questions {
			traceDroppedQuestion(ctx, a.name, q, "pictures_made")
		}
		return a.deliver(ctx, w, artifacts{"generatedImageAssetIds": v.assets})
	case a.name == imageAgent && v.toolErr != nil:
		return v.toolErr
	}
	if err := a.client.CheckAnswer(answer); err != nil {
		traceFormat(ctx, a.name, llm.TraceReason(err), err.Error())
		return err
	}
	allowed := w.allowedQuestions(ctx, a.name, questions)
	switch {
	case err != nil && len(allowed) > 0:
		w.visit = nil
		return w.interrupt(allowed)
	case err != nil && len(questions) > 0 && !w.visit.questionsForbidden:
		w.forbidQuestions(answer)
		return a.ask(ctx, w)
	case err != nil:
		return a.unusable(ctx, answer, errorKind(err), err)
	}
	traceFormat(ctx, a.name, notExact, "")
	if err := a.deliver(ctx, w, results); err != nil || len(allowed) == 0 {
		return err
	}
	if w.answeredBy == end {
		for _, q := range allowed {
			traceDroppedQuestion(ctx, a.name, q, "approved")
		}
		return nil
	}
	return w.interrupt(allowed) // the artifact is stored; the user's answer may lead to changes
}

// imagesKeptNote informs the supervisor that the image agent has generated no image.
const imagesKeptNote = "（方案没有变，已有的图没有重画；要重画，先修改 imagePlans）"

// unusable returns the error for an invalid answer and traces it.
func (a worker) unusable(ctx context.Context, answer llm.Response, kind llm.ErrorKind, err error) error {
	err = a.client.InvalidAnswerError(answer, kind, err)
	traceFormat(ctx, a.name, llm.TraceReason(err), err.Error())
	return err
}

// deliver stores the agent's results in the state, and ends its dialog.
func (a worker) deliver(ctx context.Context, w *work, results artifacts) error {
	before := w.State
	if err := w.State.storeResults(a.name, a.writes, results); err != nil {
		return err
	}
	w.State.dropOutdated(a.name, before)
	if a.name == imageAgent && w.visit.painted == 0 {
		w.State.addLogEntry(a.name, outcomeDone+imagesKeptNote)
	} else {
		w.State.addLogEntry(a.name, outcomeDone)
	}
	w.visit = nil
	if a.name == reviewAgent {
		w.emitReview(ctx)
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindThoughtLog, Node: a.name, Text: w.localize(a.headline)})
	return nil
}

// traceFormat traces whether an answer has exactly the requested format (reason is "") or why it
// does not.
func traceFormat(ctx context.Context, node, reason, detail string) {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindFormCheck,
		Node:   node,
		Reason: reason,
		Text:   clipRunes(detail, 200),
	})
}

// tooManyCalls is the trace reason for tool calls that are not executed because of maxCalls.
const tooManyCalls = "too_many_calls"

// execute runs the tool calls of the last answer, at most maxCalls per dialog.
func (a worker) execute(ctx context.Context, w *work) error {
	v, notExecuted := w.visit, 0
	for _, call := range v.calls {
		if v.executed == maxCalls {
			notExecuted++
			v.messages = append(v.messages, llm.ToolResultMessage(call, "超过了一次任务里调用工具的次数上限，没有执行。"))
			continue
		}
		v.executed++
		result, err := a.call(ctx, w, call)
		if err != nil {
			return err
		}
		v.messages = append(v.messages, llm.ToolResultMessage(call, result))
		w.calls = append(w.calls,
			agent.ToolCall{Name: clipRunes(call.Name, 100), Input: clipRunes(call.Arguments, 2000),
				Output: clipRunes(result, 2000)})
	}
	if v.calls = nil; notExecuted > 0 {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindIgnoredInput,
			Node:   a.name,
			From:   "tool_calls",
			Text:   fmt.Sprint(notExecuted),
			Reason: tooManyCalls,
		})
	}
	if a.name == imageAgent && imagesComplete(w.State.ImagePlans, v.assets) {
		return a.deliver(ctx, w, artifacts{"generatedImageAssetIds": v.assets})
	}
	return nil
}

// call runs one tool call. Its error becomes the output that the model sees, unless the context has
// ended.
func (a worker) call(ctx context.Context, w *work, call llm.ToolCall) (string, error) {
	t, known := a.tools[call.Name]
	if !known {
		return "没有这个工具：" + clipRunes(call.Name, 100), nil
	}
	var result string
	run := func(ctx context.Context) error {
		return clock.CatchPanic(call.Name, func() (err error) {
			result, err = t.run(ctx, w, call.Arguments)
			return err
		})
	}
	var err error
	if call.Name == paintTool { // image generation has its own time limit
		err = run(ctx)
	} else {
		err = w.visit.timed(ctx, run)
	}
	if err != nil && ctx.Err() != nil {
		return "", err
	}
	if err != nil {
		w.visit.toolErr = err
		return "工具出错：" + clipRunes(err.Error(), 200), nil
	}
	return result, nil
}
