// Package price knows what the calls of well-known models cost, since when, and who says
// so. Prices change: each row bears the date on which it was looked up.
package price

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

// Entry is the price of a model.
type Entry struct {
	Provider, Model string
	eval.Price
	Date   string // YYYY-MM-DD; "": of the user's own
	Source string
}

// Table is a list of prices; nil is Known.
type Table struct {
	rows  map[key]Entry
	hosts map[string][]string // by provider
	Path  string              // of the user's file; "": there is none
	Hash  string              // of what it says
}

// key is a model of a provider, or of who answers at a host.
type key struct{ at, model string }

// group is what a file says of one provider.
type group struct {
	Provider string           `yaml:"provider"`
	Hosts    []string         `yaml:"hosts"` // where its models are asked without its name
	Date     string           `yaml:"date"`
	Source   string           `yaml:"source"`
	Note     string           `yaml:"note"`
	Models   map[string]model `yaml:"models"`
}

type model struct {
	eval.Price `yaml:",inline"`
	Aliases    []string `yaml:"aliases"` // names of the same model at the same price
}

//go:embed prices.yaml
var known []byte

// Builtin is the table that comes with the program.
var Builtin = sync.OnceValue(func() *Table {
	t, err := Parse("prices.yaml", known)
	if err != nil {
		panic(err) // of our own file, which a test reads
	}
	return t
})

const maxFile = 1 << 20

// Read is Known with what a file says in its place.
func Read(path string) (*Table, error) {
	b, err := file.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	own, err := parse(path, b, Builtin().hosts)
	if err != nil {
		return nil, err
	}
	rows := maps.Clone(Builtin().rows)
	maps.Copy(rows, own.rows)
	sum := sha256.Sum256(b)
	return &Table{rows: rows, Path: path, Hash: hex.EncodeToString(sum[:8])}, nil
}

// Parse reads a table; its errors begin with the name.
func Parse(name string, text []byte) (*Table, error) { return parse(name, text, nil) }

// parse takes the models of a provider without hosts to be asked at those that it usually has.
func parse(name string, text []byte, defaultValue map[string][]string) (*Table, error) {
	var groups []group
	if err := yaml.UnmarshalWithOptions(text, &groups, yaml.Strict()); err != nil {
		var y yaml.Error
		if errors.As(err, &y) && y.GetToken() != nil {
			if hint := suggest.Key(y.GetMessage(), groups); hint != y.GetMessage() {
				return nil, fmt.Errorf("%s:%d: %s", name, y.GetToken().Position.Line, hint)
			}
		}
		return nil, fmt.Errorf("%s: %s", name, yaml.FormatError(err, false, false))
	}
	t := &Table{rows: map[key]Entry{}, hosts: map[string][]string{}}
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

func (t *Table) add(g group, name string) error {
	if g.Provider == "" {
		return errors.New("provider: is missing")
	}
	if _, err := time.Parse(time.DateOnly, g.Date); g.Date != "" && err != nil {
		return fmt.Errorf("date: %q is no day such as 2026-11-22", g.Date)
	}
	for _, m := range slices.Sorted(maps.Keys(g.Models)) {
		of := g.Models[m]
		for _, v := range []float64{of.In, of.Cached, of.Out, of.Image} {
			if !(v >= 0 && v <= eval.MaxCost) {
				return fmt.Errorf("models.%s: %v is not a price", m, v)
			}
		}
		for _, called := range append([]string{m}, of.Aliases...) {
			for _, at := range append([]string{g.Provider}, g.Hosts...) {
				k := key{at, called}
				if _, ok := t.rows[k]; ok {
					return fmt.Errorf("models.%s: is listed twice", called)
				}
				t.rows[k] = Entry{Provider: g.Provider, Model: called, Price: of.Price, Date: g.Date, Source: cmp.Or(g.Source, name)}
			}
		}
	}
	return nil
}

// Find is the price of a provider's model; of an endpoint whose provider has no name, at
// its address.
func (t *Table) Find(provider, model, baseURL string) (Entry, bool) {
	if t == nil {
		t = Builtin()
	}
	if row, ok := t.rows[key{provider, model}]; ok {
		return row, true
	}
	u, err := url.Parse(baseURL)
	if err != nil || u.Hostname() == "" {
		return Entry{}, false
	}
	row, ok := t.rows[key{u.Hostname(), model}]
	return row, ok
}

// Rows are all, provider by provider, the newest first.
func (t *Table) Rows() (list []Entry) {
	if t == nil {
		t = Builtin()
	}
	for k, row := range t.rows {
		if k.at == row.Provider {
			list = append(list, row)
		}
	}
	slices.SortFunc(list, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Provider, b.Provider), strings.Compare(b.Date, a.Date), strings.Compare(a.Model, b.Model))
	})
	return list
}

// DateText says of which day a price is.
func (r Entry) DateText() string {
	if r.Date == "" {
		return "prices without a day"
	}
	return "prices of " + r.Date
}
