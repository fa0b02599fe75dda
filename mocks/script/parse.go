package script

import (
	"errors"
	"fmt"
	"io"

	"github.com/goccy/go-yaml"

	"evalctl/eval/suggest"
	"evalctl/mocks/component"
)

// MaxBytes is the maximum size of a script file in bytes.
const MaxBytes = 1 << 20

// Parse parses a YAML script for an agent with the given components. It reports all errors,
// including unknown keys, each with name:line. The caller must reject deep nesting and alias
// expansion before. The format is
//
//	components:		        # assigns requests to components (optional)
//	  - match: {system: 审稿}
//		component: critic
//	rules:		             # the first match answers
//	  - match: {component: router, model: qwen-plus, text: 画, regex: "^画", system: 路由, nth: 2}
//		answer:
//		  json: {route: image_gen, confidence: 0.9, reason: 画图}
//	  - match: {component: search}
//		answer: {error: {status: 429, code: limit_requests, message: slow down, retry_after: 2s}, delay: 50ms}
//	default: {content: 好的}	# otherwise: content or json, reasoning, tool_calls, finish_reason, usage, delay
func Parse(name string, r io.Reader, parts component.Components) (*Script, error) {
	source, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(source) > MaxBytes {
		return nil, fmt.Errorf("%s: is longer than %d bytes", name, MaxBytes)
	}
	var f file
	err = yaml.UnmarshalWithOptions(source, &f, yaml.Strict(), yaml.UseOrderedMap())
	if err != nil {
		return nil, yamlError(name, err)
	}
	b := &builder{name: name, source: source, parts: parts}
	return b.build(&f)
}

// yamlError adds the file name and the line to an error of the YAML package. For an unknown key it
// suggests a similar one.
func yamlError(name string, err error) error {
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil {
		if hint := suggest.AddKeyHint(y.GetMessage(), file{}); hint != y.GetMessage() {
			return fmt.Errorf("%s:%d: %s", name, y.GetToken().Position.Line, hint)
		}
		return fmt.Errorf("%s:%d: %w", name, y.GetToken().Position.Line, err)
	}
	return fmt.Errorf("%s:1: %w", name, err)
}
