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
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// EndpointOptions configures how a run calls real endpoints, and which of their settings are secret.
type EndpointOptions struct {
	Context context.Context // cancels slow checks while suites are opened; nil: never canceled
	Secrets *secret.Set     // collects the keys and passwords of all endpoints, which are removed from output
	// maximum size of a response, in decompressed bytes; 0: the default of package outbound
	MaxResponseBytes int64
	Middleware       []backend.Middleware // functions that intercept calls; the first is closest to the agent
	Cache            *RunResponseCache    // answers calls with stored responses of earlier runs; nil: no cache
	Replay           *Replay              // answers calls from a cassette instead of the endpoints; nil: no replay
	Recording        bool                 // calls are recorded to Cassette
	Cassette         string               // file that calls are recorded to or replayed from
	Limits           limit.Config         // rate limits of the endpoints
	Budget           Budget               // limits of requests, cost and time
	Prices           *suite.PriceTable    // prices of --prices; nil: the built-in prices

	// The next two fields contain the first flag that the user gave although it has no effect in
	// such a run; "": none.
	HTTPOnlyFlag string // flag that requires an HTTP endpoint
	RealOnlyFlag string // flag that requires a real endpoint

	// The manifest of a resumed run contains no passwords, so the user gives these again:
	BaseURL     string              // URL of the real models
	SettingURLs map[string][]string // URLs in settings, by setting name
}

// Client returns the HTTP client that calls all real endpoints.
func (o EndpointOptions) Client() *http.Client {
	return outbound.New(outbound.Config{MaxResponseBytes: o.MaxResponseBytes})
}

// restore replaces redacted URLs of a manifest by those that the user gave again. It returns an
// error if one is missing.
func (o EndpointOptions) restore(suites []suite.Suite) error {
	for _, s := range suites {
		for i := range s.Variants {
			if err := cmp.Or(o.restoreURL(&s.Variants[i].BaseURL),
				o.restoreSettings(s.SystemOf(s.Variants[i]), s.Variants[i].Settings)); err != nil {
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

func (o EndpointOptions) restoreURL(at *string) error {
	switch {
	case !secret.IsRedactedURL(*at):
		return nil
	case secret.RedactURL(o.BaseURL) != *at:
		return fmt.Errorf("the manifest keeps no secrets: give %s again with --base-url", *at)
	}
	*at = o.BaseURL
	return nil
}

// restoreSettings replaces redacted settings by those that the user gave again. It returns an error
// if one is missing.
func (o EndpointOptions) restoreSettings(of system.System, settings map[string]string) error {
	for _, set := range of.Settings {
		stored := settings[set.Name]
		if !secret.IsRedactedURL(stored) {
			continue
		}
		given := o.SettingURLs[set.Name]
		at := slices.IndexFunc(given, func(value string) bool { return set.Redact(value) == stored })
		if at < 0 {
			return fmt.Errorf("the manifest contains no secrets: give %s again with --%s, or in a new run write $VARIABLE in its place", stored, set.Name)
		}
		settings[set.Name] = given[at]
	}
	return nil
}

// unused returns an error for a setting that the user gave again although the manifest contains it.
func (o EndpointOptions) unused(suites []suite.Suite) error {
	for _, name := range slices.Sorted(maps.Keys(o.SettingURLs)) {
		uses := func(v suite.Variant) bool { return slices.Contains(o.SettingURLs[name], v.Settings[name]) }
		if !slices.ContainsFunc(suites, func(s suite.Suite) bool { return slices.ContainsFunc(s.Variants, uses) }) {
			return fmt.Errorf("the run's manifest settles what is run; leave out --%s", name)
		}
	}
	return nil
}

// withoutSecrets returns a copy of the suite without secrets in URLs and settings, for the
// manifest.
func withoutSecrets(s suite.Suite) suite.Suite {
	s.Variants = slices.Clone(s.Variants)
	for i := range s.Variants {
		v := &s.Variants[i]
		v.BaseURL, v.Settings = secret.RedactURL(v.BaseURL), maps.Clone(v.Settings)
		for _, set := range s.SystemOf(*v).Settings {
			if value, ok := v.Settings[set.Name]; ok {
				v.Settings[set.Name] = set.Redact(value)
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

// recorded and replayed are the values of Manifest.CassetteMode for runs with a cassette.
const (
	recorded = "recorded"
	replayed = "replayed"
)

func (o EndpointOptions) cassetteMode() string {
	switch {
	case o.Replay != nil:
		return replayed
	case o.Recording:
		return recorded
	}
	return ""
}

// checkCassetteMode returns an error unless a resumed run records or replays calls as it did
// before. Otherwise the cassette would be incomplete, or the metrics would mix replayed and real
// calls. The manifest does not store the path of the cassette, so the user gives it again.
func (o EndpointOptions) checkCassetteMode(began string) error {
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

// checkPrices returns an error if a resumed run has other prices than before, because costs would
// not be comparable.
func (o EndpointOptions) checkPrices(began journal.PricesInfo) error {
	switch {
	case o.Prices == nil && began.Hash != "":
		return fmt.Errorf("the run has prices of its own: give them again with --prices %s", shellQuoted(began.Path))
	case o.Prices != nil && began.Hash == "":
		return errors.New("the run began without --prices")
	case o.Prices != nil && o.Prices.Hash != began.Hash:
		return fmt.Errorf("--prices: %s is not as it was when the run began, with %s", o.Prices.Path, began.Path)
	}
	return nil
}
