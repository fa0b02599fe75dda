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
		why = "asking_off"
	case !w.canAsk():
		why = "rounds_used_up"
	}
	seen := slices.Clone(w.State.AgentClarificationKeys)
	for _, q := range asked {
		key := strings.TrimSpace(string(q.Key))
		reason := why
		if reason == "" && slices.Contains(seen, key) {
			reason = "asked_before"
		}
		if reason != "" {
			trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: agent, From: "question", To: "assumption", Reason: reason, Text: limited(key, 100)})
			continue
		}
		if len(fresh) < mostQuestions {
			seen, q.Key = append(seen, key), text(key)
			fresh = append(fresh, q)
		}
	}
	return fresh
}

// press tells the agent that it may not ask, and so has to assume.
func (w *work) press(answer llm.Answer) {
	w.visit.pressed = true
	w.visit.messages = append(w.visit.messages, llm.Assistant(answer.Content), llm.User(requestLine+w.request+"\n"+noAskLine))
}

// stop has the work wait for the user's answers.
func (w *work) stop(agent string, asked list[question]) error {
	w.asked = asked
	w.State.ClarificationRounds++
	for _, q := range asked {
		w.State.AgentClarificationKeys = append(slices.Clip(w.State.AgentClarificationKeys), string(q.Key))
	}
	w.State.note(agent, "asked："+strings.Join(keysOf(asked), "、"))
	return graph.Interrupt("question")
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
		Questions list[question] `json:"questions"`
	}{w.State.ThreadID, w.asked})
	if err != nil {
		return err
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindQuestion, Node: node, Data: raw})
	return nil
}
