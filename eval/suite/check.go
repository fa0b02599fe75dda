package suite

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"evalctl/agent/system"
	"evalctl/eval/suggest"
)

// Check says what is wrong with the suite's own settings. Models are checked
// by who makes them, datasets by who reads them.
func (s Suite) Check() error {
	switch {
	case s.Name == "":
		return errors.New("name: is missing")
	case !slices.Contains(Targets(), s.Target):
		return fmt.Errorf("target: %w", suggest.Unknown("system", s.Target, Targets()))
	case s.Dataset == "":
		return errors.New("dataset: is missing")
	case !slices.Contains([]string{"", "train", "dev", "test"}, s.Split):
		return fmt.Errorf("split: %q is none of train, dev, test", s.Split)
	case s.Epochs < 0:
		return fmt.Errorf("epochs: %d is negative", s.Epochs)
	case s.Limit < 0:
		return fmt.Errorf("limit: %d is negative", s.Limit)
	case s.Timeout < 0:
		return fmt.Errorf("timeout: %v is negative", s.Timeout)
	case len(s.Variants) == 0:
		return errors.New("variants: there is none")
	}
	return cmp.Or(s.checkModels(), s.checkPrices(), s.checkLabels(), s.checkScope(), s.checkVariants())
}

func (s Suite) checkModels() error {
	of := s.System()
	for _, name := range slices.Sorted(maps.Keys(s.Models)) {
		m := s.Models[name]
		p, ok := of.Part(name)
		switch {
		case !ok:
			return fmt.Errorf("models.%s: %s has no such part (it has: %s)", name, s.Target, suggest.Join(partNames(of)))
		case m.BaseURL != "" && m.Model == "" && p.Work != system.Searches && p.Work != system.Paints: // those two have a default
			return fmt.Errorf("models.%s.model: is missing beside base_url", name)
		case m.BaseURL == "" && m.KeyEnv != "":
			return fmt.Errorf("models.%s.base_url: is missing beside api_key_env", name)
		case m.Task != 0 && p.Work != system.Paints:
			return fmt.Errorf("models.%s.task: is for what paints", name)
		case m.Task < 0:
			return fmt.Errorf("models.%s.task: %v is negative", name, m.Task)
		}
	}
	return nil
}

func (s Suite) checkVariants() error {
	seen := map[string]bool{}
	for i, v := range s.Variants {
		if err := cmp.Or(v.check(), s.checkSettings(v)); err != nil {
			return fmt.Errorf("variants[%d].%w", i, err)
		}
		if seen[v.Name] {
			return fmt.Errorf("variants[%d].name: %q is used twice", i, v.Name)
		}
		seen[v.Name] = true
	}
	return nil
}

func (v Variant) check() error {
	switch {
	case v.Name == "":
		return errors.New("name: is missing")
	case v.Model != "" && v.BaseURL == "":
		return errors.New("base_url: is missing beside model")
	case v.Model == "" && (v.BaseURL != "" || v.KeyEnv != ""):
		return errors.New("model: is missing beside base_url or api_key_env")
	}
	return nil
}
