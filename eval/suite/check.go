package suite

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Check says what is wrong with the suite's own settings. Models are checked
// by who makes them, datasets by who reads them.
func (s Suite) Check() error {
	switch {
	case s.Name == "":
		return errors.New("name: is missing")
	case !slices.Contains(Targets(), s.Target):
		return fmt.Errorf("target: unknown %q (known: %s)", s.Target, strings.Join(Targets(), ", "))
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
	if err := s.checkModels(); err != nil {
		return err
	}
	if err := s.checkPrices(); err != nil {
		return err
	}
	return s.checkVariants()
}

func (s Suite) checkModels() error {
	known := Components(s.Target)
	for _, name := range slices.Sorted(maps.Keys(s.Models)) {
		m := s.Models[name]
		switch {
		case !slices.Contains(known, name):
			return fmt.Errorf("models.%s: unknown component of %s (known: %s)", name, s.Target, strings.Join(known, ", "))
		case m.BaseURL != "" && m.Model == "" && name != "search" && name != "image": // those two have a default
			return fmt.Errorf("models.%s.model: is missing beside base_url", name)
		case m.BaseURL == "" && m.KeyEnv != "":
			return fmt.Errorf("models.%s.base_url: is missing beside api_key_env", name)
		case m.Task != 0 && name != "image":
			return fmt.Errorf("models.%s.task: is for image", name)
		case m.Task < 0:
			return fmt.Errorf("models.%s.task: %v is negative", name, m.Task)
		}
	}
	return nil
}

func (s Suite) checkVariants() error {
	of, seen := systemOf(s.Target), map[string]bool{}
	for i, v := range s.Variants {
		if err := cmp.Or(v.check(), of.check(v), of.foreign(v)); err != nil {
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
	case v.Threshold != nil && !(*v.Threshold >= 0 && *v.Threshold <= 1):
		return fmt.Errorf("threshold: %v is not in 0..1", *v.Threshold)
	case v.Model != "" && v.BaseURL == "":
		return errors.New("base_url: is missing beside model")
	case v.Model == "" && (v.BaseURL != "" || v.KeyEnv != ""):
		return errors.New("model: is missing beside base_url or api_key_env")
	}
	return nil
}

// settings tells which are given of those that not all systems have.
func (v Variant) settings() map[string]bool {
	return map[string]bool{
		"router": v.Router != "", "threshold": v.Threshold != nil,
		"profile": v.Profile != "", "critic": v.Critic != "", "review": v.Review != "",
		"library": v.Library != "", "painter": v.Painter != "", "embedder": v.Embedder != "",
	}
}
