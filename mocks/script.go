package mocks

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goccy/go-yaml"
)

// scriptFile is a script as it is written.
type scriptFile struct {
	Components []struct {
		Match     scriptMatch `yaml:"match"`
		Component string      `yaml:"component"`
	} `yaml:"components"`
	Rules []struct {
		Match  scriptMatch  `yaml:"match"`
		Answer scriptAnswer `yaml:"answer"`
	} `yaml:"rules"`
	Default *scriptAnswer `yaml:"default"`
}

type scriptMatch struct {
	Component string `yaml:"component"`
	Model     string `yaml:"model"`
	Text      string `yaml:"text"`
	Regex     string `yaml:"regex"`
	System    string `yaml:"system"`
	Nth       int    `yaml:"nth"`
}

type scriptAnswer struct {
	Content      *string        `yaml:"content"`
	JSON         any            `yaml:"json"`
	Reasoning    string         `yaml:"reasoning"`
	ToolCalls    []scriptCall   `yaml:"tool_calls"`
	FinishReason string         `yaml:"finish_reason"`
	Usage        *scriptUsage   `yaml:"usage"`
	Delay        string         `yaml:"delay"`
	Error        *scriptRefusal `yaml:"error"`
}

type scriptCall struct {
	ID        string `yaml:"id"`
	Name      string `yaml:"name"`
	Arguments any    `yaml:"arguments"`
}

type scriptUsage struct {
	Prompt     int `yaml:"prompt"`
	Completion int `yaml:"completion"`
	Reasoning  int `yaml:"reasoning"`
	Cached     int `yaml:"cached"`
}

type scriptRefusal struct {
	Status     int    `yaml:"status"`
	Type       string `yaml:"type"`
	Code       string `yaml:"code"`
	Message    string `yaml:"message"`
	Param      string `yaml:"param"`
	RetryAfter string `yaml:"retry_after"`
}

// LoadScript reads a script from a file; see ParseScript.
func LoadScript(path string) (*Scripted, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s, err := ParseScript(path, f)
	return s, errors.Join(err, f.Close())
}

// ParseScript reads a script. Unknown keys are errors; errors begin with
// name:line and all of them are reported:
//
//	components:                # which component a request is for (optional)
//	  - match: {system: 审稿}
//	    component: critic
//	rules:                     # the first that matches answers
//	  - match: {component: router, model: qwen-plus, text: 画, regex: "^画", system: 路由, nth: 2}
//	    answer:
//	      json: {route: image_gen, confidence: 0.9, reason: 画图}
//	  - match: {component: search}
//	    answer: {error: {status: 429, code: limit_requests, message: slow down, retry_after: 2s}, delay: 50ms}
//	default: {content: 好的}    # else: content or json, reasoning, tool_calls, finish_reason, usage, delay
func ParseScript(name string, r io.Reader) (*Scripted, error) {
	source, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var f scriptFile
	err = yaml.UnmarshalWithOptions(source, &f, yaml.Strict(), yaml.UseOrderedMap())
	if err != nil {
		return nil, yamlError(name, err)
	}
	b := &scriptBuilder{name: name, source: source}
	return b.build(&f)
}

// yamlError puts the line in front. The package's own text follows, with the
// source and a caret.
func yamlError(name string, err error) error {
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil {
		return fmt.Errorf("%s:%d: %w", name, y.GetToken().Position.Line, err)
	}
	return fmt.Errorf("%s:1: %w", name, err)
}
