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
	"sync"

	"evalctl/agent"
	"evalctl/agent/companion/diary"
	"evalctl/agent/file"
	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// open reads a variant's prompts and prepares its diary.
func open(o system.Options) (system.OpenVariant, error) {
	prompts, err := promptsOf(o.Values)
	if err != nil {
		return system.OpenVariant{}, err
	}
	cfg := config{
		Threshold: new(o.Number("threshold")), Keyword: new(o.Number("keyword-threshold")), Below: below(o.Values["low-confidence-action"]),
		AlwaysAsk: o.Values["fast-path"] == off, Most: int(o.Number("max-days")), History: int(o.Number("history")),
		Prompts: prompts, DecisionOnly: o.DecisionOnly,
	}
	if name := o.Values["time-zone"]; name != "" {
		if cfg.Zone, err = zoneOf(name); err != nil {
			return system.OpenVariant{}, fmt.Errorf("zone: %w", err)
		}
	}
	shelf, err := openDiary(o.Values)
	if err != nil {
		return system.OpenVariant{}, err
	}
	cfg.Agents = shelf.agents
	if len(cfg.Agents) > 0 {
		cfg.Agent = cfg.Agents[0]
	}
	opened := system.OpenVariant{Version: prompts.Hash() + shelf.version, Agent: func(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
		cfg := cfg
		cfg.Diary = shelf.diary()
		return cfg.connect(seed, link)
	}}
	if o.Values["debounce"] == on {
		opened.Debounce = gather
	}
	return opened, nil
}

// promptsOf are the shipped prompts, the variant's own in their place.
func promptsOf(v system.Values) (prompts, error) {
	prompts, err := shippedPrompts()
	if err != nil {
		return prompts, err
	}
	for name, at := range map[string]*llm.Prompt{
		"prompt": &prompts.Intent, "reply-format-prompt": &prompts.Format, "summary-prompt": &prompts.Summary, "persona-prompt": &prompts.Agent,
	} {
		if v[name] == "" {
			continue
		}
		if *at, err = llm.LoadPlainPromptFile(v[name]); err != nil {
			return prompts, fmt.Errorf("%s: %w", name, err)
		}
	}
	return prompts, nil
}

// connect makes a whole companion: every client is its own.
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
		if *node.at, err = link(node.part).Client(node.cfg); err != nil {
			return nil, err
		}
	}
	cfg.BeforeLookup, cfg.BeforeStore = link("knowledge").BeforeCall, link("store").BeforeCall
	return newCompanion(cfg)
}

const shippedName = "memories.jsonl"

//go:embed memories.jsonl
var shippedDays []byte

// shelf is a variant's diary.
type shelf struct {
	diary   func() *diary.MemoryStore // a trial's own, or the lasting one
	agents  []string                  // whose days they are
	version string
}

// openDiary reads the days that there are and prepares what trials copy.
func openDiary(v system.Values) (s shelf, err error) {
	name := v["memory-file"]
	switch {
	case name == "" && v["store"] == "":
		return shippedShelf()
	case name == "":
		return shelve("", nil, v["store"]) // the shipped days are of invented lives
	}
	raw, err := file.Read(name, maxMemories)
	if err != nil {
		return s, fmt.Errorf("memories: %w", err)
	}
	return shelve(name, raw, v["store"])
}

// shippedShelf has the days that come with the package.
var shippedShelf = sync.OnceValues(func() (shelf, error) { return shelve(shippedName, shippedDays, "") })

// shelve puts days into a diary, or those that it lacks into that of a file.
func shelve(name string, raw []byte, path string) (s shelf, err error) {
	days, err := diary.Load(name, bytes.NewReader(raw))
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
	if path != "" {
		s.diary = func() *diary.MemoryStore { return d }
		return s, nil
	}
	s.diary, err = d.Cloner()
	return s, errors.Join(err, d.Close())
}

// maxMemories bounds a file of days, in bytes.
const maxMemories = 256 << 20
