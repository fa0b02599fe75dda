package newsroom

import (
	"context"
	"fmt"
	"strings"

	"evalctl/agent"
)

// work is the state of a turn in progress. Only its field State is stored when a question
// interrupts the turn.
type work struct {
	State state `json:"state"` // the shared data of the agents

	rules        rules
	request      string   // the user's request
	answers      []string // the user's answers to questions about the request
	hasThreadID  bool     // the conversation has an ID that the next turn also uses
	threadKey    string   // key of the stored conversation: the ID, with the user
	isSingleStep bool     // the turn ends after one decision, which is not executed
	isResumed    bool     // the turn resumes earlier work on the request
	isFinished   bool     // the post is finished, and the turn requests nothing

	save func(context.Context) // stores the unfinished work

	visit      *agentCall // dialog of the current node with its model; nil: not started
	decision   decision   // the supervisor's latest decision
	failReason string     // why the last call of a model failed; "": it succeeded
	// consecutive calls of the supervisor that failed, and the error of the last one; nil: none
	supervisorFailures int
	supervisorErr      error

	nextNode   string // node to which the last decision leads
	answeredBy string // what ended the turn; "": it has not ended

	reviews int

	first            firstDecision // the supervisor's first decision, which is scored
	steps            []agent.Step
	calls            []agent.ToolCall
	pendingQuestions list[question] // questions that wait for the user's answer
	questionsAllowed bool
	maxRounds        int // maximum number of rounds of questions to the user
}

// firstDecision is the first decision of a turn, which is scored.
type firstDecision struct {
	predicted, source string
	reason            string // why there is no decision, if all calls failed
}

// addStep adds a decision to the list of steps in the reply.
func (w *work) addStep(proposed, executed, by, reason string) {
	w.steps = append(w.steps, agent.Step{
		Proposed:  proposed,
		Executed:  executed,
		DecidedBy: by,
		Reason:    reason,
	})
}

// requestText returns the user's request and answers as they appear in prompts.
func (w *work) requestText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\n", requestLine, w.request)
	for _, a := range w.answers {
		fmt.Fprintf(&b, "%s%s\n", answerLine, a)
	}
	return b.String()
}

func (w *work) promptData() promptData {
	return promptData{Ask: w.canAsk(), Quality: w.rules.threshold}
}

// passLine precedes the lowest acceptable score in the prompt of the review agent.
const passLine = "及格线："

// Lines in an agent's prompt that allow or forbid questions to the user.
const (
	askLine   = `如果缺少必须由用户决定的信息，可以提问，只输出：{"questions":[{"key":"英文短名","question":"问用户的一句话"}]}`
	noAskLine = "不能再提问，缺少的信息请自行作出合理的假设。"
)

// taskText returns the user message for an agent's model: the request, the supervisor's
// instructions, and the state fields that the agent may read.
func (w *work) taskText(r role) string {
	var b strings.Builder
	b.WriteString(w.requestText())
	b.WriteString(w.State.lastDecision().instructions())
	if w.canAsk() {
		b.WriteString(askLine + "\n")
	} else {
		b.WriteString(noAskLine + "\n")
	}
	if r.name == reviewAgent {
		fmt.Fprintf(&b, "%s%v\n", passLine, w.rules.threshold)
	}
	if fields := w.State.formatFields(r.reads); fields != "" {
		b.WriteString("\n现有的材料：\n" + fields)
	}
	return b.String()
}
