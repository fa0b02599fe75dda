package studio

import (
	"slices"

	"evalctl/agent"
	"evalctl/agent/knowledge"
)

// state is what the nodes of one turn hand on to each other.
type state struct {
	Messages   []agent.Message
	Input      input
	Intent     *intent   // the planner's
	Styles     []string  // the planner's in v1: the names of styles to look up
	Prompt     *enhanced // the rag node's
	Result     *Image    // the executor's
	Kept       bool      // the Result is an earlier one: it could not be painted again
	Quality    *quality  // the critic's
	Content    string    // the newest message to the user
	Error      *agent.ErrorReply
	Apologised bool // the user knows of the error
	RetryCount int  // how often the critic has sent the work back
}

// input is what the user sent.
type input struct {
	Text   string
	Mask   string // data URL
	Canvas string // the picture that is being worked on, "" where there is none
}

// enhanced is the prompt with what the library of styles adds.
type enhanced struct {
	Original  string
	Retrieved []knowledge.StyleMatch
	Final     string
}

// maxHistory is how many messages of a conversation are looked at, the newest.
const maxHistory = 50

func newState(t agent.Turn) *state {
	s := &state{Messages: lastMessages(t.History, maxHistory)}
	s.Input = input{Text: t.Text, Mask: t.Mask, Canvas: s.lastResult()}
	if n := len(t.Images); n > 0 {
		s.Input.Canvas = t.Images[n-1]
	}
	return s
}

// lastResult is the newest picture of the conversation.
func (s *state) lastResult() string {
	for _, m := range slices.Backward(s.Messages) {
		if m.GeneratedImageURL != "" {
			return m.GeneratedImageURL
		}
	}
	return ""
}

// words are the user's own; a mask without any speaks for itself.
func (in input) words() string {
	if blank(in.Text) {
		return "重新绘制蒙版选中的区域，与画面其余部分自然衔接"
	}
	return in.Text
}

// mayRetry tells whether the critic may send the work back, at most so often.
func (s *state) mayRetry(most int) bool { return s.RetryCount < most }

// reply is what became of the turn.
func (s *state) reply() agent.Reply {
	r := agent.Reply{Content: s.Content, AnsweredBy: "failed", ErrorReply: s.Error}
	if in := s.Intent; in != nil {
		r.Predicted, r.DecidedBy, r.Confidence, r.Slots, r.ModelDecision = in.Action, in.Source, in.Confidence, in.Slots, in.Opinion
	}
	if s.Prompt != nil {
		for _, h := range s.Prompt.Retrieved {
			r.Retrieved = append(r.Retrieved, agent.Hit{ID: h.Style.ID, Similarity: h.Similarity})
		}
	}
	if s.Result != nil && s.Error == nil {
		r.AnsweredBy, r.GeneratedImageURL = r.Predicted, s.Result.URL
		if s.Result.Task == TextToImage {
			r.AnsweredBy = generateImage
		}
	}
	return r
}
