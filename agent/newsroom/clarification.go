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

// maxQuestions is the maximum number of questions that an agent can put to the user at once.
const maxQuestions = 5

// canAsk reports whether agents may currently put questions to the user.
func (w *work) canAsk() bool { return w.questionsAllowed && w.State.ClarificationRounds < w.maxRounds }

// allowedQuestions returns the questions that may be put to the user. It drops all questions if
// clarification is off or the rounds of questions are used up. It also drops a question whose key
// was used before. Each dropped question is traced with the reason.
func (w *work) allowedQuestions(ctx context.Context, agent string, questions list[question]) (allowed list[question]) {
	why := ""
	switch {
	case !w.questionsAllowed:
		why = "clarification_off"
	case !w.canAsk():
		why = "max_clarification_rounds"
	}
	known := slices.Clone(w.State.AgentClarificationKeys)
	for _, q := range questions {
		key := string(q.Key)
		reason := why
		if reason == "" && slices.ContainsFunc(known,
			func(k string) bool { return strings.EqualFold(strings.TrimSpace(k), key) }) {
			reason = "already_asked"
		}
		if reason != "" {
			traceDroppedQuestion(ctx, agent, q, reason)
			continue
		}
		if len(allowed) < maxQuestions {
			known, allowed = append(known, key), append(allowed, q)
		}
	}
	return allowed
}

// traceDroppedQuestion traces that a question is not put to the user, and why. The agent must make
// an assumption.
func traceDroppedQuestion(ctx context.Context, agent string, q question, reason string) {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindFallback,
		Node:   agent,
		From:   "question",
		To:     "assumption",
		Reason: reason,
		Text:   clipRunes(string(q.Key), 100),
	})
}

// forbidQuestions adds a message to the agent's dialog with its model: questions are not allowed,
// so it must make assumptions. answer is the rejected answer.
func (w *work) forbidQuestions(answer llm.Response) {
	w.visit.questionsForbidden = true
	w.visit.messages = append(w.visit.messages, llm.AssistantMessage(answer.Content),
		llm.UserMessage(w.requestText()+noAskLine))
}

// interrupt stops the turn with questions to the user. The work resumes with the next turn.
func (w *work) interrupt(questions list[question]) error {
	w.pendingQuestions = questions
	return graph.Interrupt("question")
}

// recordQuestions adds the pending questions to the conversation, so that the agent later sees them
// together with the user's answer. words is the message to the user.
func (w *work) recordQuestions(agent, words string) {
	keys := keysOf(w.pendingQuestions)
	w.State.ClarificationRounds++
	w.State.AgentClarificationKeys = append(slices.Clip(w.State.AgentClarificationKeys), keys...)
	w.State.addLogEntry(agent, askedPrefix+strings.Join(keys, "、"))
	w.State.addMessage("assistant", words)
}

func keysOf(asked list[question]) (keys []string) {
	for _, q := range asked {
		keys = append(keys, string(q.Key))
	}
	return keys
}

// emitQuestions emits the pending questions as an event for the user interface.
func (w *work) emitQuestions(ctx context.Context, node string) error {
	raw, err := json.Marshal(struct {
		Thread    string         `json:"thread_id"`
		Creative  string         `json:"creative_id"`
		Questions list[question] `json:"questions"`
	}{w.State.ThreadID, w.State.CreativeID, w.pendingQuestions})
	if err != nil {
		return err
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindQuestion, Node: node, Data: raw})
	return nil
}
