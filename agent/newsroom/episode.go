package newsroom

import (
	"fmt"
	"strings"

	"evalctl/agent"
)

// work is a turn under way. Of it the state alone outlives a question.
type work struct {
	State state `json:"state"`

	rules   rules
	request string   // what the user wants of the episode
	answers []string // to what agents have asked
	known   bool     // the thread has a name that the next turn knows
	single  bool     // one decision, and nothing of what it leads to
	resumed bool     // it goes on from where an agent has asked

	visit    *agentCall // of the node that is at work; nil: it has not begun
	decision decision   // that was just made
	failed   string     // why the last call came to nothing; "": it did not
	to       string     // where the last decision leads
	served   string     // how the turn ends; "": it goes on

	reviews int

	first  first // decision
	steps  []agent.Step
	calls  []agent.ToolCall
	asked  list[question] // of the user
	mayAsk bool
	rounds int // of questions that there may be
}

// first is the first decision of the turn, as the reply tells it.
type first struct {
	predicted, source string
	reason            string // why no call brought one
}

// step keeps a decision.
func (w *work) step(asked, taken, by, reason string) {
	w.steps = append(w.steps, agent.Step{Proposed: asked, Executed: taken, DecidedBy: by, Reason: reason})
}

// wish is what the user wants, as a model is shown it.
func (w *work) wish() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\n", requestLine, w.request)
	for _, a := range w.answers {
		fmt.Fprintf(&b, "%s%s\n", answerLine, a)
	}
	return b.String()
}

func (w *work) prompting() prompting { return prompting{Ask: w.canAsk(), Quality: w.rules.threshold} }

// passLine tells the reviewer the score that every dimension must have.
const passLine = "及格线："

// How an agent is told whether it may ask.
const (
	askLine   = `如果缺少必须由用户决定的信息，可以提问，只输出：{"questions":[{"key":"英文短名","question":"问用户的一句话"}]}`
	noAskLine = "不能再提问，缺少的信息请自行作出合理的假设。"
)

// order is what an agent is told to do: what the user wants, what the supervisor
// says, and the fields that it may read.
func (w *work) order(r role) string {
	var b strings.Builder
	b.WriteString(w.wish())
	b.WriteString(w.State.decided().instructions())
	if w.canAsk() {
		b.WriteString(askLine + "\n")
	} else {
		b.WriteString(noAskLine + "\n")
	}
	if r.name == reviewAgent {
		fmt.Fprintf(&b, "%s%v\n", passLine, w.rules.threshold)
	}
	if fields := w.State.show(r.reads); fields != "" {
		b.WriteString("\n现有的材料：\n" + fields)
	}
	return b.String()
}
