package toolcaller

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"evalctl/agent"
	"evalctl/agent/file"
)

const maxToolsFile = 4 << 20

// readTools returns the tools in a file, see ParseTools. Errors name the file and the position in
// the list.
func readTools(path string) ([]Tool, error) {
	raw, err := file.Read(path, maxToolsFile)
	if err != nil {
		return nil, err
	}
	list, err := ParseTools(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

// ParseTools decodes tools in OpenAI's format: a JSON list, or an object with the field tools.
// Errors name the position in the list.
func ParseTools(raw []byte) ([]Tool, error) {
	raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff")))
	var items []agent.Tool
	if bytes.HasPrefix(raw, []byte("{")) {
		var request struct {
			Tools []agent.Tool `json:"tools"`
		}
		if err := json.Unmarshal(raw, &request); err != nil {
			return nil, err
		}
		items = request.Tools
	} else if err := json.Unmarshal(raw, &items); err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, errors.New("holds no tool")
	}
	for i, item := range items {
		switch name := item.Function.Name; {
		case item.Type != "" && item.Type != "function":
			return nil, fmt.Errorf("tools[%d]: type %.40q is not a function", i, item.Type)
		case !validName.MatchString(name):
			return nil, fmt.Errorf("tools[%d]: name %.80q is not one of 1 to 64 letters, digits, _ and -", i, name)
		}
	}
	list := fromTurn(items)
	return list, checkTools(list)
}
