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

// agentCall is what a node has said and heard until it is done.
type agentCall struct {
	messages           []llm.Message
	calls              []llm.ToolCall // of the last answer, not executed yet
	executed           int
	assets             texts // pictures that there are
	toolErr            error // of the last call that failed
	spent              time.Duration
	questionsForbidden bool // it was told that it may not ask
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

// timed does a piece of the visit in the time that is left of it.
func (v *agentCall) timed(ctx context.Context, f func(context.Context) error) error {
	limited, cancel := clock.WithTimeout(ctx, VisitTimeout-v.spent)
	defer cancel()
	began := clock.Now(ctx)
	err := f(limited)
	v.spent += clock.Since(ctx, began)
	return err
}

// worker is an agent that can work.
type worker struct {
	role
	client *llm.Client
	prompt llm.Prompt
	tools  map[string]tool
	absent string // tells the agent which tool it has not; "": it has all
}

// noSearch informs the research that it cannot search.
const noSearch = "\n\n你现在没有 search 工具，不能联网查证：只用用户给出的资料写要点，在 summary 里写明没有联网查证，不要编造事实和来源。"

// next is where it goes on.
func (a worker) next(w *work) string {
	switch a.name {
	case researchAgent:
		return shouldContinueResearch(w.visit.pending(), w.visit.made())
	case imageAgent:
		return shouldContinueImage(imagesComplete(w.State.ImagePlans, w.visit.images()), w.visit.pending(), w.visit.made())
	}
	return supervisorNode
}

// run asks the agent once, and takes what it has made. An agent that fails is told
// of, and the work goes on.
func (a worker) run(ctx context.Context, w *work) error {
	err := clock.CatchPanic(a.name, func() error { return a.ask(ctx, w) })
	if stop := (*graph.Interrupted)(nil); err == nil || ctx.Err() != nil || errors.As(err, &stop) {
		return err
	}
	a.fail(ctx, w, err)
	return nil
}

// fail has the supervisor know that there is nothing from the agent.
func (a worker) fail(ctx context.Context, w *work, err error) {
	w.visit = nil
	reason := llm.Reason(err)
	trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: a.name, From: a.name, To: supervisorNode, Reason: reason})
	w.State.note(a.name, "failed："+reason)
	w.failed = reason
}

func (a worker) ask(ctx context.Context, w *work) error {
	if w.visit == nil {
		if err := a.begin(w); err != nil {
			return err
		}
	}
	r := llm.Request{Messages: w.visit.messages, JSON: true}
	if w.visit.executed < mostCalls {
		r.Tools = offered(a.tools)
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
		w.visit.messages = append(w.visit.messages, llm.AssistantToolCalls(answer.Content, answer.ToolCalls))
		return nil
	}
	return a.finish(ctx, w, answer)
}

// begin says what is to be done.
func (a worker) begin(w *work) error {
	system, err := a.prompt.Fill(w.prompting())
	if err != nil {
		return err
	}
	v := &agentCall{messages: []llm.Message{llm.System(system + a.absent)}}
	if a.sees("messages") {
		for _, m := range w.State.conversation() {
			v.messages = append(v.messages, llm.Message{Role: m.Role, Text: m.Content})
		}
	}
	words := llm.User(w.order(a.role))
	if a.name == referenceAgent {
		words.Images = w.State.ReferenceImages
	}
	v.messages = append(v.messages, words)
	if a.name == imageAgent && !imagesComplete(w.State.ImagePlans, w.State.GeneratedImageAssetIDs) {
		v.assets = overlaid(w.State.ImagePlans, w.State.GeneratedImageAssetIDs, nil) // those that are there stay
	}
	w.visit = v
	return nil
}

// finish reads the answer: the agent has made something, or it asks the user.
func (a worker) finish(ctx context.Context, w *work, answer llm.Response) error {
	made, asked, notExact, err := a.read(ctx, answer.Content)
	switch v := w.visit; {
	case a.name == imageAgent && len(v.assets) > 0:
		for _, q := range asked {
			unasked(ctx, a.name, q, "pictures_made")
		}
		return a.deliver(ctx, w, artefacts{"generatedImageAssetIds": v.assets})
	case a.name == imageAgent && v.toolErr != nil:
		return v.toolErr
	}
	if err := a.client.NoAnswer(answer); err != nil {
		formed(ctx, a.name, llm.Reason(err), err.Error())
		return err
	}
	fresh := w.askable(ctx, a.name, asked)
	switch {
	case err != nil && len(fresh) > 0:
		w.visit = nil
		return w.stop(fresh)
	case err != nil && len(asked) > 0 && !w.visit.questionsForbidden:
		w.press(answer)
		return a.ask(ctx, w)
	case err != nil:
		return a.unusable(ctx, answer, kindOf(err), err)
	}
	formed(ctx, a.name, notExact, "")
	if err := a.deliver(ctx, w, made); err != nil || len(fresh) == 0 {
		return err
	}
	if w.served == end {
		for _, q := range fresh {
			unasked(ctx, a.name, q, "approved")
		}
		return nil
	}
	return w.stop(fresh) // what is made stays, and the answer may mend it
}

// unusable is the error of an answer that nothing can be made of.
func (a worker) unusable(ctx context.Context, answer llm.Response, kind llm.ErrorKind, err error) error {
	err = a.client.InvalidAnswerError(answer, kind, err)
	formed(ctx, a.name, llm.Reason(err), err.Error())
	return err
}

// deliver puts what the agent has made where it belongs.
func (a worker) deliver(ctx context.Context, w *work, made artefacts) error {
	before := w.State
	if err := w.State.take(a.name, a.writes, made); err != nil {
		return err
	}
	w.State.settle(a.name, before)
	w.visit = nil
	w.State.note(a.name, done)
	if a.name == reviewAgent {
		w.reviewed(ctx)
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindThoughtLog, Node: a.name, Text: a.headline})
	return nil
}

// formed notes whether a node's answer is in the exact form, reason "", and why not.
func formed(ctx context.Context, node, reason, detail string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindFormCheck, Node: node, Reason: reason, Text: shortened(detail, 200)})
}

// tooManyCalls is why calls of tools are not executed.
const tooManyCalls = "too_many_calls"

// execute runs the calls of the last answer, as many as a visit may have.
func (a worker) execute(ctx context.Context, w *work) error {
	v, left := w.visit, 0
	for _, call := range v.calls {
		if v.executed == mostCalls {
			left++
			v.messages = append(v.messages, llm.ToolResult(call, "超过了一次任务里调用工具的次数上限，没有执行。"))
			continue
		}
		v.executed++
		result, err := a.call(ctx, w, call)
		if err != nil {
			return err
		}
		v.messages = append(v.messages, llm.ToolResult(call, result))
		w.calls = append(w.calls, agent.ToolCall{Name: shortened(call.Name, 100), Input: shortened(call.Arguments, 2000), Output: shortened(result, 2000)})
	}
	if v.calls = nil; left > 0 {
		trace.Emit(ctx, trace.Event{Kind: trace.KindIgnoredInput, Node: a.name, From: "tool_calls", Text: fmt.Sprint(left), Reason: tooManyCalls})
	}
	if a.name == imageAgent && imagesComplete(w.State.ImagePlans, v.assets) {
		return a.deliver(ctx, w, artefacts{"generatedImageAssetIds": v.assets})
	}
	return nil
}

// call runs one call; what goes wrong is the model's to know, but for a context
// that has ended.
func (a worker) call(ctx context.Context, w *work, call llm.ToolCall) (string, error) {
	t, known := a.tools[call.Name]
	if !known {
		return "没有这个工具：" + shortened(call.Name, 100), nil
	}
	var result string
	run := func(ctx context.Context) error {
		return clock.CatchPanic(call.Name, func() (err error) {
			result, err = t.run(ctx, w, call.Arguments)
			return err
		})
	}
	var err error
	if call.Name == paintTool { // has a limit of its own
		err = run(ctx)
	} else {
		err = w.visit.timed(ctx, run)
	}
	if err != nil && ctx.Err() != nil {
		return "", err
	}
	if err != nil {
		w.visit.toolErr = err
		return "工具出错：" + shortened(err.Error(), 200), nil
	}
	return result, nil
}
