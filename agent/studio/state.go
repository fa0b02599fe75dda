package studio

import (
	"slices"

	"evalctl/agent"
	"evalctl/agent/knowledge"
)

// state contains the data of one turn that its nodes share.
type state struct {
	Messages         []agent.Message
	userText         string // newest text of the user with letters, which shows the language
	Input            input
	Intent           *intent      // plan; set by the planner
	Styles           []string     // names of styles to search; set by V1's planner
	Prompt           *imagePrompt // image prompt; set by the planner, completed by the style search
	Result           *Image       // image; set by the executor
	IsPreviousResult bool         // the last attempt failed, so Result is the image of an earlier one
	Quality          *quality     // result of the review; set by the critic
	Content          string       // newest message to the user
	Error            *agent.ErrorReply
	ErrorEmitted     bool // the user has received the error
	RetryCount       int  // number of images of this turn that the critic has rejected
	IsRepetition     bool // another attempt would repeat the same request; see Config.ApplySuggestions
}

// input is what the user sent in a turn.
type input struct {
	Text   string
	Mask   string // marked area of the canvas as a data URL; "": none
	Canvas string // URL of the image to edit; "": none
	// number of images that the conversation already has for the same request
	PriorImageCount int
	ButtonError     errorCode // why the pressed button has no effect; "": no button was pressed, or it has one
}

// imagePrompt is the image prompt before (Original) and after (Final) the texts of the found styles
// are appended.
type imagePrompt struct {
	Original    string
	Retrieved   []knowledge.StyleMatch
	Suggestions []string // suggestions of the critic, at the end of Final; see Config.ApplySuggestions
	Final       string
}

// addSuggestions appends new suggestions of the critic to the image prompt. It returns false if
// there is none.
func (p *imagePrompt) addSuggestions(suggestions []string) (added bool) {
	for _, s := range suggestions {
		if !slices.Contains(p.Suggestions, s) {
			p.Suggestions, added = append(p.Suggestions, s), true
		}
	}
	p.compose()
	return added
}

// compose sets Final from the other fields.
func (p *imagePrompt) compose() {
	p.Final = p.Original
	for _, h := range p.Retrieved {
		p.Final += ", " + h.Style.Prompt
	}
	for _, s := range p.Suggestions {
		p.Final += ", " + s
	}
}

// maxHistory is the maximal number of messages of a conversation that are used.
const maxHistory = 50

func newState(t agent.Turn) *state {
	t, repeat, problem := resolveButton(t)
	s := &state{Messages: lastMessages(t.History, maxHistory), userText: newestUserText(t)}
	s.Input = input{
		Text:            t.Text,
		Mask:            t.Mask,
		Canvas:          s.lastResult(),
		PriorImageCount: repeat,
		ButtonError:     problem,
	}
	if n := len(t.Images); n > 0 {
		s.Input.Canvas = t.Images[n-1]
	}
	return s
}

// lastResult returns the URL of the newest generated image of the conversation; "": none.
func (s *state) lastResult() string {
	for _, m := range slices.Backward(s.Messages) {
		if m.GeneratedImageURL != "" {
			return m.GeneratedImageURL
		}
	}
	return ""
}

// textOrDefault returns the user's text. For a mask without text, it returns a default instruction.
func (in input) textOrDefault() string {
	if isBlank(in.Text) {
		return "重新绘制蒙版选中的区域，与画面其余部分自然衔接"
	}
	return in.Text
}

func (s *state) mayRetry(most int) bool { return s.RetryCount < most && !s.IsRepetition }

func (s *state) reply() agent.Reply {
	r := agent.Reply{Content: s.Content, AnsweredBy: "failed", ErrorReply: s.Error}
	if in := s.Intent; in != nil {
		r.Predicted = in.Action
		r.DecidedBy = in.DecidedBy
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
		if s.Result.Task == TaskTextToImage {
			r.AnsweredBy = actionGenerateImage
		}
	}
	return r
}
