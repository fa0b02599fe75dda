package classifier

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"evalctl/agent"
	"evalctl/agent/file"
	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// Values of the settings answer-format and example-selection.
const (
	answerJSON  = "json"
	answerPlain = "plain"
	pickByLabel = "per-label"
	pickNearest = "nearest"
)

// maxExamples limits the few-shot examples in a prompt.
const maxExamples = 100

// System declares the classifier as the system "prompt", with its settings.
func System() system.System {
	return system.System{
		Name:    "prompt",
		Summary: "classifies messages with your labels and prompt, in one model call",
		Examples: []string{
			"run prompt --prompt a.md,b.md",
			"run --target prompt --dataset cases.jsonl --labels labels.txt --oos-label other --base-url http://127.0.0.1:8000/v1 --model my-model",
			"chat prompt --labels refund,delivery,other --model deepseek:deepseek-v4-flash",
		},
		Contract: system.Contract{LabelField: defaultField, AllowTools: true},
		Components: []system.Component{
			{Name: Node, Role: system.RoleRouter},
		},
		Settings: []system.Setting{
			{Name: "prompt", IsPrompt: true, Help: "`FILE` with the prompt of the deciding model", IsFile: true,
				Check: checkPrompt},
			{Name: "answer-format", Help: "`FORM` of the model's answer", Values: []string{answerJSON, answerPlain},
				Default: answerJSON},
			{Name: "label-field", Help: "`KEY` of the label in a JSON answer", Default: defaultField, Check: checkField,
				UsedIf: func(v system.SettingValues) bool { return v["answer-format"] == answerJSON }},
			{Name: "examples", IsPrompt: true, Help: "`K` labeled texts of the train split in the prompt", Default: "0",
				Check: system.CheckInteger(0, maxExamples)},
			{Name: "example-selection", IsPrompt: true,
				Help:   "`HOW` they are picked: one of each label in turn, or those nearest to the text",
				Values: []string{pickByLabel, pickNearest}, Default: pickByLabel, UsedIf: showsExamples},
			{Name: "examples-seed", IsPrompt: true, Help: "`SEED` by which they are picked", Default: "1",
				Check: checkSeed, UsedIf: showsExamples},
			{Name: "threshold", Help: "confidence from `0..1` below which the label out of scope is given; an answer without one is invalid", IsThreshold: true,
				Check:  system.CheckNumber(0, 1),
				UsedIf: func(v system.SettingValues) bool { return v["answer-format"] == answerJSON }},
			{Name: "temperature", Help: "temperature of the model, from `0..2`", Check: system.CheckNumber(0, 2)},
		},
		DecisionSources:      []string{"llm"},
		SupportsDecisionOnly: true,
		NewRuleDecider:       guess,
		AnswerFormat: func(v system.SettingValues) system.AnswerFormat {
			return system.AnswerFormat{Field: v["label-field"], PlainLabel: v["answer-format"] == answerPlain}
		},
		Open: open,
	}
}

// guess returns a function that decides without a model, for simulations. It returns the label of
// the most similar example. If none is similar, it returns the last label, which is the
// out-of-scope label if there is one. "": there are no labels.
func guess(o system.Options) (func(string) system.Decision, error) {
	list, err := sample(o, 1)
	if err != nil {
		return nil, err
	}
	p := newNearest(list, 1)
	return func(text string) system.Decision {
		var a system.Decision
		if n := len(o.Labels); n > 0 {
			a.Label = o.Labels[n-1].Name
		}
		if e, ok := p.closest(text); ok {
			a.Label = e.Label
		}
		return a
	}, nil
}

func showsExamples(v system.SettingValues) bool { return v.Number("examples") > 0 }

func fromDisk(path string) ([]byte, error) { return file.Read(path, llm.MaxPromptBytes) }

func checkPrompt(path string) error {
	_, err := readPrompt(path, fromDisk)
	return err
}

func checkField(key string) error {
	if strings.ContainsFunc(key, func(r rune) bool { return !unicode.IsPrint(r) }) || len(key) > 100 {
		return fmt.Errorf("%.60q is not a key", key)
	}
	return nil
}

func checkSeed(value string) error {
	if _, err := strconv.ParseUint(value, 10, 64); err != nil {
		return fmt.Errorf("%q is not a whole number from 0 on", value)
	}
	return nil
}

// open creates a variant of the classifier from its settings: it loads the prompt and the examples.
func open(o system.Options) (system.LoadedVariant, error) {
	cfg := Config{
		Labels:          o.Labels,
		ToolsPerTurn:    o.ToolsPerTurn,
		LabelField:      o.SettingValues["label-field"],
		PlainTextAnswer: o.SettingValues["answer-format"] == answerPlain,
		OOSLabel:        o.OOSLabel,
		Aliases:         o.Aliases,
	}
	if !cfg.PlainTextAnswer {
		cfg.Threshold = o.Number("threshold")
	}
	if cfg.Threshold > 0 && cfg.OOSLabel == "" {
		return system.LoadedVariant{},
			errors.New("threshold: no label is out of scope, so there is none to give instead: say which with --oos-label LABEL")
	}
	var err error
	if path := o.SettingValues["prompt"]; path != "" {
		cfg.Prompt, err = readPrompt(path, fromDisk)
	} else {
		cfg.Prompt, err = cfg.Prompt.orShipped(cfg.PlainTextAnswer)
	}
	if err != nil {
		return system.LoadedVariant{}, fmt.Errorf("prompt: %w", err)
	}
	if o.SettingValues["temperature"] != "" {
		t := o.Number("temperature")
		cfg.Temperature = &t
	}
	var pool []system.LabeledExample
	if k := int(o.Number("examples")); k > 0 {
		if !cfg.Prompt.holdsExamples {
			return system.LoadedVariant{}, errors.New("examples: the prompt has no place for {{examples}}")
		}
		if pool, err = poolOf(o); err != nil {
			return system.LoadedVariant{}, fmt.Errorf("examples: %w", err)
		}
		cfg.Examples = newByLabel(pool, k)
		if o.SettingValues["example-selection"] == pickNearest {
			cfg.Examples = newNearest(pool, k)
		}
	}
	shown, err := system.Fingerprint([]any{o.Labels, o.OOSLabel, pool})
	if err != nil {
		return system.LoadedVariant{}, err
	}
	base, err := cfg.connect(0, o.EndpointOf)
	if err != nil {
		return system.LoadedVariant{}, err
	}
	texts := map[string]string{"prompt": cfg.Prompt.source}
	isFixed := o.SettingValues["example-selection"] != pickNearest
	examples := pool
	if cfg.Examples != nil && isFixed {
		examples = cfg.Examples.Select("")
	}
	if len(examples) > 0 {
		texts["examples"] = exampleLines(examples)
	}
	var filled []string
	if !cfg.Prompt.usesText && isFixed && !cfg.ToolsPerTurn {
		text, err := base.fill(agent.Turn{}, base.choice, examples)
		if err != nil {
			return system.LoadedVariant{}, err
		}
		filled = []string{text}
	}
	return system.LoadedVariant{
		Version:       cfg.Prompt.Hash + shown,
		Prompts:       texts,
		FilledPrompts: filled,
		NewAgent: func(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
			model, err := client(seed, link)
			return base.withModel(model), err // avoids parsing hundreds of labels for every trial
		},
	}, nil
}

// poolOf returns the examples that few-shot examples are selected from. It fails if there are none.
func poolOf(o system.Options) ([]system.LabeledExample, error) {
	if o.ToolsPerTurn {
		return nil, errors.New("each case has tools of its own, which are no labels of other cases: " +
			"run --target prompt without --examples")
	}
	seed, err := strconv.ParseUint(o.SettingValues["examples-seed"], 10, 64)
	if err != nil {
		return nil, err
	}
	list, err := sample(o, seed)
	if err == nil && len(list) == 0 {
		err = errors.New(`the dataset has no case in its train split: give lines "split":"train"`)
	}
	return list, err
}

// sample reads the examples and returns a random sample. It stores at most 2*maxPool at a time.
func sample(o system.Options, seed uint64) (list []system.LabeledExample, err error) {
	if o.Examples == nil {
		return nil, nil
	}
	for e, err := range o.Examples {
		if err != nil {
			return nil, err
		}
		if list = append(list, e); len(list) == 2*maxPool {
			list = sampled(list, seed)
		}
	}
	return sampled(list, seed), nil
}

func (cfg Config) connect(seed uint64, link func(string) system.Endpoint) (_ *Agent, err error) {
	if cfg.Model, err = client(seed, link); err != nil {
		return nil, err
	}
	return New(cfg)
}

func client(seed uint64, link func(string) system.Endpoint) (*llm.Client, error) {
	return link(Node).NewClient(llm.Config{Node: Node, Seed: seed})
}
