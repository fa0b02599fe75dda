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

// Endpoints is how what is real is reached, and what of it nobody may be told.
type Endpoints struct {
	Context    context.Context      // ends what opening a suite waits for; nil: nothing does
	Secrets    *secret.Set          // gets the keys and passwords of all endpoints
	MaxAnswer  int64                // bytes of one answer, decompressed; 0: outbound.defaultMaxAnswer
	Middleware []backend.Middleware // stand in the way, the first one nearest to the agent
	Cache      *ResponseCache       // answers what was asked in an earlier run; nil: nothing does
	Replay     *Replay              // answers in its place; nil: nothing does
	Recording  bool
	Cassette   string // file that is recorded to, or replayed
	Limits     limit.Config
	Budget     Budget
	Prices     *price.Table // nil: those that are known

	// Of the flags given, the first that is of no effect; "": there is none.
	UnusedHTTPFlag string // where nothing is asked over HTTP
	UnusedRealFlag string // where nothing is real

	// Of a resumed run, whose manifest keeps no password:
	BaseURL  string              // the address of its real models
	Settings map[string][]string // by name: addresses that settings hold
}

// Client is for all calls to the outside.
func (o Endpoints) Client() *http.Client {
	return outbound.New(outbound.Config{MaxAnswer: o.MaxAnswer})
}

// restore puts the address that was given again where the manifest has it
// without its secrets.
func (o Endpoints) restore(suites []suite.Suite) error {
	for _, s := range suites {
		for i := range s.Variants {
			if err := cmp.Or(o.restoreURL(&s.Variants[i].BaseURL), o.restoreSettings(s.System(), s.Variants[i].Settings)); err != nil {
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

// restoreSettings puts what was given again in the place of settings without their
// secrets.
func (o Endpoints) restoreSettings(of system.System, settings map[string]string) error {
	for _, set := range of.Settings {
		kept := settings[set.Name]
		if !secret.IsRedactedURL(kept) {
			continue
		}
		given := o.Settings[set.Name]
		at := slices.IndexFunc(given, func(value string) bool { return set.WithoutSecrets(value) == kept })
		if at < 0 {
			return fmt.Errorf("the manifest contains no secrets: give %s again with --%s, or in a new run write $VARIABLE in its place", kept, set.Name)
		}
		settings[set.Name] = given[at]
	}
	return nil
}

// unused finds a setting that was given again although nothing of it is kept back.
func (o Endpoints) unused(suites []suite.Suite) error {
	for _, name := range slices.Sorted(maps.Keys(o.Settings)) {
		uses := func(v suite.Variant) bool { return slices.Contains(o.Settings[name], v.Settings[name]) }
		if !slices.ContainsFunc(suites, func(s suite.Suite) bool { return slices.ContainsFunc(s.Variants, uses) }) {
			return fmt.Errorf("the run's manifest settles what is run; leave out --%s", name)
		}
	}
	return nil
}

// withoutSecrets is a suite as the manifest keeps it.
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

// What a manifest calls a run whose calls are recorded, or answered from recordings.
const (
	recorded = "recorded"
	replayed = "replayed"
)

func (o Endpoints) tape() string {
	switch {
	case o.Replay != nil:
		return replayed
	case o.Recording:
		return recorded
	}
	return ""
}

// sameTape refuses to go on with a run in another way than it began: what was recorded
// would have holes, and figures would be of two kinds. A file is not named in the
// manifest, which may be from elsewhere, and so is given again.
func (o Endpoints) sameTape(began string) error {
	now := o.tape()
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

// samePrices refuses to go on with a run by other prices than it began with: what it cost
// would be of two kinds.
func (o Endpoints) samePrices(began journal.PricesNote) error {
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
