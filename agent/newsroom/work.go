package newsroom

import (
	"fmt"
	"strings"

	"evalctl/agent"
)

// work is a turn in progress. Only its state is stored when the turn stops with a question.
type work struct {
	State state `json:"state"`

	rules        rules
	request      string   // the user's request for this episode
	answers      []string // the user's answers to questions
	hasThreadID  bool     // the thread has an id that the next turn uses, too
	isSingleStep bool     // make one decision and do not execute it
	isResumed    bool     // the turn resumes after a question

	visit      *agentCall // call of the current node; nil: not started
	decision   decision   // the latest one
	failReason string     // why the last call failed; "": it succeeded
	nextNode   string     // node that the last decision leads to
	answeredBy string     // route that ends the turn; "": not ended

	reviews int

	first            firstDecision // first decision
	steps            []agent.Step
	calls            []agent.ToolCall
	pendingQuestions list[question] // questions to the user
	questionsAllowed bool
	maxRounds        int // maximum rounds of questions
}

// firstDecision is the first decision of the turn, for the reply.
type firstDecision struct {
	predicted, source string
	reason            string // why no call returned a decision
}

// addStep records a decision.
func (w *work) addStep(proposed, executed, by, reason string) {
	w.steps = append(w.steps, agent.Step{
		Proposed:  proposed,
		Executed:  executed,
		DecidedBy: by,
		Reason:    reason,
	})
}

// requestText is the user's request and answers as part of a prompt.
func (w *work) requestText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\n", requestLine, w.request)
	for _, a := range w.answers {
		fmt.Fprintf(&b, "%s%s\n", answerLine, a)
	}
	return b.String()
}

func (w *work) prompting() prompting { return prompting{Ask: w.canAsk(), Quality: w.rules.threshold} }

// passLine introduces the minimum score of every dimension in the reviewer's prompt.
const passLine = "及格线："

// Prompt lines that allow or forbid questions.
const (
	askLine   = `如果缺少必须由用户决定的信息，可以提问，只输出：{"questions":[{"key":"英文短名","question":"问用户的一句话"}]}`
	noAskLine = "不能再提问，缺少的信息请自行作出合理的假设。"
)

// taskText is the task of an agent: the user's request, the supervisor's instructions, and the
// fields that it may read.
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
