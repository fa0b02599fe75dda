package newsroom

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/graph"
	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/agent/trace"
)

// counter tells apart the threads of turns that have no session.
type counter struct{ n atomic.Int64 }

// singleStep is the option of a turn that asks for one decision on its state.
const singleStep = "single_step"

// begin makes the work of a turn: new, from what the conversation has come to, or
// from where an agent has asked, which is waiting then.
func (a *Agent) begin(ctx context.Context, t agent.Turn) (w *work, waiting *graph.Checkpoint, err error) {
	w = &work{request: strings.TrimSpace(t.Text), rounds: a.cfg.Rounds, mayAsk: !a.cfg.DisableClarification,
		rules: rules{threshold: a.cfg.QualityThreshold, iterations: a.cfg.Iterations}}
	w.single = a.cfg.DecisionOnly || isOn(t.Options[singleStep])
	id := a.thread(ctx, t, w)
	before, found := saved{}, false
	if w.known && (!w.single || a.cfg.DecisionOnly) {
		before, found = a.recall(ctx, id, w)
	}
	switch {
	case !found:
		for _, m := range t.History {
			w.State.say(m.Role, m.Content)
		}
	case !before.Waits: // a new episode: what was approved is the last one
		w.State.IterationCount, w.State.ClarificationRounds = 0, 0
		w.State.ReviewFeedback, w.State.QualityScores = nil, nil
	}
	if err := w.State.accept(t.State); err != nil {
		return nil, nil, err
	}
	if w.request == "" {
		return w, nil, w.answerNothing(ctx, id, before)
	}
	w.join(id, t)
	if !before.Waits {
		return w, nil, nil
	}
	w.resumed = true
	w.request, w.answers = w.State.request()
	before.Checkpoint.State, err = json.Marshal(w)
	w.State = state{}
	return w, &before.Checkpoint, err
}

// answerNothing is for a turn without a word: the question that waits is asked once
// more, else the user is told what may be said.
func (w *work) answerNothing(ctx context.Context, id string, before saved) error {
	if w.served = servedFailed; !before.Waits {
		return nil
	}
	w.served, w.asked, w.State.ThreadID = servedClarification, before.Questions, id
	w.request, w.answers = w.State.request()
	return w.tellQuestions(ctx, before.Checkpoint.Next)
}

// join adds what the turn brings.
func (w *work) join(id string, t agent.Turn) {
	s := &w.State
	s.ThreadID = id
	if s.CreativeID == "" {
		s.CreativeID = "creative-" + id
	}
	for _, at := range t.Images {
		if !slices.Contains(s.ReferenceImages, at) && len(s.ReferenceImages) < mostItems {
			s.ReferenceImages = append(s.ReferenceImages, at)
		}
	}
	s.say("user", w.request)
}

// thread is the turn's: that of its session, the one it names, else a new one.
func (a *Agent) thread(ctx context.Context, t agent.Turn, w *work) string {
	var named string
	_ = json.Unmarshal(t.State["threadId"], &named) // accept tells of what is none
	for _, id := range []string{t.Session, named} {
		if id != "" {
			w.known = true
			return id
		}
	}
	n := a.made.n.Add(1)
	return fmt.Sprintf("thread-%016x", system.SeededHash(uint64(n), t.Text, clock.Now(ctx).String()))
}

// recall finds what the conversation has come to. Where that cannot be had, the
// work begins anew.
func (a *Agent) recall(ctx context.Context, id string, w *work) (s saved, found bool) {
	s, found, err := a.desk.load(ctx, id)
	if found {
		err = json.Unmarshal(s.Checkpoint.State, w)
	}
	if err == nil && found {
		err = s.check(&w.State)
	}
	if err == nil {
		return s, found
	}
	w.State = state{}
	if ctx.Err() == nil {
		trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: checkpointNode, From: checkpointNode, To: "new_thread", Reason: llm.Reason(err)})
	}
	return saved{}, false
}

// checkpoint is the work as it is kept.
func (w *work) checkpoint() (graph.Checkpoint, error) {
	raw, err := json.Marshal(w)
	return graph.Checkpoint{State: raw}, err
}

func isOn(raw json.RawMessage) bool {
	is, _ := truth(raw)
	return is
}
