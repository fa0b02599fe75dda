package toolcaller

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"evalctl/agent/llm"
)

// Bounds on what is kept of a call.
const (
	maxShown = 2000 // characters of a text
	maxSlots = 100
)

// clip keeps the beginning of a text.
func clip(text string) string { return fmt.Sprintf("%.*s", maxShown, text) }

// said is an answer as it stood there, its calls included.
func said(a llm.Response) string {
	lines := []string{}
	if text := a.Text(); text != "" {
		lines = append(lines, text)
	}
	for _, c := range a.ToolCalls {
		lines = append(lines, callLine(c))
	}
	return strings.Join(lines, "\n")
}

// callLine is a call on one line: the tool's name, and what it is given.
func callLine(c llm.ToolCall) string { return strings.TrimSpace(c.Name + " " + c.Arguments) }

func namesOf(calls []llm.ToolCall) string {
	var names []string
	for _, c := range calls {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// slotsOf are the arguments of a call by name: texts as they are, the rest as JSON.
func slotsOf(arguments string) (map[string]string, error) {
	if strings.TrimSpace(arguments) == "" {
		return nil, nil // some services say so that there are none
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(arguments), &fields); err != nil {
		return nil, fmt.Errorf("the arguments are no JSON object: %w", err)
	}
	if len(fields) > maxSlots {
		return nil, errors.New("the call has more than 100 arguments")
	}
	slots := map[string]string{}
	for name, raw := range fields {
		var text string
		if json.Unmarshal(raw, &text) != nil || string(raw) == "null" {
			var compact bytes.Buffer
			if err := json.Compact(&compact, raw); err != nil {
				return nil, err
			}
			text = compact.String()
		}
		slots[clip(name)] = clip(text)
	}
	return slots, nil
}
