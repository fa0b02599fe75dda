package toolcaller

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
)

// maxTools is the maximal number of tools that model services accept in a request.
const maxTools = 128

// Tool is a function that the model may call. A call predicts the label of the tool.
type Tool struct {
	Label       string          // label that a call of the tool predicts
	Description string          // when to call the tool, for the model
	Parameters  json.RawMessage // JSON Schema of type object; nil: the tool has no parameters
}

// fromTurn returns the tools of a turn or of a tools file.
func fromTurn(tools []agent.Tool) []Tool {
	list := make([]Tool, len(tools))
	for i, t := range tools {
		list[i] = Tool{Label: t.Function.Name, Description: t.Function.Description, Parameters: t.Function.Parameters}
		if string(list[i].Parameters) == "null" {
			list[i].Parameters = nil
		}
	}
	return list
}

// validName matches names of tools that model APIs accept.
var validName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// ToolName returns the name of a label's tool for the model. It is the label itself if APIs accept
// it as a name. Otherwise it consists of the valid characters of the label and a hash.
func ToolName(label string) string {
	if validName.MatchString(label) {
		return label
	}
	const most = 64 - 1 - 8
	readable := strings.Trim(unnameable.ReplaceAllString(label, "_"), "_")
	if readable == "" {
		readable = "tool"
	}
	sum := sha256.Sum256([]byte(label))
	return readable[:min(len(readable), most)] + "_" + hex.EncodeToString(sum[:4])
}

var unnameable = regexp.MustCompile(`[^a-zA-Z0-9-]+`)

// wire returns the tool as the model sees it. If its name differs from the label, the description
// begins with the label.
func (t Tool) wire() llm.Tool {
	w := llm.Tool{Name: ToolName(t.Label), Description: t.Description, Parameters: t.Parameters}
	if w.Name != t.Label {
		w.Description = strings.TrimSuffix(t.Label+": "+t.Description, ": ")
	}
	return w
}

func checkTools(tools []Tool) error {
	switch {
	case len(tools) == 0:
		return errors.New("there is nothing to call")
	case len(tools) > maxTools:
		return fmt.Errorf("%d tools are more than %d, which is what a request may offer", len(tools), maxTools)
	}
	owner := map[string]string{}
	for _, t := range tools {
		name := ToolName(t.Label)
		if other, taken := owner[name]; taken {
			return fmt.Errorf("%.80q and %.80q would both be called %s", other, t.Label, name)
		}
		owner[name] = t.Label
		if err := checkParameters(t.Parameters); err != nil {
			return fmt.Errorf("%.80q: parameters: %w", t.Label, err)
		}
	}
	return nil
}

// checkParameters returns an error unless the parameters are a JSON Schema of an object. The
// service checks the rest of the schema.
func checkParameters(raw json.RawMessage) error {
	if raw == nil {
		return nil
	}
	var schema struct {
		Type any `json:"type"`
	}
	if err := json.Unmarshal(raw, &schema); err != nil || schema.Type != nil && schema.Type != "object" ||
		!bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return fmt.Errorf("%.80s is not a JSON schema of an object", raw)
	}
	return nil
}
