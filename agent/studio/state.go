package studio

import (
	"slices"

	"evalctl/agent"
	"evalctl/agent/knowledge"
)

// state is the data that the nodes of a turn share.
type state struct {
	Messages         []agent.Message
	Input            input
	Intent           *intent   // from the planner
	Styles           []string  // v1, from the planner: names of styles to search
	Prompt           *enhanced // from the rag node
	Result           *Image    // from the executor
	IsPreviousResult bool      // Result is from an earlier attempt: the last one failed
	Quality          *quality  // from the critic
	Content          string    // the latest message to the user
	Error            *agent.ErrorReply
	ErrorEmitted     bool // the error has been sent to the user
	RetryCount       int  // how often the critic has sent the work back
}

// input is the user's input.
type input struct {
	Text   string
	Mask   string // data URL
	Canvas string // the image to edit; "": none
}

// enhanced is the prompt with the text of the styles.
type enhanced struct {
	Original  string
	Retrieved []knowledge.StyleMatch
	Final     string
}

// maxHistory is the number of recent messages that are used.
const maxHistory = 50

func newState(t agent.Turn) *state {
	s := &state{Messages: lastMessages(t.History, maxHistory)}
	s.Input = input{Text: t.Text, Mask: t.Mask, Canvas: s.lastResult()}
	if n := len(t.Images); n > 0 {
		s.Input.Canvas = t.Images[n-1]
	}
	return s
}

// lastResult is the latest generated image of the conversation.
func (s *state) lastResult() string {
	for _, m := range slices.Backward(s.Messages) {
		if m.GeneratedImageURL != "" {
			return m.GeneratedImageURL
		}
	}
	return ""
}

// textOrDefault are the user's text, or a default instruction for a mask without text.
func (in input) textOrDefault() string {
	if isBlank(in.Text) {
		return "重新绘制蒙版选中的区域，与画面其余部分自然衔接"
	}
	return in.Text
}

// mayRetry reports whether the critic may send the work back, given the maximum.
func (s *state) mayRetry(most int) bool { return s.RetryCount < most }

// reply is the result of the turn.
func (s *state) reply() agent.Reply {
	r := agent.Reply{Content: s.Content, AnsweredBy: "failed", ErrorReply: s.Error}
	if in := s.Intent; in != nil {
		r.Predicted = in.Action
		r.DecidedBy = in.Source
		r.Confidence = in.Confidence
		r.Slots = in.Slots
		r.ModelDecision = in.ModelDecision
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
