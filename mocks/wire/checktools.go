package wire

import (
	"fmt"
	"slices"

	"evalctl/mocks/model"
	"evalctl/mocks/schema"
)

// maxTools is the maximum number of tools in a request to OpenAI.
const maxTools = 128

var toolModes = []string{"", "auto", "none", "required", "object"}

// checkToolChoice returns a refusal if tool_choice is an unknown mode or names a function that is
// not among the tools.
func (c *Call) checkToolChoice(b *ChatBody) *model.ErrorResponse {
	if mode := b.ToolChoice.mode; !slices.Contains(toolModes, mode) {
		return c.invalidWithCode("invalid_value", "tool_choice",
			fmt.Sprintf("Invalid value for 'tool_choice': '%s'. Supported values are: 'none', 'auto', and 'required'.",
				model.Excerpt(mode)))
	}
	if name := b.ToolChoice.name; name != "" {
		if _, ok := b.findFunction(name); !ok {
			return c.invalidRequest(fmt.Sprintf("Invalid value for 'tool_choice': function '%s' not found in 'tools'.",
				model.Excerpt(name)), "tool_choice")
		}
	}
	return nil
}

// checkTools validates the tools of a request by OpenAI's rules.
func (c *Call) checkTools(b *ChatBody) *model.ErrorResponse {
	switch {
	case len(b.Tools) > maxTools:
		return c.invalidWithCode("array_above_max_length", "tools",
			fmt.Sprintf("Invalid 'tools': array too long. Expected an array with maximum length %d, but got an array with length %d instead.", maxTools, len(b.Tools)))
	case len(b.Tools) == 0 && b.ToolChoice.mode != "" && b.ToolChoice.mode != "none":
		return c.invalidRequest(
			"Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.", "tool_choice")
	case len(b.Tools) == 0 && b.ParallelToolCalls != nil:
		return c.invalidRequest(
			"Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.", "parallel_tool_calls")
	}
	for i, t := range b.Tools {
		if p := c.checkFunction(fmt.Sprintf("tools[%d]", i), t); p != nil {
			return p
		}
	}
	return nil
}

func (c *Call) checkFunction(at string, t tool) *model.ErrorResponse {
	f, name := t.Function, at+".function.name"
	switch {
	case t.Type == "":
		return c.invalidWithCode("missing_required_parameter", at+".type", "Missing required parameter: '"+at+".type'.")
	case !t.isFunction():
		return nil
	case f.Name == "":
		return c.invalidWithCode("missing_required_parameter", name, "Missing required parameter: '"+name+"'.")
	case !isFunctionName(f.Name):
		return c.invalidWithCode("invalid_value", name,
			"Invalid '"+name+"': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.")
	case !f.hasParameters():
		return nil
	}
	if wrong := schemaError(f.Parameters, f.Strict); wrong != "" {
		return c.invalidWithCode("invalid_function_parameters", at+".function.parameters",
			"Invalid schema for function '"+f.Name+"': "+wrong)
	}
	return nil
}

// schemaError returns the error in the parameter schema of a function; empty: the schema is valid.
func schemaError(raw []byte, strict bool) string {
	s, err := schema.Parse(raw)
	switch {
	case err != nil:
		return err.Error()
	case strict:
		return s.StrictViolation()
	}
	return s.ObjectError()
}

// checkSchema validates and decodes the JSON schema in response_format. Only OpenAI rejects
// violations of its strict mode. Other providers document no such check, so they accept the schema.
func (c *Call) checkSchema(b *ChatBody) *model.ErrorResponse {
	format := &b.ResponseFormat
	if format.Type != "json_schema" {
		return nil
	}
	const at = "response_format.json_schema"
	given := format.JSONSchema
	switch {
	case given == nil:
		return c.invalidWithCode("missing_required_parameter", at, "Missing required parameter: '"+at+"'.")
	case given.Name == "":
		return c.invalidWithCode("missing_required_parameter", at+".name", "Missing required parameter: '"+at+".name'.")
	case !isFunctionName(given.Name):
		return c.invalidWithCode("invalid_value", at+".name",
			"Invalid '"+at+".name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.")
	case len(given.Schema) == 0 && !given.Strict:
		return nil
	case len(given.Schema) == 0:
		return c.invalidWithCode("missing_required_parameter", at+".schema",
			"Missing required parameter: '"+at+".schema'.")
	}
	s, err := schema.Parse(given.Schema)
	wrong := ""
	switch {
	case err != nil:
		wrong = err.Error()
	case given.Strict && c.Route.Dialect == OpenAI:
		wrong = s.StrictViolation()
	}
	if wrong != "" {
		return c.invalidRequest("Invalid schema for response_format '"+given.Name+"': "+wrong, "response_format")
	}
	given.parsed = s
	return nil
}
