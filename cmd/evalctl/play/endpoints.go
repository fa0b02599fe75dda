package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"evalctl/agent/limit"
	"evalctl/agent/outbound"
	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/eval/journal"
	"evalctl/eval/price"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// Endpoints configures how a run reaches real endpoints, and which of their data is secret.
type Endpoints struct {
	Context    context.Context      // canceled to stop slow checks while suites are opened; nil: never
	Secrets    *secret.Set          // receives the keys and passwords of all endpoints
	MaxAnswer  int64                // limit of one answer, in decompressed bytes; 0: outbound.defaultMaxAnswer
	Middleware []backend.Middleware // intercepts calls; the first is the closest to the agent
	Cache      *ResponseCache       // answers with stored responses of earlier runs; nil: no cache
	Replay     *Replay              // answers from a cassette instead of the endpoints; nil: no replay
	Recording  bool
	Cassette   string // file that is recorded to or replayed
	Limits     limit.Config
	Budget     Budget
	Prices     *price.Table // nil: the built-in prices

	// Each of these is the first given flag without effect in such a run; "": none.
	UnusedHTTPFlag string // in a run without HTTP endpoints
	UnusedRealFlag string // in a run without real endpoints

	// For a resumed run, whose manifest contains no passwords:
	BaseURL  string              // address of the real models
	Settings map[string][]string // addresses in settings, by the name of the setting
}

// Client returns the HTTP client for all real endpoints.
func (o Endpoints) Client() *http.Client {
	return outbound.New(outbound.Config{MaxAnswer: o.MaxAnswer})
}

// restore replaces redacted addresses of the manifest by those that the user has given again.
func (o Endpoints) restore(suites []suite.Suite) error {
	for _, s := range suites {
		for i := range s.Variants {
			if err := cmp.Or(o.restoreURL(&s.Variants[i].BaseURL),
				o.restoreSettings(s.System(), s.Variants[i].Settings)); err != nil {
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

func (o Endpoints) restoreURL(at *string) error {
	switch {
	case !secret.IsRedactedURL(*at):
		return nil
	case secret.RedactURL(o.BaseURL) != *at:
		return fmt.Errorf("the manifest keeps no secrets: give %s again with --base-url", *at)
	}
	*at = o.BaseURL
	return nil
}

// restoreSettings replaces redacted settings by those that the user has given again.
func (o Endpoints) restoreSettings(of system.System, settings map[string]string) error {
	for _, set := range of.Settings {
		stored := settings[set.Name]
		if !secret.IsRedactedURL(stored) {
			continue
		}
		given := o.Settings[set.Name]
		at := slices.IndexFunc(given, func(value string) bool { return set.WithoutSecrets(value) == stored })
		if at < 0 {
			return fmt.Errorf("the manifest contains no secrets: give %s again with --%s, or in a new run write $VARIABLE in its place", stored, set.Name)
		}
		settings[set.Name] = given[at]
	}
	return nil
}

// unused returns an error for a setting that was given again but was not redacted.
func (o Endpoints) unused(suites []suite.Suite) error {
	for _, name := range slices.Sorted(maps.Keys(o.Settings)) {
		uses := func(v suite.Variant) bool { return slices.Contains(o.Settings[name], v.Settings[name]) }
		if !slices.ContainsFunc(suites, func(s suite.Suite) bool { return slices.ContainsFunc(s.Variants, uses) }) {
			return fmt.Errorf("the run's manifest settles what is run; leave out --%s", name)
		}
	}
	return nil
}

// withoutSecrets returns the suite as the manifest stores it.
func withoutSecrets(s suite.Suite) suite.Suite {
	s.Variants = slices.Clone(s.Variants)
	for i := range s.Variants {
		v := &s.Variants[i]
		v.BaseURL, v.Settings = secret.RedactURL(v.BaseURL), maps.Clone(v.Settings)
		for _, set := range s.System().Settings {
			if value, ok := v.Settings[set.Name]; ok {
				v.Settings[set.Name] = set.WithoutSecrets(value)
			}
		}
	}
	models := map[string]suite.Model{}
	for name, m := range s.Models {
		m.BaseURL = secret.RedactURL(m.BaseURL)
		models[name] = m
	}
	if s.Models != nil {
		s.Models = models
	}
	return s
}

// Values of Manifest.CassetteMode.
const (
	recorded = "recorded"
	replayed = "replayed"
)

func (o Endpoints) cassetteMode() string {
	switch {
	case o.Replay != nil:
		return replayed
	case o.Recording:
		return recorded
	}
	return ""
}

// checkCassetteMode returns an error if a resumed run does not record or replay as it did before.
// Otherwise the cassette would have holes, and the metrics would mix recorded and real calls. The
// manifest does not store the path of the cassette, as it may come from another machine. The user
// gives the path again.
func (o Endpoints) checkCassetteMode(began string) error {
	now := o.cassetteMode()
	switch {
	case began == now:
		return nil
	case began == "":
		return fmt.Errorf("the run began without being %s", now)
	case began == recorded:
		return fmt.Errorf("the run is being recorded: give its cassette again with --record")
	}
	return fmt.Errorf("the run is being replayed: give its cassette again with --replay")
}

// checkPrices returns an error if a resumed run has other prices than before. Its costs would not
// be comparable.
func (o Endpoints) checkPrices(began journal.PricesNote) error {
	switch {
	case o.Prices == nil && began.Hash != "":
		return fmt.Errorf("the run has prices of its own: give them again with --prices %s", quoted(began.Path))
	case o.Prices != nil && began.Hash == "":
		return errors.New("the run began without --prices")
	case o.Prices != nil && o.Prices.Hash != began.Hash:
		return fmt.Errorf("--prices: %s is not as it was when the run began, with %s", o.Prices.Path, began.Path)
	}
	return nil
}
