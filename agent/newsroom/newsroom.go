// Package newsroom is an agent system that writes social media posts with images. A supervisor
// model chooses which of eight agents works next, until the review agent approves the post. Agents
// can put questions to the user. The work then stops, and resumes with the user's answer, even in
// another process. Work that ends too early is stored after each agent, and resumes, too.
package newsroom

import (
	"cmp"
	"context"
	"errors"
	"io"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/graph"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// Agent is the newsroom as an agent.Agent. Between the turns of a conversation it stores the work
// in Config.Threads. It is safe for concurrent use, but turns of the same session must not overlap.
type Agent struct {
	cfg       Config
	flow      *graph.Graph[work]
	threads   threadAccess
	threadIDs counter
}

var _ agent.Agent = (*Agent)(nil)

// New validates cfg and creates the newsroom. Errors name the invalid field.
func New(cfg Config) (*Agent, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	tools := map[string]map[string]tool{imageAgent: toolset(newImageTool(cfg.ImageGenerator, cfg.ImageGenerators))}
	absent := map[string]string{}
	if cfg.NoSearch {
		absent[researchAgent] = noSearch
	} else {
		tools[researchAgent] = toolset(newSearchTool(cfg.Search))
	}
	var workers []worker
	for _, r := range roles() {
		workers = append(workers, worker{
			role:             r,
			client:           cfg.Agents[r.name],
			prompt:           cfg.Prompts.Agents[r.name],
			tools:            tools[r.name],
			missingToolsNote: absent[r.name],
		})
	}
	flow, err := newFlow(newSupervisor(cfg.Supervisor, cfg.Prompts.Supervisor), workers)
	return &Agent{cfg: cfg, flow: flow,
		threads: threadAccess{threads: cfg.Threads, before: cfg.BeforeThreadAccess}}, err
}

// Respond answers one turn: with the post, with questions to the user, or with an error reply. The
// last event is always a done event. It returns an error only if the context ended or the turn's
// state is invalid.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	w, err := a.runTurn(ctx, t)
	reply := agent.Reply{}
	if w != nil {
		reply = w.reply()
	}
	if err != nil { // a canceled turn has no error reply
		reply.Content, reply.ErrorReply = "", nil
	}
	if err != nil || a.cfg.DecisionOnly && reply.ErrorReply == nil {
		reply.AnsweredBy = ""
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: reply.Content})
	return reply, err
}

// Close closes the storage of conversations. No turn may be running.
func (a *Agent) Close() error {
	if c, ok := a.cfg.Threads.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// runTurn runs a turn. The result is nil if the turn cannot start.
func (a *Agent) runTurn(ctx context.Context, t agent.Turn) (*work, error) {
	w, waiting, err := a.begin(ctx, t)
	if err != nil || w.answeredBy != "" {
		return w, err
	}
	if waiting != nil {
		err = a.flow.Resume(ctx, *waiting, w)
	} else {
		err = a.flow.Run(ctx, w)
	}
	for stop := (*graph.InterruptError)(nil); errors.As(err, &stop); {
		if a.pause(ctx, w, stop.Checkpoint) {
			return w, nil
		}
		w.State = state{} // the checkpoint restores the state before the question
		err = a.flow.Resume(ctx, stop.Checkpoint, w)
	}
	if err != nil {
		return w, err
	}
	if w.isSingleStep {
		w.answeredBy = cmp.Or(w.answeredBy, w.nextNode)
		return w, nil
	}
	a.saveThread(ctx, w)
	return w, nil
}

// pause stores the work and emits the pending questions, so that the next turn can resume. If that
// fails, it drops the questions and returns false, because an answer could not be used.
func (a *Agent) pause(ctx context.Context, w *work, at graph.Checkpoint) bool {
	next := at.Next
	w.recordQuestions(next, w.questions(w.phrases().ask))
	stored, err := w.checkpoint()
	if err == nil {
		at.State = stored.State
		err = a.threads.save(ctx, w.threadKey,
			savedThread{IsWaiting: true, Questions: w.pendingQuestions, Checkpoint: at})
	}
	if err == nil {
		err = w.emitQuestions(ctx, next)
	}
	if err != nil {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindFallback,
			Node:   checkpointNode,
			From:   "question",
			To:     "assumption",
			Reason: llm.TraceReason(err),
		})
		w.pendingQuestions, w.questionsAllowed = nil, false
		return false
	}
	w.answeredBy = servedClarification
	return true
}

// saveThread stores the work for the next turn of the conversation, if the conversation has an ID.
func (a *Agent) saveThread(ctx context.Context, w *work) {
	if !w.hasThreadID {
		return
	}
	w.State.addMessage("assistant", w.content())
	if err := a.save(ctx, w, w.answeredBy == servedExhausted); err != nil && ctx.Err() == nil {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindFallback,
			Node:   checkpointNode,
			From:   checkpointNode,
			To:     "unsaved",
			Reason: llm.TraceReason(err),
		})
	}
}

// saveProgress stores unfinished work, so that the next turn can resume it after a timeout, a
// disconnect or the end of the process. The trace contains a span with the error, if there is one.
func (a *Agent) saveProgress(ctx context.Context, w *work) {
	if w.hasThreadID && !w.isSingleStep {
		_ = a.save(clock.WithoutCancel(ctx), w, true) // the work goes on, and is saved again after the next agent
	}
}

func (a *Agent) save(ctx context.Context, w *work, isUnfinished bool) error {
	at, err := w.checkpoint()
	if err != nil {
		return err
	}
	return a.threads.save(ctx, w.threadKey, savedThread{IsUnfinished: isUnfinished, Checkpoint: at})
}
