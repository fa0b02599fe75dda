package wire

import (
	"strings"

	"evalctl/mocks/model"
)

// TextBody is a request to DashScope's own text generation: a chat whose
// settings stand under parameters.
type TextBody struct {
	Model string `json:"model"`
	Input *struct {
		Messages []chatMessage `json:"messages"`
		Prompt   string        `json:"prompt"`
	} `json:"input"`
	Parameters struct {
		ChatBody
		nativeForm
	} `json:"parameters"`
}

// nativeForm says in which form DashScope's own text generation answers.
type nativeForm struct {
	ResultFormat      string `json:"result_format"` // message, or text, the default
	IncrementalOutput bool   `json:"incremental_output"`
	SearchOptions     struct {
		EnableSource bool `json:"enable_source"`
	} `json:"search_options"`
}

// inMessages tells whether answers are messages, as calls of tools must be.
func (b *ChatBody) inMessages() bool { return b.native.ResultFormat == "message" || len(b.Tools) > 0 }

// Chat is the request in the form that all dialects share.
func (c *Call) Chat(t *TextBody) (*ChatBody, *model.Refusal) {
	switch {
	case c.isAsync():
		return nil, native(403, "AccessDenied", noAsync)
	case t.Model == "":
		return nil, emptyModel()
	case t.Input == nil || len(t.Input.Messages) == 0 && t.Input.Prompt == "":
		return nil, emptyInput()
	}
	form := t.Parameters.nativeForm
	if f := form.ResultFormat; f != "" && f != "text" && f != "message" {
		return nil, badParameter("result_format must be text or message, got " + model.Truncate(f))
	}
	b := t.Parameters.ChatBody
	b.native, b.Model, b.Messages = &form, t.Model, t.Input.Messages
	if len(b.Messages) == 0 {
		b.Messages = []chatMessage{{Role: "user", Content: content{present: true, text: t.Input.Prompt}}}
	}
	b.Stream = strings.EqualFold(c.Request.Header.Get("X-DashScope-SSE"), "enable")
	return &b, nil
}
