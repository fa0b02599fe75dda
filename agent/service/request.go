package service

import (
	"cmp"
	"encoding/json"

	strict "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent"
)

// request is a turn as a client sends it. A field that is null counts as not
// given, also one of the options and of the state.
type request struct {
	Text      string                     `json:"text"`
	Messages  []string                   `json:"messages"`  // in place of text: several, in order
	SessionID string                     `json:"sessionId"` // "": a new one is made up
	MaskData  *maskData                  `json:"maskData"`
	Images    []string                   `json:"images"` // http(s) or data URLs
	History   []message                  `json:"history"`
	Documents []agent.Document           `json:"documents"`
	Options   map[string]json.RawMessage `json:"options"`
	State     map[string]json.RawMessage `json:"state"` // what the system remembers besides
}

// message is one earlier turn of either side. Its picture has two names; when it
// was said matters to no agent.
type message struct {
	Role              string         `json:"role"`
	Content           string         `json:"content"`
	Images            []string       `json:"images"`
	GeneratedImageURL string         `json:"generatedImageUrl"`
	SnakeCaseURL      string         `json:"generated_image_url"`
	Timestamp         jsontext.Value `json:"timestamp"`
}

// agents is the message as agents take it.
func (m message) agents() agent.Message {
	return agent.Message{Role: m.Role, Content: m.Content, Images: m.Images, GeneratedImageURL: cmp.Or(m.GeneratedImageURL, m.SnakeCaseURL)}
}

// maskData is what the user drew on a picture: an object, or its base64 alone.
type maskData struct {
	Base64      string  `json:"base64"`   // a PNG or JPEG, bare or as a data URL
	ImageURL    string  `json:"imageUrl"` // of the picture below
	Coordinates []point `json:"coordinates"`
}

var _ strict.UnmarshalerFrom = (*maskData)(nil)

// UnmarshalJSONFrom takes either form.
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
