package wire

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// content is the content of a message: a text, or a list of parts such as text and images.
// isPresent is false if the key is missing or null.
type content struct {
	isPresent   bool
	isList      bool
	text        string
	images      int
	unknownType string // the last part type that no provider has
}

type part struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	ImageURL json.RawMessage `json:"image_url"`
}

var errContent = errors.New("content is neither a string nor a list of parts")

// UnmarshalJSON decodes a string, null or a list of parts.
func (c *content) UnmarshalJSON(b []byte) error {
	switch {
	case len(b) > 1 && b[0] == '"':
		c.isPresent = true
		text, err := jsontext.AppendUnquote(make([]byte, 0, len(b)), b)
		if err != nil { // invalid UTF-8, which encoding/json replaces by U+FFFD
			return json.Unmarshal(b, &c.text)
		}
		c.text = string(text)
		return nil
	case len(b) > 0 && b[0] == '[':
		c.isPresent, c.isList = true, true
		return c.readParts(b)
	case string(b) == "null":
		return nil
	}
	return errContent
}

func (c *content) readParts(b []byte) error {
	var parts []part
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	var text strings.Builder
	defer func() { c.text = text.String() }()
	for _, p := range parts {
		switch p.Type {
		case "text":
			if text.Len() > 0 {
				text.WriteByte('\n')
			}
			text.WriteString(p.Text)
		case "image_url":
			c.images++
		case "video", "video_url", "input_audio", "image", "file":
		default:
			c.unknownType = p.Type
		}
	}
	return nil
}
