// Package newsroom is an agent system that writes social media posts with images. A supervisor
// chooses the next of eight agents until the review approves the piece. Agents may ask the user:
// the work stops and resumes with the answer, in the same process or another.
package newsroom

import (
	"cmp"
	"context"
	"errors"
	"io"

	"evalctl/agent"
	"evalctl/agent/graph"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// Agent is the newsroom. It stores the work in Threads between the turns of a conversation. It is
// safe for concurrent use; turns of the same session must not overlap.
type Agent struct {
	cfg       Config
	flow      *graph.Graph[work]
	threads   threadAccess
	threadIDs counter
}

var _ agent.Agent = (*Agent)(nil)

// New checks cfg; errors name the field.
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
	return &Agent{cfg: cfg, flow: flow, threads: threadAccess{threads: cfg.Threads, before: cfg.Before}}, err
}

// Respond answers one turn with the piece, with questions, or with a list of what is missing. The
// last event is always the done event. It returns an error only if the context ended or the state
// is invalid.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	w, err := a.runTurn(ctx, t)
	reply := agent.Reply{}
	if w != nil {
		reply = w.reply()
	}
	if err != nil { // no error reply after a canceled turn
		reply.Content, reply.ErrorReply = "", nil
	}
	if err != nil || a.cfg.DecisionOnly && reply.ErrorReply == nil {
		reply.AnsweredBy = ""
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: reply.Content})
	return reply, err
}

// Close closes the thread store. No turn may be running.
func (a *Agent) Close() error {
	if c, ok := a.cfg.Threads.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// runTurn runs a turn; nil if it cannot start.
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
	for stop := (*graph.Interrupted)(nil); errors.As(err, &stop); {
		if a.pause(ctx, w, stop.Checkpoint) {
			return w, nil
		}
		w.State = state{} // the state before the question
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

// pause asks the user and stores the work until the answer arrives. If storing fails, the question
// is dropped and the work continues, because the answer could not be used.
func (a *Agent) pause(ctx context.Context, w *work, at graph.Checkpoint) bool {
	next := at.Next
	w.recordQuestions(next, w.questions(w.phrases().ask))
	stored, err := w.checkpoint()
	if err == nil {
		at.State = stored.State
		err = a.threads.save(ctx, w.State.ThreadID,
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
			Reason: llm.Reason(err),
		})
		w.pendingQuestions, w.questionsAllowed = nil, false
		return false
	}
	w.answeredBy = servedClarification
	return true
}

// saveThread stores the work for the next turn of the conversation.
func (a *Agent) saveThread(ctx context.Context, w *work) {
	if !w.hasThreadID {
		return
	}
	w.State.addMessage("assistant", w.content())
	at, err := w.checkpoint()
	if err == nil {
		err = a.threads.save(ctx, w.State.ThreadID, savedThread{Checkpoint: at})
	}
	if err != nil && ctx.Err() == nil {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindFallback,
			Node:   checkpointNode,
			From:   checkpointNode,
			To:     "unsaved",
			Reason: llm.Reason(err),
		})
	}
}
