// Package newsroom writes pieces for social platforms with pictures: a supervisor
// names the next of eight agents until the review lets the piece go. Agents may ask
// the user; then the work stops, and goes on with the answer, also in another
// process.
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

// Agent is the newsroom. Between the turns of a conversation it keeps the work in
// Threads. It is safe for concurrent use; a session's turns are to come one after
// the other.
type Agent struct {
	cfg  Config
	flow *graph.Graph[work]
	desk desk
	made counter
}

var _ agent.Agent = (*Agent)(nil)

// New checks cfg; errors name the field.
func New(cfg Config) (*Agent, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	tools := map[string]map[string]tool{imageAgent: toolset(paint(cfg.ImageGenerator, cfg.ImageGenerators))}
	absent := map[string]string{}
	if cfg.NoSearch {
		absent[researchAgent] = noSearch
	} else {
		tools[researchAgent] = toolset(seek(cfg.Search))
	}
	var workers []worker
	for _, r := range roles() {
		workers = append(workers, worker{role: r, client: cfg.Agents[r.name], prompt: cfg.Prompts.Agents[r.name], tools: tools[r.name], absent: absent[r.name]})
	}
	flow, err := newFlow(newSupervisor(cfg.Supervisor, cfg.Prompts.Supervisor), workers)
	return &Agent{cfg: cfg, flow: flow, desk: desk{threads: cfg.Threads, before: cfg.Before}}, err
}

// Respond answers one turn: with the piece, with questions, or with what is missing.
// The last event is the one done, on every path. The error is of a context that has
// ended, or of a state that cannot be read.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	w, err := a.play(ctx, t)
	reply := agent.Reply{}
	if w != nil {
		reply = w.reply()
	}
	if err != nil { // nobody waits for an apology
		reply.Content, reply.ErrorReply = "", nil
	}
	if err != nil || a.cfg.DecisionOnly && reply.ErrorReply == nil {
		reply.AnsweredBy = ""
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: reply.Content})
	return reply, err
}

// Close closes the file of its threads, when no turn is being answered.
func (a *Agent) Close() error {
	if c, ok := a.cfg.Threads.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// play does the work of a turn; nil where it cannot begin.
func (a *Agent) play(ctx context.Context, t agent.Turn) (*work, error) {
	w, waiting, err := a.begin(ctx, t)
	if err != nil || w.served != "" {
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
		w.State = state{} // as it was before the question
		err = a.flow.Resume(ctx, stop.Checkpoint, w)
	}
	if err != nil {
		return w, err
	}
	if w.single {
		w.served = cmp.Or(w.served, w.to)
		return w, nil
	}
	a.keep(ctx, w)
	return w, nil
}

// pause asks, and keeps the work until the user has answered. Of work that cannot be
// kept nothing is asked, and it goes on: nobody could take the answer.
func (a *Agent) pause(ctx context.Context, w *work, at graph.Checkpoint) bool {
	next := at.Next
	w.ask(next, w.questions(w.phrases().ask))
	kept, err := w.checkpoint()
	if err == nil {
		at.State = kept.State
		err = a.desk.save(ctx, w.State.ThreadID, saved{Waits: true, Questions: w.asked, Checkpoint: at})
	}
	if err == nil {
		err = w.tellQuestions(ctx, next)
	}
	if err != nil {
		trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: checkpointNode, From: "question", To: "assumption", Reason: llm.Reason(err)})
		w.asked, w.mayAsk = nil, false
		return false
	}
	w.served = servedClarification
	return true
}

// keep has the next turn of the conversation go on from here.
func (a *Agent) keep(ctx context.Context, w *work) {
	if !w.known {
		return
	}
	w.State.say("assistant", w.content())
	at, err := w.checkpoint()
	if err == nil {
		err = a.desk.save(ctx, w.State.ThreadID, saved{Checkpoint: at})
	}
	if err != nil && ctx.Err() == nil {
		trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: checkpointNode, From: checkpointNode, To: "unsaved", Reason: llm.Reason(err)})
	}
}
