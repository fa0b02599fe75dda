package suite

import (
	"bytes"
	"encoding/json"
	"fmt"

	"evalctl/agent"
)

// Limits on the tools of a turn in a case.
const (
	maxTools      = MaxLabels // the agent chooses from them, as from labels
	maxToolsBytes = 256 << 10 // bytes of all names, descriptions and parameters together
)

// CheckTools returns an error if the tools of a turn in a case are invalid. The names are labels, so
// they must be valid labels and distinct.
func CheckTools(tools []agent.Tool) error {
	if len(tools) > maxTools {
		return fmt.Errorf("tools: %d are more than %d", len(tools), maxTools)
	}
	seen, size := map[string]bool{}, 0
	for i, t := range tools {
		f := t.Function
		if size += len(f.Name) + len(f.Description) + len(f.Parameters); size > maxToolsBytes {
			return fmt.Errorf("tools: are larger than %d KiB", maxToolsBytes>>10)
		}
		err := CheckLabel(f.Name)
		switch {
		case t.Type != "" && t.Type != "function":
			return fmt.Errorf("tools[%d].type: %.40q is not function", i, t.Type)
		case err != nil:
			return fmt.Errorf("tools[%d].function.name: %w", i, err)
		case seen[f.Name]:
			return fmt.Errorf("tools[%d].function.name: %.80q is given twice", i, f.Name)
		case !isObject(f.Parameters):
			return fmt.Errorf("tools[%d].function.parameters: %.40s is not a JSON schema of an object", i, f.Parameters)
		}
		seen[f.Name] = true
	}
	return nil
}

func isObject(raw json.RawMessage) bool {
	return raw == nil || bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{"))
}
