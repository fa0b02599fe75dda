package llm

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// content decodes the content of a message: a string, null, or a list of parts. It collects text,
// refusal and reasoning separately.
type content struct{ text, refusal, thoughts string }

var _ json.UnmarshalerFrom = (*content)(nil)

// UnmarshalJSONFrom decodes the content of a message. It does not copy the JSON of a plain string,
// the most common form.
func (c *content) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*c = content{}
	if d.PeekKind() != '[' {
		return readText(d, &c.text)
	}
	var parts []jsontext.Value
	if err := json.UnmarshalDecode(d, &parts); err != nil {
		return err
	}
	for _, raw := range parts {
		if err := c.add(raw); err != nil {
			return err
		}
	}
	return nil
}

// add appends the text of one part to the text, the refusal or the reasoning. Parts of other types
// are ignored.
func (c *content) add(raw jsontext.Value) error {
	if raw.Kind() == '"' {
		var text string
		err := json.Unmarshal(raw, &text, lenient)
		c.text += text
		return err
	}
	var part struct {
		Type     string         `json:"type"`
		Text     jsontext.Value `json:"text"`
		Refusal  string         `json:"refusal"`
		Thinking jsontext.Value `json:"thinking"`
	}
	if err := json.Unmarshal(raw, &part, lenient); err != nil {
		return err
	}
	switch part.Type {
	case "text", "output_text", "":
		c.text += textIn(part.Text)
	case "refusal":
		c.refusal += part.Refusal
	case "thinking", "reasoning":
		c.thoughts += textIn(part.Thinking) + textIn(part.Text)
	}
	return nil
}

// textIn returns the text of a JSON string or of a list of parts; "" for anything else.
func textIn(raw jsontext.Value) string {
	if len(raw) == 0 {
		return ""
	}
	var c content
	if json.Unmarshal(raw, &c, lenient) != nil {
		return ""
	}
	return c.text
}

// optionalText is a string field that may contain a value of another type. Such a value is ignored,
// so that it does not invalidate the answer.
type optionalText string

var _ json.UnmarshalerFrom = (*optionalText)(nil)

// UnmarshalJSONFrom decodes a string, and skips a value of another type.
func (t *optionalText) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*t = ""
	if d.PeekKind() != '"' {
		return d.SkipValue()
	}
	return readText(d, (*string)(t))
}

// readText decodes a JSON string into into; null counts as "".
func readText(d *jsontext.Decoder, into *string) error {
	token, err := d.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case '"':
		*into = strings.Clone(token.String())
	case 'n':
		*into = ""
	default:
		return fmt.Errorf("%s in place of a text", token.Kind())
	}
	return nil
}
