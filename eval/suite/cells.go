package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"os"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/target"
)

// Cells makes a cell of every variant under each of its faults.
func (s Suite) Cells(world World) ([]*eval.Cell, error) {
	var cells []*eval.Cell
	for _, v := range s.Variants {
		link, err := world(eval.Trial{Cell: &eval.Cell{Fault: eval.NoFault}}, v)
		if err != nil {
			return nil, err
		}
		o, err := systemOf(s.Target).open(s, v, link)
		if err != nil {
			return nil, fmt.Errorf("variant %s: %w", v.Name, err)
		}
		settings, err := s.settings(v, o.version)
		if err != nil {
			return nil, fmt.Errorf("hash the settings of variant %s: %w", v.Name, err)
		}
		for _, fault := range s.FaultsOf(v) {
			cells = append(cells, &eval.Cell{
				Suite: s.Name, Variant: v.Name, Fault: fault, Settings: settings, Scorers: o.scorers(fault), Prices: s.prices(),
				Target: func(t eval.Trial) (eval.Target, error) {
					link, err := world(t, v)
					if err != nil {
						return nil, err
					}
					a, err := o.agent(t.Noise(), link)
					return target.Within{Target: target.System{Agent: a}, Limit: s.Timeout}, err
				},
			})
		}
	}
	return cells, nil
}

// Agent makes the agent of one of the suite's variants, to be talked to.
func (s Suite) Agent(v Variant, noise uint64, link func(component string) Link) (agent.Agent, error) {
	o, err := systemOf(s.Target).open(s, v, link)
	if err != nil {
		return nil, fmt.Errorf("variant %s: %w", v.Name, err)
	}
	return o.agent(noise, link)
}

// settings is a hash of all that a variant's answers depend on. Names change no
// answer, and files count by what is in them.
func (s Suite) settings(v Variant, version string) (string, error) {
	v.Name, v.Prompt, v.Review, v.Library, v.Faults = "", "", "", "", nil
	models, scripts := maps.Clone(s.Models), map[string][]byte{}
	for name, m := range models {
		if m.Script == "" {
			continue
		}
		script, err := os.ReadFile(s.Path(m.Script))
		if err != nil {
			return "", fmt.Errorf("models.%s.script: %w", name, err)
		}
		m.Script, scripts[name] = "", script
		models[name] = m
	}
	b, err := json.Marshal([]any{s.Target, v, models, scripts, version, s.Timeout})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), nil
}

// Trials plays every case in every cell, epoch after epoch: case by case, so
// that a stream of cases is read once.
func Trials(cells []*eval.Cell, cases iter.Seq2[eval.Case, error], epochs int, seed uint64) iter.Seq2[eval.Trial, error] {
	return func(yield func(eval.Trial, error) bool) {
		for c, err := range cases {
			if err != nil {
				yield(eval.Trial{}, err)
				return
			}
			for epoch := 1; epoch <= max(epochs, 1); epoch++ {
				for _, cell := range cells {
					if !yield(eval.Trial{Cell: cell, Case: c, Epoch: epoch, Seed: seed}, nil) {
						return
					}
				}
			}
		}
	}
}
