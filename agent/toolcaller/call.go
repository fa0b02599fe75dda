package toolcaller

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"evalctl/agent/llm"
)

// Limits for the stored part of a tool call.
const (
	maxStoredText = 2000 // maximal length of a text in characters
	maxSlots      = 100
)

func clip(text string) string { return fmt.Sprintf("%.*s", maxStoredText, text) }

// rawAnswer returns the text of a model's answer followed by its tool calls, one per line, for the
// trace.
func rawAnswer(a llm.Response) string {
	lines := []string{}
	if text := a.TextOrReasoning(); text != "" {
		lines = append(lines, text)
	}
	for _, c := range a.ToolCalls {
		lines = append(lines, callLine(c))
	}
	return strings.Join(lines, "\n")
}

func callLine(c llm.ToolCall) string { return strings.TrimSpace(c.Name + " " + c.Arguments) }

func namesOf(calls []llm.ToolCall) string {
	var names []string
	for _, c := range calls {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// slotsOf returns the arguments of a tool call as slots. Strings are unchanged, other values are
// JSON.
func slotsOf(arguments string) (map[string]string, error) {
	if strings.TrimSpace(arguments) == "" {
		return nil, nil // some services send an empty text if there are no arguments
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
