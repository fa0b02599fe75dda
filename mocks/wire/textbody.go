package wire

import (
	"strings"

	"evalctl/mocks/model"
)

// TextGenerationBody is the body of a request in DashScope's native text generation format. It
// corresponds to a chat request with its settings under "parameters".
type TextGenerationBody struct {
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

// nativeForm contains the settings that only DashScope's native text generation has. They select
// the format of the answer.
type nativeForm struct {
	ResultFormat      string `json:"result_format"` // "message", or "text" (default)
	IncrementalOutput bool   `json:"incremental_output"`
	SearchOptions     struct {
		EnableSource bool `json:"enable_source"`
	} `json:"search_options"`
}

// returnsMessages reports whether the answer contains messages instead of a plain text. Tool calls
// require messages.
func (b *ChatBody) returnsMessages() bool {
	return b.native.ResultFormat == "message" || len(b.Tools) > 0
}

// ToChatBody converts the request to a ChatBody, so that it is answered like requests in OpenAI's
// format. It returns a refusal for an invalid request.
func (c *Call) ToChatBody(t *TextGenerationBody) (*ChatBody, *model.ErrorResponse) {
	switch {
	case c.isAsync():
		return nil, nativeRefusalOf(403, "AccessDenied", noAsync)
	case t.Model == "":
		return nil, emptyModel()
	case t.Input == nil || len(t.Input.Messages) == 0 && t.Input.Prompt == "":
		return nil, emptyInput()
	}
	form := t.Parameters.nativeForm
	if f := form.ResultFormat; f != "" && f != "text" && f != "message" {
		return nil, badParameter("result_format must be text or message, got " + model.Excerpt(f))
	}
	b := t.Parameters.ChatBody
	b.native = &form
	b.Model = t.Model
	b.Messages = t.Input.Messages
	if len(b.Messages) == 0 {
		b.Messages = []chatMessage{{Role: "user", Content: content{isPresent: true, text: t.Input.Prompt}}}
	}
	b.Stream = strings.EqualFold(c.Request.Header.Get("X-DashScope-SSE"), "enable")
	return &b, nil
}
