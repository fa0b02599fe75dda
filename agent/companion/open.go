package companion

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"evalctl/agent"
	"evalctl/agent/companion/diary"
	"evalctl/agent/file"
	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// open reads a variant's prompts and prepares its diary.
func open(o system.Options) (system.Opened, error) {
	prompts, err := promptsOf(o.Values)
	if err != nil {
		return system.Opened{}, err
	}
	cfg := Config{
		Threshold: new(o.Number("threshold")), Keyword: new(o.Number("keyword-threshold")), Below: Below(o.Values["below"]),
		AlwaysAsk: o.Values["fast"] == off, Most: int(o.Number("most")), History: int(o.Number("history")),
		Prompts: prompts, DecisionOnly: o.DecisionOnly,
	}
	if name := o.Values["zone"]; name != "" {
		if cfg.Zone, err = zoneOf(name); err != nil {
			return system.Opened{}, fmt.Errorf("zone: %w", err)
		}
	}
	shelf, err := openDiary(o.Values)
	if err != nil {
		return system.Opened{}, err
	}
	cfg.Agent = shelf.first
	opened := system.Opened{Version: prompts.Hash() + shelf.version, Agent: func(seed uint64, link func(string) system.Link) (agent.Agent, error) {
		cfg := cfg
		cfg.Diary = shelf.diary()
		return cfg.connect(seed, link)
	}}
	if o.Values["gather"] == on {
		opened.Gather = Gather
	}
	return opened, nil
}

// promptsOf are the shipped prompts, the variant's own in their place.
func promptsOf(v system.Values) (Prompts, error) {
	prompts, err := ShippedPrompts()
	if err != nil {
		return prompts, err
	}
	for name, at := range map[string]*llm.Prompt{
		"prompt": &prompts.Intent, "reply-format": &prompts.Format, "summarise": &prompts.Summary, "agent-prompt": &prompts.Agent,
	} {
		if v[name] == "" {
			continue
		}
		if *at, err = loadPrompt(v[name]); err != nil {
			return prompts, fmt.Errorf("%s: %w", name, err)
		}
	}
	return prompts, nil
}

// connect makes a whole companion: every client is its own.
func (cfg Config) connect(seed uint64, link func(string) system.Link) (agent.Agent, error) {
	var err error
	for _, node := range []struct {
		part string
		cfg  llm.Config
		at   **llm.Client
	}{
		{"router", llm.Config{Node: intentNode, Timeout: DecisionTimeout}, &cfg.Router},
		{"chat", llm.Config{Node: chatNode}, &cfg.Chat},
		{"summary", llm.Config{Node: summaryNode, Timeout: SummaryTimeout}, &cfg.Summary},
	} {
		node.cfg.Seed = seed
		if *node.at, err = link(node.part).Client(node.cfg); err != nil {
			return nil, err
		}
	}
	cfg.BeforeLookup, cfg.BeforeStore = link("knowledge").Before, link("store").Before
	return New(cfg)
}

const shippedName = "memories.jsonl"

//go:embed memories.jsonl
var shippedDays []byte

// shelf is a variant's diary.
type shelf struct {
	diary   func() *diary.Diary // a trial's own, or the lasting one
	first   string              // whose days come first
	version string
}

// openDiary reads the days that there are and prepares what trials copy.
func openDiary(v system.Values) (s shelf, err error) {
	if v["memories"] == "" && v["store"] == "" {
		return shippedShelf()
	}
	name, raw := shippedName, shippedDays
	if v["memories"] != "" {
		name = v["memories"]
		if raw, err = file.Read(name, maxMemories); err != nil {
			return s, fmt.Errorf("memories: %w", err)
		}
	}
	return shelve(name, raw, v["store"])
}

// shippedShelf has the days that come with the package.
var shippedShelf = sync.OnceValues(func() (shelf, error) { return shelve(shippedName, shippedDays, "") })

// shelve puts days into a diary, into that of a file when it is new.
func shelve(name string, raw []byte, path string) (s shelf, err error) {
	days, err := diary.Load(name, bytes.NewReader(raw))
	if err != nil {
		return s, fmt.Errorf("memories: %w", err)
	}
	if len(days) > 0 {
		s.first = days[0].Agent
	}
	sum := sha256.Sum256(raw)
	s.version = hex.EncodeToString(sum[:8])
	d, err := diary.Open(path)
	if err != nil {
		return s, fmt.Errorf("store: %w", err)
	}
	if err := fill(d, days); err != nil {
		return s, errors.Join(err, d.Close())
	}
	if path != "" {
		s.diary = func() *diary.Diary { return d }
		return s, nil
	}
	s.diary, err = d.Copies()
	return s, errors.Join(err, d.Close())
}

// maxMemories bounds a file of days, in bytes.
const maxMemories = 256 << 20

// fill gives an empty diary its days.
func fill(d *diary.Diary, days []diary.Day) error {
	ctx := context.Background()
	if len(days) == 0 {
		return nil
	}
	there, err := d.Lookup(ctx, diary.Query{Agent: days[0].Agent, Days: []diary.Span{{From: days[0].Date, To: days[0].Date}}, Today: days[0].Date, Most: 1})
	if err != nil || len(there) > 0 {
		return err
	}
	return d.Put(ctx, days...)
}
