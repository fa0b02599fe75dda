package service

import (
	"cmp"
	"encoding/json"

	strict "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent"
)

// request is the JSON form of a turn. A null field counts as absent, also in options and state.
type request struct {
	Text      string                     `json:"text"`
	Messages  []string                   `json:"messages"`  // several messages in order, in place of text
	SessionID string                     `json:"sessionId"` // "": a new one is created
	MaskData  *maskData                  `json:"maskData"`
	Images    []string                   `json:"images"` // http(s) or data URLs
	History   []message                  `json:"history"`
	Documents []agent.Document           `json:"documents"`
	Options   map[string]json.RawMessage `json:"options"`
	State     map[string]json.RawMessage `json:"state"` // stored state of the system
}

// message is an earlier message of either side. Its picture has two names. Timestamp is ignored.
type message struct {
	Role              string         `json:"role"`
	Content           string         `json:"content"`
	Images            []string       `json:"images"`
	GeneratedImageURL string         `json:"generatedImageUrl"`
	SnakeCaseURL      string         `json:"generated_image_url"`
	Timestamp         jsontext.Value `json:"timestamp"`
}

// toAgent converts the message for agents.
func (m message) toAgent() agent.Message {
	return agent.Message{
		Role:              m.Role,
		Content:           m.Content,
		Images:            m.Images,
		GeneratedImageURL: cmp.Or(m.GeneratedImageURL, m.SnakeCaseURL),
	}
}

// maskData is the user's drawing on a picture: an object, or only its base64.
type maskData struct {
	Base64      string  `json:"base64"`   // PNG or JPEG, bare or as a data URL
	ImageURL    string  `json:"imageUrl"` // of the picture below the mask
	Coordinates []point `json:"coordinates"`
}

var _ strict.UnmarshalerFrom = (*maskData)(nil)

// UnmarshalJSONFrom accepts both forms.
func (m *maskData) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == '"' {
		return strict.UnmarshalDecode(d, &m.Base64)
	}
	type object maskData // without this method
	return strict.UnmarshalDecode(d, (*object)(m))
}

type point struct {
	X *float64 `json:"x"`
	Y *float64 `json:"y"`
}
