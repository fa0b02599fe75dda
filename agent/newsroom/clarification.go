package newsroom

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"evalctl/agent/graph"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// mostQuestions is the maximum number of questions at once.
const mostQuestions = 5

// canAsk reports whether an agent may ask the user a question now.
func (w *work) canAsk() bool { return w.mayAsk && w.State.ClarificationRounds < w.rounds }

// askable filters out questions that may not be put to the user. The reasons are: clarification is
// off, the rounds are used up, or the key was used before. Each dropped question is traced with the
// reason.
func (w *work) askable(ctx context.Context, agent string, asked list[question]) (fresh list[question]) {
	why := ""
	switch {
	case !w.mayAsk:
		why = "clarification_off"
	case !w.canAsk():
		why = "max_clarification_rounds"
	}
	known := slices.Clone(w.State.AgentClarificationKeys)
	for _, q := range asked {
		key := string(q.Key)
		reason := why
		if reason == "" && slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(strings.TrimSpace(k), key) }) {
			reason = "already_asked"
		}
		if reason != "" {
			unasked(ctx, agent, q, reason)
			continue
		}
		if len(fresh) < mostQuestions {
			known, fresh = append(known, key), append(fresh, q)
		}
	}
	return fresh
}

// unasked traces why a question is not put to the user.
func unasked(ctx context.Context, agent string, q question, reason string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: agent, From: "question", To: "assumption", Reason: reason,
		Text: shortened(string(q.Key), 100)})
}

// press adds the note to the agent's messages that questions are not allowed, so that it has to
// assume.
func (w *work) press(answer llm.Response) {
	w.visit.questionsForbidden = true
	w.visit.messages = append(w.visit.messages, llm.Assistant(answer.Content), llm.User(w.wish()+noAskLine))
}

// stop interrupts the work until the user answers.
func (w *work) stop(asked list[question]) error {
	w.asked = asked
	return graph.Interrupt("question")
}

// ask adds the questions of an agent to the conversation, so that the agent sees them together with
// the answer.
func (w *work) ask(agent, words string) {
	keys := keysOf(w.asked)
	w.State.ClarificationRounds++
	w.State.AgentClarificationKeys = append(slices.Clip(w.State.AgentClarificationKeys), keys...)
	w.State.note(agent, askedNote+strings.Join(keys, "、"))
	w.State.say("assistant", words)
}

func keysOf(asked list[question]) (keys []string) {
	for _, q := range asked {
		keys = append(keys, string(q.Key))
	}
	return keys
}

// tellQuestions sends the questions to the user interface.
func (w *work) tellQuestions(ctx context.Context, node string) error {
	raw, err := json.Marshal(struct {
		Thread    string         `json:"thread_id"`
		Creative  string         `json:"creative_id"`
		Questions list[question] `json:"questions"`
	}{w.State.ThreadID, w.State.CreativeID, w.asked})
	if err != nil {
		return err
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindQuestion, Node: node, Data: raw})
	return nil
}
