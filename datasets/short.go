package datasets

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent"
	"evalctl/agent/jsonerror"
	"evalctl/eval"
)

// short reads a line of the short form: {"id", "text", "label"}. Further fields with a string or a
// boolean become tags such as "lang:zh".
func (s Schema) short(c *labeled, r *record) error {
	if name := r.fullFormField(); name != "" {
		return wrong(name, "cannot be combined with text")
	}
	if !s.AllowEmptyText && strings.TrimSpace(*r.Text) == "" {
		return wrong("text", "is empty")
	}
	if !isGiven(r.Label) {
		return wrong("label", "is missing")
	}
	label, err := s.label(r.Label)
	if err != nil {
		return inField("label", err)
	}
	if err := c.addTags(r.Others); err != nil {
		return err
	}
	want := []byte(`{"` + s.LabelField + `":` + string(r.Label) + `}`)
	c.add(label, nil)
	c.Turns = []eval.LabeledTurn{{Turn: agent.Turn{Text: *r.Text}, Expected: want}}
	return nil
}

// fullFormField returns the name of a field in the line that only the full form may have, or "".
func (r *record) fullFormField() string {
	switch {
	case r.Input != nil:
		return "input"
	case isGiven(r.Expect):
		return "expect"
	case r.Turns != nil:
		return "turns"
	}
	return ""
}

func (c *labeled) addTags(others map[string]jsontext.Value) error {
	if len(others) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		if err := c.addTag(name, others[name]); err != nil {
			return err
		}
	}
	return nil
}

func (c *labeled) addTag(name string, value jsontext.Value) error {
	switch value.Kind() {
	case 'n':
		return nil
	case 't', 'f':
		c.Tags = append(c.Tags, name+":"+string(value))
		return nil
	case '"':
		text, err := jsontext.AppendUnquote(nil, value)
		c.Tags = append(c.Tags, name+":"+string(text))
		return err
	}
	return wrong(quoted(name), "becomes a tag and must be a string or a boolean, got %s",
		jsonerror.KindName(value.Kind()))
}
