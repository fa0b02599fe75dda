package service

import (
	"encoding/json"

	"evalctl/agent"
)

// request is a turn as a client sends it. A field that is null counts as not
// given.
type request struct {
	Text      string                     `json:"text"`
	SessionID string                     `json:"sessionId"` // "": a new one is made up
	MaskData  *maskData                  `json:"maskData"`
	Images    []string                   `json:"images"` // http(s) or data URLs
	History   []agent.Message            `json:"history"`
	Documents []agent.Document           `json:"documents"`
	Options   map[string]json.RawMessage `json:"options"`
}

// maskData is what the user drew on a picture.
type maskData struct {
	Base64      string  `json:"base64"`   // a PNG or JPEG, bare or as a data URL
	ImageURL    string  `json:"imageUrl"` // of the picture below
	Coordinates []point `json:"coordinates"`
}

type point struct {
	X *float64 `json:"x"`
	Y *float64 `json:"y"`
}
