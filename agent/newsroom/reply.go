package newsroom

import (
	"cmp"
	"fmt"
	"strings"

	"evalctl/agent"
)

// Values of Reply.AnsweredBy for turns that end without a decision: a question to the user, the
// limit of decisions, or an error.
const (
	servedClarification = "clarification"
	servedExhausted     = "exhausted"
	servedFailed        = "failed"
)

// Codes of error replies.
const (
	emptyInput       = "EMPTY_INPUT"
	nothingToRepeat  = "NOTHING_TO_REPEAT"
	supervisorFailed = "SUPERVISOR_FAILED"
	exhausted        = "EXHAUSTED"
)

// phrases contains the fixed texts of replies in one language.
type phrases struct {
	ask, notApproved, missing, empty, failed string
	next, noWork, finished                   string
	// the supervisor's provider failed, with the failure; the work is stored; a draft follows
	down, resumable, draft string
}

var chinese = phrases{
	ask:         "动笔之前，想先和你确认：",
	notApproved: "说明：已经用完了全部 %d 轮，这一版还没有通过审核，仅供参考。",
	missing:     "这次没能完成稿件：%d 轮之后仍然缺少%s。可以换个说法，或者稍后再试。",
	empty:       "还没有收到要求，请说说想写什么，比如“写一篇周末露营的笔记，配三张图”。",
	noWork:      "这个会话里还没有可以继续的工作。请说说想写什么；要接着做之前的稿子，请回到当时的会话。",
	finished:    "这篇稿子已经完成。想修改，请说说怎么改，比如“标题再短一点”；想写别的，请说题目，比如“再写一篇关于茶的笔记”。",
	failed:      "暂时无法安排工作，请稍后再试。",
	next:        "下一步：",
	down:        "安排工作的模型调用失败，已经停止：%s。",
	resumable:   "做完的部分已经保存，问题解决后说“继续”就会接着做。",
	draft:       "下面是没有通过审核的一版，仅供参考。",
}

var english = phrases{
	ask:         "Before we start, please tell us:",
	notApproved: "Note: round %d was the last one, and this version has not passed the review.",
	missing:     "The piece could not be finished: at the end of round %d there is still no %s. Try to put it in other words, or later.",
	empty:       "There is no request yet. Say what to write, such as “a post about weekend camping with three pictures”.",
	noWork:      "There is no work to continue in this conversation. Say what to write, or return to the conversation of the earlier work.",
	finished:    "The post is finished. Say what to change, such as “a shorter title”, or what to write next, such as “another post about tea”.",
	failed:      "The work cannot be planned at the moment. Please try again later.",
	next:        "Next: ",
	down:        "The work has stopped because the model that plans it failed: %s.",
	resumable:   " What is done is saved. Say “continue” when the problem is solved.",
	draft:       " This version has not passed the review.",
}

// localize returns the version of a fixed text in the user's language, Chinese or English.
func (w *work) localize(texts [2]string) string {
	return agent.Localize(w.request+strings.Join(w.answers, ""), texts[0], texts[1])
}

// phrases returns the fixed texts in the user's language.
func (w *work) phrases() phrases {
	if w.localize([2]string{"zh", "en"}) == "en" {
		return english
	}
	return chinese
}

// reply returns the result of the turn.
func (w *work) reply() agent.Reply {
	r := agent.Reply{
		Content:    clipBytes(w.content()),
		Predicted:  w.first.predicted,
		DecidedBy:  w.first.source,
		AnsweredBy: w.answeredBy,
		Steps:      w.steps,
		ToolCalls:  w.calls,
	}
	if len(w.steps) > 0 && w.first == (firstDecision{}) { // the limit ended the work before the supervisor was called
		r.Predicted, r.DecidedBy = w.steps[0].Executed, w.steps[0].DecidedBy
	}
	if w.first.source != "" && w.first.predicted != invalid {
		r.ModelDecision = &agent.ModelDecision{Label: w.first.predicted}
	}
	if code := w.failure(); code != "" {
		r.ErrorReply = &agent.ErrorReply{
			Code:    code,
			Message: r.Content,
			Node:    supervisorNode,
			Cause:   w.failureCause(),
		}
	}
	return r
}

// failure returns the code of the error reply; "" if the turn did not fail.
func (w *work) failure() string {
	switch {
	case w.answeredBy == servedFailed && w.request == "":
		return emptyInput
	case w.answeredBy == servedFailed:
		return nothingToRepeat
	case w.first.predicted == "" && w.first.reason != "", w.isSupervisorDown() && !w.State.hasBody():
		return supervisorFailed
	case w.answeredBy == servedExhausted && !w.isSingleStep && !w.State.hasBody():
		return exhausted
	}
	return ""
}

func (w *work) content() string {
	say := w.phrases()
	switch {
	case w.answeredBy == servedFailed && w.request == "":
		return say.empty
	case w.isFinished:
		return say.finished
	case w.answeredBy == servedFailed:
		return say.noWork
	case w.answeredBy == servedClarification:
		return w.questions(say.ask)
	case w.isSingleStep && w.first.predicted == "":
		return say.failed
	case w.isSingleStep:
		return say.next + w.answeredBy
	case w.isSupervisorDown() && (!w.State.hasBody() || w.first.predicted == ""): // no draft, or no work on it
		return w.supervisorDownText()
	case w.isSupervisorDown():
		return w.supervisorDownText() + say.draft + "\n\n" + w.article()
	case !w.State.hasBody():
		return fmt.Sprintf(say.missing, w.rules.iteration(w.State.IterationCount, &w.State), w.missingArtifacts())
	case w.answeredBy == servedExhausted:
		return fmt.Sprintf(say.notApproved, w.rules.iteration(w.State.IterationCount, &w.State)) + "\n\n" + w.article()
	}
	return w.article()
}

// missingArtifacts returns what is missing for a post, in the user's language.
func (w *work) missingArtifacts() string {
	if !w.State.hasBrief() {
		return w.localize([2]string{"创意简报和正文", "brief and no text"})
	}
	return w.localize([2]string{"正文", "text"})
}

func (w *work) questions(lead string) string {
	lines := []string{lead}
	for _, q := range w.pendingQuestions {
		lines = append(lines, "- "+string(q.Question))
	}
	return strings.Join(lines, "\n")
}

// article returns the post as Markdown: title, body, tags and images.
func (w *work) article() string {
	c := w.State.GeneratedContent
	var parts []string
	if title := strings.TrimSpace(string(c.Title)); title != "" {
		parts = append(parts, "# "+title)
	}
	parts = append(parts, strings.TrimSpace(string(c.Body)))
	var tags []string
	for _, t := range c.Tags {
		tags = append(tags, "#"+strings.TrimPrefix(strings.TrimSpace(t), "#"))
	}
	if len(tags) > 0 {
		parts = append(parts, strings.Join(tags, " "))
	}
	for i, at := range imagesOfPlans(w.State.ImagePlans, w.State.GeneratedImageAssetIDs) {
		if at != "" {
			parts = append(parts, fmt.Sprintf("![%s](%s)", w.State.ImagePlans[i].caption(), at))
		}
	}
	return strings.Join(parts, "\n\n")
}

// caption returns the alternative text of a plan's image: its section, or the plan's ID.
func (p imagePlan) caption() string {
	return strings.NewReplacer("[", "", "]", "", "\n", " ").Replace(cmp.Or(string(p.Section), string(p.ID)))
}
