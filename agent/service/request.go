package service

import (
	"cmp"
	"encoding/json"

	strict "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent"
)

// request is the JSON body of a request: one turn of a conversation. A null field counts as absent,
// also in options and state.
type request struct {
	Text      string                     `json:"text"`
	Action    string                     `json:"action"`    // id of the button that the user pressed; "": none
	Messages  []string                   `json:"messages"`  // several messages in one turn, in order, in place of text
	SessionID string                     `json:"sessionId"` // conversation of the turn; "": a new one is created
	User      string                     `json:"user"`      // person whose memory is used; "": that of the session
	MaskData  *maskData                  `json:"maskData"`
	Images    []string                   `json:"images"` // images as http(s) or data URLs
	History   []message                  `json:"history"`
	Documents []agent.Document           `json:"documents"`
	Options   map[string]json.RawMessage `json:"options"`
	// further inputs of the agent by name, such as stored memories
	State map[string]json.RawMessage `json:"state"`
}

// message is an earlier message of the conversation, by the user or the agent. Clients use two
// field names for a generated image. Timestamp is ignored.
type message struct {
	Role              string         `json:"role"`
	Content           string         `json:"content"`
	Images            []string       `json:"images"`
	GeneratedImageURL string         `json:"generatedImageUrl"`
	SnakeCaseURL      string         `json:"generated_image_url"`
	Timestamp         jsontext.Value `json:"timestamp"`
}

func (m message) toAgent() agent.Message {
	return agent.Message{
		Role:              m.Role,
		Content:           m.Content,
		Images:            m.Images,
		GeneratedImageURL: cmp.Or(m.GeneratedImageURL, m.SnakeCaseURL),
	}
}

// maskData is the area of an image that the user has marked, as an object or only as base64.
type maskData struct {
	Base64      string  `json:"base64"`   // mask as PNG or JPEG, in base64 or as a data URL
	ImageURL    string  `json:"imageUrl"` // address of the marked image
	Coordinates []point `json:"coordinates"`
}

var _ strict.UnmarshalerFrom = (*maskData)(nil)

// UnmarshalJSONFrom accepts an object or a string with base64.
func (m *maskData) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == '"' {
		return strict.UnmarshalDecode(d, &m.Base64)
	}
	type object maskData // a type without methods, so that decoding does not call this method again
	return strict.UnmarshalDecode(d, (*object)(m))
}

type point struct {
	X *float64 `json:"x"`
	Y *float64 `json:"y"`
}
