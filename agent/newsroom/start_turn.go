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

// counter numbers the turns without a session, so that their thread IDs are unique.
type counter struct{ n atomic.Int64 }

// singleStep is the turn option that requests only one decision, without executing it.
const singleStep = "single_step"

// begin creates the work of a turn: new, from the stored state of the conversation, or from the
// checkpoint of a question. A message such as "continue", or the same request again, resumes
// unfinished work. Without any earlier work, or with a finished post, "continue" is answered by an
// error reply. Thanks for a finished post are answered without agents. waiting is the checkpoint of the
// question; nil if no question was pending.
func (a *Agent) begin(ctx context.Context, t agent.Turn) (w *work, waiting *graph.Checkpoint, err error) {
	w = &work{
		request:          strings.TrimSpace(t.Text),
		maxRounds:        a.cfg.MaxQuestionRounds,
		questionsAllowed: !a.cfg.DisableClarification,
		rules:            rules{threshold: a.cfg.QualityThreshold, iterations: a.cfg.MaxIterations},
	}
	w.save = func(ctx context.Context) { a.saveProgress(ctx, w) }
	w.isSingleStep = a.cfg.DecisionOnly || isOn(t.Options[singleStep])
	id := a.thread(ctx, t, w)
	t.Session = id
	w.threadKey = t.SessionKey()
	before, found := savedThread{}, false
	if w.hasThreadID && (!w.isSingleStep || a.cfg.DecisionOnly) {
		before, found = a.recall(ctx, w)
	}
	continues, remark := false, ""
	if before.IsUnfinished {
		unfinished, _ := w.State.request()
		continues, remark = continuation(w.request)
		continues = continues || w.request == unfinished
	}
	switch {
	case !found:
		for _, m := range t.History {
			w.State.addMessage(m.Role, m.Content)
		}
	case continues:
		if w.State.IterationCount >= w.rules.limit(&w.State) {
			w.State.IterationCount = 0
		}
	case !before.IsWaiting: // this turn is a new request, so the old approval does not count
		w.State.IterationCount, w.State.ClarificationRounds = 0, 0
		w.State.ReviewFeedback, w.State.QualityScores = nil, nil
		w.State.markUnanswered()
		if namesPost(w.request) {
			w.State.dropArtifacts()
		}
	}
	if err := w.State.applyInput(t.State); err != nil {
		return nil, nil, err
	}
	if w.request == "" {
		return w, nil, w.answerEmptyTurn(ctx, id, before)
	}
	isFinished := found && !before.IsWaiting && !before.IsUnfinished && w.State.hasBody() && !addsMaterial(t)
	resumes, wish := continuation(w.request)
	isBareDemand := resumes && wish == ""
	switch {
	case isFinished && onlyThanksOrResumes(w.request):
		w.isFinished, w.answeredBy = true, end
		if isBareDemand {
			w.answeredBy = servedFailed
		}
		return w, nil, nil
	case isBareDemand && w.State.isBlank():
		w.answeredBy = servedFailed
		return w, nil, nil
	}
	w.addTurn(id, t)
	switch {
	case !continues:
		w.State.addMessage("user", w.request)
	case remark != "":
		w.State.addLogEntry(checkpointNode, resumedEntry)
		w.State.addMessage("user", remark)
	}
	if continues || before.IsWaiting {
		w.isResumed = true
		w.request, w.answers = w.State.request()
	}
	w.save(ctx)
	if !before.IsWaiting {
		return w, nil, nil
	}
	before.Checkpoint.State, err = json.Marshal(w)
	w.State = state{}
	return w, &before.Checkpoint, err
}

// answerEmptyTurn handles a turn without text. It repeats a pending question, or else sets the
// reply to the empty-input message.
func (w *work) answerEmptyTurn(ctx context.Context, id string, before savedThread) error {
	if w.answeredBy = servedFailed; !before.IsWaiting {
		return nil
	}
	w.answeredBy = servedClarification
	w.pendingQuestions = before.Questions
	w.State.ThreadID = id
	w.request, w.answers = w.State.request()
	return w.emitQuestions(ctx, before.Checkpoint.Next)
}

// addsMaterial reports whether a turn contains images or state fields in addition to its text.
func addsMaterial(t agent.Turn) bool {
	for name := range t.State {
		if name != "threadId" {
			return true
		}
	}
	return len(t.Images) > 0
}

// addTurn adds the IDs and the images of a turn to the state.
func (w *work) addTurn(id string, t agent.Turn) {
	s := &w.State
	s.ThreadID = id
	if s.CreativeID == "" {
		s.CreativeID = "creative-" + id
	}
	for _, at := range t.Images {
		if !slices.Contains(s.ReferenceImages, at) && len(s.ReferenceImages) < maxItems {
			s.ReferenceImages = append(s.ReferenceImages, at)
		}
	}
}

// thread returns the ID of the conversation: the turn's session, the ID in its
// state, or a new one.
func (a *Agent) thread(ctx context.Context, t agent.Turn, w *work) string {
	var named string
	_ = json.Unmarshal(t.State["threadId"], &named) // applyInput reports an invalid ID
	for _, id := range []string{t.Session, named} {
		if id != "" {
			w.hasThreadID = true
			return id
		}
	}
	n := a.threadIDs.n.Add(1)
	return fmt.Sprintf("thread-%016x", system.SeededHash(uint64(n), t.Text, clock.Now(ctx).String()))
}

// recall loads the stored work of the conversation into w. If that fails, the conversation starts
// anew.
func (a *Agent) recall(ctx context.Context, w *work) (s savedThread, found bool) {
	s, found, err := a.threads.load(ctx, w.threadKey)
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
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindFallback,
			Node:   checkpointNode,
			From:   checkpointNode,
			To:     "new_thread",
			Reason: llm.TraceReason(err),
		})
	}
	return savedThread{}, false
}

// checkpoint returns the work as a checkpoint that can be stored.
func (w *work) checkpoint() (graph.Checkpoint, error) {
	raw, err := json.Marshal(w)
	return graph.Checkpoint{State: raw}, err
}

func isOn(raw json.RawMessage) bool {
	is, _ := parseBool(raw)
	return is
}
