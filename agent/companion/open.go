package companion

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/companion/diary"
	"evalctl/agent/file"
	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// open creates a variant: it reads the prompts and opens the diary.
func open(o system.Options) (system.LoadedVariant, error) {
	prompts, err := promptsOf(o.SettingValues)
	if err != nil {
		return system.LoadedVariant{}, err
	}
	cfg := config{
		Threshold:        new(o.Number("threshold")),
		KeywordThreshold: new(o.Number("keyword-threshold")),
		LowConfidence:    lowConfidenceAction(o.SettingValues["low-confidence-action"]),
		AlwaysCallModel:  o.SettingValues["fast-path"] == off,
		MaxDays:          int(o.Number("max-days")),
		HistoryTurns:     int(o.Number("history")),
		Prompts:          prompts,
		DecisionOnly:     o.DecisionOnly,
	}
	if name := o.SettingValues["time-zone"]; name != "" {
		if cfg.Zone, err = clock.LoadZone(name); err != nil {
			return system.LoadedVariant{}, fmt.Errorf("zone: %w", err)
		}
	}
	shelf, err := openDiary(o.SettingValues)
	if err != nil {
		return system.LoadedVariant{}, err
	}
	cfg.Agents = shelf.agents
	if len(cfg.Agents) > 0 {
		cfg.Agent = cfg.Agents[0]
	}
	opened := system.LoadedVariant{Version: prompts.Hash() + shelf.version,
		Prompts: llm.PromptTexts(prompts.bySetting()),
		NewAgent: func(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
			cfg := cfg
			cfg.Diary = shelf.diary()
			return cfg.connect(seed, link)
		}}
	if o.SettingValues["debounce"] == on {
		opened.Debounce = newDebouncer
	}
	return opened, nil
}

// promptsOf returns the prompts of the package, replaced by the files in the settings.
func promptsOf(v system.SettingValues) (prompts, error) {
	prompts, err := shippedPrompts()
	if err != nil {
		return prompts, err
	}
	for name, at := range prompts.bySetting() {
		if v[name] == "" {
			continue
		}
		if *at, err = llm.LoadPlainPromptFile(v[name]); err != nil {
			return prompts, fmt.Errorf("%s: %w", name, err)
		}
	}
	return prompts, nil
}

// bySetting returns the prompts by the setting that replaces each.
func (p *prompts) bySetting() map[string]*llm.Prompt {
	return map[string]*llm.Prompt{
		"prompt":              &p.Intent,
		"reply-format-prompt": &p.ReplyFormat,
		"summary-prompt":      &p.Summary,
		"persona-prompt":      &p.PersonaOverride,
	}
}

// connect creates a companion with a client for each of its models.
func (cfg config) connect(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
	var err error
	for _, node := range []struct {
		part string
		cfg  llm.Config
		at   **llm.Client
	}{
		{"router", llm.Config{Node: intentNode, Timeout: decisionTimeout}, &cfg.Router},
		{"chat", llm.Config{Node: chatNode}, &cfg.Chat},
		{"summary", llm.Config{Node: summaryNode, Timeout: summaryTimeout}, &cfg.Summary},
	} {
		node.cfg.Seed = seed
		if *node.at, err = link(node.part).NewClient(node.cfg); err != nil {
			return nil, err
		}
	}
	cfg.BeforeSearch, cfg.BeforeStore = link("knowledge").BeforeCall, link("store").BeforeCall
	return newCompanion(cfg)
}

const shippedName = "daily_summaries.jsonl"

//go:embed daily_summaries.jsonl
var shippedDays []byte

// diarySource provides the diary of a variant.
type diarySource struct {
	diary   func() *diary.Store // returns a copy for each trial, or always the persistent diary
	agents  []string            // agents that have days in the diary
	version string
}

// openDiary reads the daily summaries and prepares the diary that is copied for each trial.
func openDiary(v system.SettingValues) (s diarySource, err error) {
	name := v["memory-file"]
	switch {
	case name == "" && v["store"] == "":
		return builtInDiary()
	case name == "":
		// the built-in days are fictional, so they are not added to a persistent diary
		return newDiarySource("", nil, v["store"])
	}
	raw, err := file.Read(name, maxMemories)
	if err != nil {
		return s, fmt.Errorf("memories: %w", err)
	}
	return newDiarySource(name, raw, v["store"])
}

// builtInDiary returns the diary with the fictional days that ship with the package.
var builtInDiary = sync.OnceValues(func() (diarySource, error) { return newDiarySource(shippedName, shippedDays, "") })

// newDiarySource creates a diary from daily summaries, or adds them to the one in a file (path).
func newDiarySource(name string, raw []byte, path string) (s diarySource, err error) {
	days, err := diary.ReadSummaries(name, bytes.NewReader(raw))
	if err != nil {
		return s, fmt.Errorf("memories: %w", err)
	}
	for _, day := range days {
		if !slices.Contains(s.agents, day.Agent) {
			s.agents = append(s.agents, day.Agent)
		}
	}
	sum := sha256.Sum256(raw)
	s.version = hex.EncodeToString(sum[:8])
	d, err := diary.Open(path)
	if err != nil {
		return s, fmt.Errorf("store: %w", err)
	}
	if err := d.AddMissing(context.Background(), days...); err != nil {
		return s, errors.Join(fmt.Errorf("memories: %s: %w", name, err), d.Close())
	}
	stored, err := d.Agents(context.Background())
	if err != nil {
		return s, errors.Join(fmt.Errorf("store: %w", err), d.Close())
	}
	for _, agent := range stored {
		if !slices.Contains(s.agents, agent) && !strings.Contains(agent, ownerSeparator) {
			s.agents = append(s.agents, agent)
		}
	}
	if path != "" {
		s.diary = func() *diary.Store { return d }
		return s, nil
	}
	s.diary, err = d.CloneFunc()
	return s, errors.Join(err, d.Close())
}

// maxMemories limits the size of a file with daily summaries, in bytes.
const maxMemories = 256 << 20
