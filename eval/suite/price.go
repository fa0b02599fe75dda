package suite

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-yaml"

	"evalctl/agent/file"
	"evalctl/eval"
	"evalctl/eval/suggest"
)

// PriceEntry is the price of one model of a provider.
type PriceEntry struct {
	Provider, Model string
	eval.Price
	// day on which the price was checked, as YYYY-MM-DD; "": a price from a user's file without a
	// date
	Date         string
	Source       string // web page of the provider's prices, or the name of the user's file
	FromUserFile bool   // from the user's file
}

// PriceTable is a list of model prices. A nil Table is the built-in one.
type PriceTable struct {
	rows  map[priceModelKey]PriceEntry
	hosts map[string][]string // host names of the endpoints, by provider
	Path  string              // path of the user's price file; "": only built-in prices
	Hash  string              // hash of the content of the user's file
}

// priceModelKey identifies a model, by its name and by its provider or host name (at).
type priceModelKey struct{ at, model string }

// providerSection is the section of one provider in a price file.
type providerSection struct {
	Provider string `yaml:"provider"`
	// host names of the provider's API, for models that are named without the provider
	Hosts  []string         `yaml:"hosts"`
	Date   string           `yaml:"date"`
	Source string           `yaml:"source"`
	Note   string           `yaml:"note"`
	Models map[string]model `yaml:"models"`
}

type model struct {
	eval.Price `yaml:",inline"`
	Aliases    []string `yaml:"aliases"` // other names of the same model with the same price
}

//go:embed prices.yaml
var builtinYAML []byte

// BuiltinPrices returns the table of the prices that are built into evalctl.
var BuiltinPrices = sync.OnceValue(func() *PriceTable {
	t, err := ParsePrices("prices.yaml", builtinYAML)
	if err != nil {
		panic(err) // cannot happen: a test parses the built-in file
	}
	return t
})

const maxFile = 1 << 20

// ReadPriceFile returns the built-in prices, with those of a user's file added or replaced.
func ReadPriceFile(path string) (*PriceTable, error) {
	b, err := file.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	own, err := parsePrices(path, b, BuiltinPrices().hosts)
	if err != nil {
		return nil, err
	}
	rows := maps.Clone(BuiltinPrices().rows)
	for k, row := range own.rows {
		row.FromUserFile = true
		rows[k] = row
	}
	sum := sha256.Sum256(b)
	return &PriceTable{rows: rows, Path: path, Hash: hex.EncodeToString(sum[:8])}, nil
}

// ParsePrices parses a price file. Its errors start with name.
func ParsePrices(name string, text []byte) (*PriceTable, error) { return parsePrices(name, text, nil) }

// parsePrices parses a price file. A provider without hosts gets its hosts from defaultValue.
func parsePrices(name string, text []byte, defaultValue map[string][]string) (*PriceTable, error) {
	var groups []providerSection
	if err := yaml.UnmarshalWithOptions(text, &groups, yaml.Strict()); err != nil {
		var y yaml.Error
		if errors.As(err, &y) && y.GetToken() != nil {
			if hint := suggest.AddKeyHint(y.GetMessage(), groups); hint != y.GetMessage() {
				return nil, fmt.Errorf("%s:%d: %s", name, y.GetToken().Position.Line, hint)
			}
		}
		return nil, fmt.Errorf("%s: %s", name, yaml.FormatError(err, false, false))
	}
	t := &PriceTable{rows: map[priceModelKey]PriceEntry{}, hosts: map[string][]string{}}
	for _, g := range groups {
		if g.Hosts == nil {
			g.Hosts = defaultValue[g.Provider]
		}
		t.hosts[g.Provider] = slices.Compact(slices.Sorted(slices.Values(append(t.hosts[g.Provider], g.Hosts...))))
		if err := t.add(g, name); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, cmp.Or(g.Provider, "a provider"), err)
		}
	}
	return t, nil
}

func (t *PriceTable) add(g providerSection, name string) error {
	if g.Provider == "" {
		return errors.New("provider: is missing")
	}
	if _, err := time.Parse(time.DateOnly, g.Date); g.Date != "" && err != nil {
		return fmt.Errorf("date: %q is not a day such as 2026-11-22", g.Date)
	}
	for _, m := range slices.Sorted(maps.Keys(g.Models)) {
		model := g.Models[m]
		for _, v := range []float64{model.In, model.CachedIn, model.Out, model.Image} {
			if !(v >= 0 && v <= eval.MaxCost) {
				return fmt.Errorf("models.%s: %v is not a price", m, v)
			}
		}
		for _, modelName := range append([]string{m}, model.Aliases...) {
			for _, at := range append([]string{g.Provider}, g.Hosts...) {
				k := priceModelKey{at, modelName}
				if _, ok := t.rows[k]; ok {
					return fmt.Errorf("models.%s: is listed twice", modelName)
				}
				t.rows[k] = PriceEntry{
					Provider: g.Provider,
					Model:    modelName,
					Price:    model.Price,
					Date:     g.Date,
					Source:   cmp.Or(g.Source, name),
				}
			}
		}
	}
	return nil
}

// Find returns the price of a provider's model. If the provider is unknown, the host name in
// baseURL identifies it. ok is false if there is no price.
func (t *PriceTable) Find(provider, model, baseURL string) (PriceEntry, bool) {
	if t == nil {
		t = BuiltinPrices()
	}
	if row, ok := t.rows[priceModelKey{provider, model}]; ok {
		return row, true
	}
	u, err := url.Parse(baseURL)
	if err != nil || u.Hostname() == "" {
		return PriceEntry{}, false
	}
	row, ok := t.rows[priceModelKey{u.Hostname(), model}]
	return row, ok
}

// Entries returns all prices, sorted by provider, then by date (newest first).
func (t *PriceTable) Entries() (list []PriceEntry) {
	if t == nil {
		t = BuiltinPrices()
	}
	for k, row := range t.rows {
		if k.at == row.Provider {
			list = append(list, row)
		}
	}
	slices.SortFunc(list, func(a, b PriceEntry) int {
		return cmp.Or(strings.Compare(a.Provider, b.Provider), strings.Compare(b.Date, a.Date),
			strings.Compare(a.Model, b.Model))
	})
	return list
}

// DateText returns the date of the price as text for a report.
func (r PriceEntry) DateText() string {
	if r.Date == "" {
		return "prices without a day"
	}
	return "prices of " + r.Date
}

// String returns the price with its source and date: "USD 0.28 in, 0.42 out per million tokens
// (2026-05-24, https://…)".
func (r PriceEntry) String() string {
	var prices []string
	if r.In > 0 || r.Out > 0 || r.Image == 0 {
		text := fmt.Sprintf("%.4g in, %.4g out", r.In, r.Out)
		if r.CachedIn > 0 {
			text += fmt.Sprintf(", %.4g cached", r.CachedIn)
		}
		prices = append(prices, text+" per million tokens")
	}
	if r.Image > 0 {
		prices = append(prices, fmt.Sprintf("%.4g per image", r.Image))
	}
	source, _, _ := strings.Cut(r.Source, ",")
	return "USD " + strings.Join(prices, ", ") + " (" + strings.Join(slices.DeleteFunc([]string{r.Date, source},
		func(s string) bool { return s == "" }), ", ") + ")"
}

// ProvidersOf returns the providers that have a price for a model, sorted.
func (t *PriceTable) ProvidersOf(model string) (providers []string) {
	for _, row := range t.Entries() {
		if row.Model == model {
			providers = append(providers, row.Provider)
		}
	}
	return providers
}
