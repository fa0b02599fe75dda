package play

import (
	"fmt"
	"net/http"
	"slices"

	"evalctl/agent/outbound"
	"evalctl/agent/secret"
	"evalctl/eval/suite"
)

// Outside is how what is real is reached, and what of it nobody may be told.
type Outside struct {
	Secrets   *secret.Set // gets the keys and passwords of all endpoints
	MaxAnswer int64       // bytes of one answer, decompressed; 0: outbound.DefaultMaxAnswer
	BaseURL   string      // an address of a resumed run, whose manifest keeps no password
}

// Client is for all calls to the outside.
func (o Outside) Client() *http.Client { return outbound.New(outbound.Config{MaxAnswer: o.MaxAnswer}) }

// restore puts the address that was given again where the manifest has it
// without its secrets.
func (o Outside) restore(suites []suite.Suite) error {
	for _, s := range suites {
		for i := range s.Variants {
			if err := o.restoreURL(&s.Variants[i].BaseURL); err != nil {
				return err
			}
		}
		for name, m := range s.Models {
			if err := o.restoreURL(&m.BaseURL); err != nil {
				return err
			}
			s.Models[name] = m
		}
	}
	return nil
}

func (o Outside) restoreURL(at *string) error {
	switch {
	case !secret.Hidden(*at):
		return nil
	case secret.URL(o.BaseURL) != *at:
		return fmt.Errorf("the manifest keeps no secrets: give %s again with --base-url", *at)
	}
	*at = o.BaseURL
	return nil
}

// withoutSecrets is a suite as the manifest keeps it.
func withoutSecrets(s suite.Suite) suite.Suite {
	s.Variants = slices.Clone(s.Variants)
	for i := range s.Variants {
		s.Variants[i].BaseURL = secret.URL(s.Variants[i].BaseURL)
	}
	models := map[string]suite.Model{}
	for name, m := range s.Models {
		m.BaseURL = secret.URL(m.BaseURL)
		models[name] = m
	}
	if s.Models != nil {
		s.Models = models
	}
	return s
}
