package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
)

// Setup renders how a suite was run: the models, the settings of each variant, the dataset, and
// what is required to reproduce the run. The manifest can be nil. prompts are those of all suites.
func Setup(s eval.SuiteSummary, m *journal.Manifest, prompts []compare.Prompt) template.HTML {
	data := struct {
		Models   []model
		Variants []setting
		Facts    []fact
		Prompts  []prompt
	}{
		Models:   models(s),
		Facts:    facts(s, m),
		Variants: settings(s, m),
		Prompts:  promptsOf(s, prompts),
	}
	for i := range data.Facts {
		data.Facts[i].Text = prose(data.Facts[i].Text)
	}
	return fragment("setup", data)
}

// prompt is a prompt with the variants that use it.
type prompt struct{ Name, Variants, Text string }

// maxPromptText limits the shown text of a prompt, in characters.
const maxPromptText = 20_000

// promptsOf returns the prompts of a suite, each text once.
func promptsOf(s eval.SuiteSummary, all []compare.Prompt) (list []prompt) {
	type key struct{ setting, id string }
	variants := map[key][]string{}
	var order []compare.Prompt
	for _, p := range all {
		if p.Suite != s.Name {
			continue
		}
		k := key{p.Setting, p.ID}
		if variants[k] == nil {
			order = append(order, p)
		}
		variants[k] = append(variants[k], p.Variant)
	}
	for _, p := range order {
		one := prompt{
			Name:     p.Setting + ": " + cmp.Or(p.File, "built in"),
			Variants: joinNames(variants[key{p.Setting, p.ID}]),
			Text:     text.EscapeMultiline(excerptOf(p.Text)),
		}
		list = append(list, one)
	}
	return list
}

// excerptOf returns the start of a prompt's text.
func excerptOf(text string) string {
	if r := []rune(text); len(r) > maxPromptText {
		return string(r[:maxPromptText]) + "…"
	}
	return text
}

// model describes the model of a component, such as the router.
type model struct{ Component, Kind, Note, Only string }

func models(s eval.SuiteSummary) (list []model) {
	for _, m := range s.Models {
		one := model{Component: m.Component, Kind: m.Kind, Note: prose(m.Note)}
		if m.Variants != nil {
			one.Only = "in " + joinNames(m.Variants)
		}
		list = append(list, one)
	}
	return list
}

const maxProse = 600

func prose(s string) string { return text.Excerpt(s, maxProse) }

type fact struct{ Name, Text string }

type setting struct{ Name, Text string }

func facts(s eval.SuiteSummary, m *journal.Manifest) (list []fact) {
	data := s.Dataset
	if s.Split != "" {
		data += ", split " + s.Split
	}
	list = append(list, fact{"dataset", data}, fact{"cases", casesText(s)})
	if s.Epochs > 1 {
		list = append(list, fact{"epochs", metric.FormatInteger(int64(s.Epochs))})
	}
	if s.TrainingCases > 0 {
		list = append(list, fact{"linear",
			metric.Plural(s.TrainingCases, "case") +
				" in the train split; baseline models are trained without the case they answer"})
	}
	var baselineModels []string
	for _, c := range faultFree(s) {
		if c.BaselineModel {
			baselineModels = append(baselineModels, c.Variant)
		}
	}
	if len(baselineModels) > 0 {
		list = append(list, fact{"baseline model", joinNames(baselineModels) + ": trained in this run, for comparison"})
	}
	list = append(list, fact{"clock", s.Clock})
	if m == nil || m.Version == "" {
		return list
	}
	for i, d := range m.Datasets {
		if suiteName(m, i) == s.Name {
			list = append(list, fact{"hash of the data", d.Hash})
		}
	}
	return append(list, fact{"seed", fmt.Sprint(m.Seed)}, fact{"evalctl", m.Version + ", " + m.Toolchain},
		fact{"command", "evalctl " + strings.Join(m.Args, " ")})
}

func casesText(s eval.SuiteSummary) string {
	text := metric.FormatInteger(s.Cases)
	switch {
	case s.FailedInRun != "":
		text += ", only those that failed in " + s.FailedInRun
	case s.AvailableCases > s.Cases && s.Sample > 0:
		text += ", a sample of " + metric.FormatInteger(s.AvailableCases)
	case s.AvailableCases > s.Cases:
		text += ", the first of " + metric.FormatInteger(s.AvailableCases)
	}
	if len(s.Tags) > 0 {
		text += ", tagged " + strings.Join(s.Tags, ", ")
	}
	if s.DecisionOnly {
		text += ", decision only"
	}
	return text
}

// suiteName returns the name of suite n in the manifest; "" if it cannot be read.
func suiteName(m *journal.Manifest, n int) string {
	var of struct {
		Name string `json:"name"`
	}
	if n >= len(m.Suites) || json.Unmarshal(m.Suites[n], &of) != nil {
		return ""
	}
	return of.Name
}

// settings returns the settings of a suite's variants from the manifest. It omits nested values.
func settings(s eval.SuiteSummary, m *journal.Manifest) (list []setting) {
	if m == nil {
		return nil
	}
	for i, raw := range m.Suites {
		if suiteName(m, i) != s.Name {
			continue
		}
		var of struct {
			Variants []map[string]any `json:"variants"`
		}
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		if decoder.Decode(&of) != nil {
			return nil
		}
		for _, v := range of.Variants {
			name, _ := v["name"].(string)
			list = append(list, setting{Name: name, Text: prose(plainSettings(v))})
		}
	}
	return list
}

func plainSettings(v map[string]any) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(v)) {
		if key == "name" {
			continue
		}
		switch value := v[key].(type) {
		case string:
			parts = append(parts, key+" "+value)
		case json.Number, bool:
			parts = append(parts, fmt.Sprint(key, " ", value))
		case []any:
			names := make([]string, len(value))
			for i, one := range value {
				names[i] = fmt.Sprint(one)
			}
			parts = append(parts, key+" "+strings.Join(names, ", "))
		}
	}
	return strings.Join(parts, " · ")
}
