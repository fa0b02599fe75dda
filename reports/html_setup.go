package reports

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/journal"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// manifest returns the manifest of the run; nil if the report has none.
func (h htmlReport) manifest() *journal.Manifest {
	if h.Run == nil || h.Run.Manifest.Version == "" {
		return nil
	}
	return &h.Run.Manifest
}

// prompts returns the prompts that the run stored.
func (h htmlReport) prompts() []compare.Prompt {
	if h.manifest() == nil {
		return nil
	}
	return h.Run.Prompts()
}

// setupTables returns how a suite was run: the models, the settings of each variant, the dataset, what
// is required to repeat the run, and the prompts. The manifest can be nil.
func setupTables(s eval.SuiteSummary, m *journal.Manifest, prompts []compare.Prompt) (blocks []document.Block) {
	models := document.Table{Keys: 1, Class: "texts",
		Columns: []document.Column{{Head: "component"}, {Head: "kind"}, {Head: "behavior"}}}
	for _, one := range s.Models {
		note := document.Cell{Text: text.Excerpt(one.Note, maxSetupText)}
		if one.Variants != nil {
			note.Tail = "in " + joinNames(one.Variants)
		}
		models.AddRow([]document.Cell{{Text: named(one.Component)}, {Text: one.Kind}, note})
	}
	settings := document.Table{Keys: 1, Class: "texts",
		Columns: []document.Column{{Head: "variant"}, {Head: "settings"}}}
	for _, one := range variantSettings(s, m) {
		settings.AddRow([]document.Cell{{Text: named(one.variant)}, {Text: text.Excerpt(one.text, maxSetupText)}})
	}
	facts := document.Table{Keys: 1, Class: "texts", Columns: []document.Column{{Head: "fact"}, {Head: "value"}}}
	for _, f := range setupFacts(s, m) {
		facts.AddRow([]document.Cell{{Text: f.name}, {Text: text.Excerpt(f.text, maxSetupText)}})
	}
	blocks = []document.Block{{Level: 3, Heading: "Models", Table: models},
		{Level: 3, Heading: "Settings", Table: settings},
		{Level: 3, Heading: "Run", Table: facts}}
	blocks = slices.DeleteFunc(blocks, func(b document.Block) bool { return b.Table.Rows() == 0 })
	return append(blocks, promptBlocks(s, prompts)...)
}

// maxSetupText and maxPromptText are the maximum lengths of a setting and of a prompt on the page, in
// characters; maxNames is the maximum number of names in a list.
const (
	maxSetupText  = 600
	maxPromptText = 20_000
	maxNames      = 6
)

// joinNames joins names in the form "a, b and c". It names at most maxNames of them.
func joinNames(names []string) string {
	var shown []string
	for _, n := range names[:min(len(names), maxNames)] {
		shown = append(shown, named(n))
	}
	if more := len(names) - len(shown); more > 0 {
		shown = append(shown, thousands(int64(more))+" more")
	}
	return text.JoinAnd(shown)
}

// promptBlocks returns the prompts of a suite, each text once and folded.
func promptBlocks(s eval.SuiteSummary, all []compare.Prompt) (blocks []document.Block) {
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
		content := p.Text
		if runes := []rune(content); len(runes) > maxPromptText {
			content = string(runes[:maxPromptText]) + text.Ellipsis
		}
		name := fmt.Sprintf("Prompt %s: %s (in %s)", p.Setting, cmp.Or(p.File, "built in"),
			joinNames(variants[key{p.Setting, p.ID}]))
		blocks = append(blocks, document.Block{More: &document.Folded{Name: name,
			Blocks: []document.Block{{Preformatted: strings.Split(content, "\n")}}}})
	}
	return blocks
}

type setupFact struct{ name, text string }

func setupFacts(s eval.SuiteSummary, m *journal.Manifest) (list []setupFact) {
	data := s.Dataset
	if s.Split != "" {
		data += ", split " + s.Split
	}
	list = append(list, setupFact{"dataset", data}, setupFact{"cases", strings.Join(caseSelection(s), ", ")})
	if s.TrainingCases > 0 {
		list = append(list, setupFact{"training", plural(s.TrainingCases, "case") +
			" in the train split; baseline models are trained without the case they answer"})
	}
	var baselineModels []string
	for _, c := range finding.ConditionsWithoutFault(s) {
		if c.BaselineModel {
			baselineModels = append(baselineModels, c.Variant)
		}
	}
	if len(baselineModels) > 0 {
		list = append(list, setupFact{"baseline models",
			joinNames(baselineModels) + ": trained in this run, for comparison"})
	}
	list = append(list, setupFact{"clock", s.Clock})
	if m == nil {
		return list
	}
	for i, d := range m.Datasets {
		if suiteInManifest(m, i) == s.Name {
			list = append(list, setupFact{"hash of the dataset", d.Hash})
		}
	}
	return append(list, setupFact{"seed", fmt.Sprint(m.Seed)}, setupFact{"evalctl", m.Version + ", " + m.Toolchain},
		setupFact{"command", "evalctl " + strings.Join(m.Args, " ")})
}

// suiteInManifest returns the name of suite n of a manifest; "" if it cannot be read.
func suiteInManifest(m *journal.Manifest, n int) string {
	var of struct {
		Name string `json:"name"`
	}
	if n >= len(m.Suites) || json.Unmarshal(m.Suites[n], &of) != nil {
		return ""
	}
	return of.Name
}

type variantSetting struct{ variant, text string }

// variantSettings returns the settings of a suite's variants from the manifest. It omits nested values.
func variantSettings(s eval.SuiteSummary, m *journal.Manifest) (list []variantSetting) {
	if m == nil {
		return nil
	}
	for i, raw := range m.Suites {
		if suiteInManifest(m, i) != s.Name {
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
			list = append(list, variantSetting{variant: name, text: settingsText(v)})
		}
	}
	return list
}

func settingsText(v map[string]any) string {
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

// foldedMetrics returns the tables of all metrics without a fault, as report -v shows them.
func foldedMetrics(s eval.SuiteSummary) document.Block {
	tables := metricTables(s, finding.ConditionsWithoutFault(s))
	if len(tables) == 0 {
		return document.Block{}
	}
	for i := range tables {
		tables[i].Table.Class = "stack"
	}
	return document.Block{More: &document.Folded{Name: "All metrics", Blocks: tables}}
}

// howToRead explains what the numbers of a page mean.
func howToRead(s eval.SuiteSummary) document.Block {
	lines := []document.Line{
		{Text: "Every accuracy has a 95 % interval, and every share has its number of cases. With fewer than 20 cases, the accuracy of a variant is a count."},
		{Text: "The p95 of fewer than 20 values is the largest of them, shown as max."},
		{Text: "A gate shows its worst condition. Missing values count against a condition."},
		{Text: "Unscored cases count neither as right nor as wrong; they are shown separately."},
	}
	if len(s.Differences) > 0 {
		lines = append(lines, document.Line{
			Text: "A difference compares the same cases. Fixed cases are wrong in the reference variant and right in this one; broken cases are the reverse."},
			document.Line{Text: "A difference is significant if p is at most 0.05 after Holm's correction for all comparisons of its family. Intervals are not corrected, so an interval without zero can be not significant. Retrieval, images, latency and cost have no test: findings state whether the 95 % interval excludes 0, or 1 for a ratio."})
	}
	if simulationWarning(s) != "" {
		lines = append(lines, document.Line{
			Text: "Simulated models answer from the labels with a configured accuracy. The numbers show how the agent behaves, not how good a model is."})
	}
	return document.Block{More: &document.Folded{Name: "How to read this page",
		Blocks: []document.Block{{Lines: lines}, {Level: 3, Heading: "Metrics", Table: metricTerms(s)}}}}
}

// metricTerms explains the metrics that the tables of a suite show, except those that exist for each
// label or node.
func metricTerms(s eval.SuiteSummary) document.Table {
	g := document.Table{Keys: 1, Class: "texts", Columns: []document.Column{{Head: "metric"}, {Head: "meaning"}}}
	seen := map[string]bool{}
	for _, k := range measuredKeys(finding.ConditionsWithoutFault(s)) {
		if k.IsSecondary() || k.Group.HasOwnTable() || seen[k.Meaning] {
			continue
		}
		seen[k.Meaning] = true
		g.AddRow([]document.Cell{{Text: k.ColumnHeading(s.Epochs)}, {Text: k.Meaning}})
	}
	return g
}

// setupBlock returns how a suite was run: models, settings, dataset, prompts, and what is required to
// repeat the run.
func (h htmlReport) setupBlock(s eval.SuiteSummary) document.Block {
	name := fmt.Sprintf("Setup: %s, dataset %s", plural(int64(len(s.Models)), "model"), named(s.Dataset))
	return document.Block{Graphics: document.Graphics{ID: sectionID(s, "setup")},
		More: &document.Folded{Name: name, Blocks: setupTables(s, h.manifest(), h.prompts())}}
}
