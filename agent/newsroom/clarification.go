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

// mostQuestions is how many questions are asked at once.
const mostQuestions = 5

// canAsk tells whether an agent may ask the user.
func (w *work) canAsk() bool { return w.mayAsk && w.State.ClarificationRounds < w.rounds }

// askable are the questions that may be asked: none twice, and none once the
// rounds are used up. The trace tells why others are not.
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

// unasked tells why a question is not put to the user.
func unasked(ctx context.Context, agent string, q question, reason string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: agent, From: "question", To: "assumption", Reason: reason,
		Text: shortened(string(q.Key), 100)})
}

// press tells the agent that it may not ask, and so has to assume.
func (w *work) press(answer llm.Response) {
	w.visit.questionsForbidden = true
	w.visit.messages = append(w.visit.messages, llm.Assistant(answer.Content), llm.User(w.wish()+noAskLine))
}

// stop has the work wait for the user's answers.
func (w *work) stop(asked list[question]) error {
	w.asked = asked
	return graph.Interrupt("question")
}

// ask puts the questions of an agent to the user, in such words: they are part of the conversation,
// of which the agent sees them beside the answer.
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

// tellQuestions has the user interface know what is asked.
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
