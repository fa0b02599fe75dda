package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"evalctl/agent/limit"
	"evalctl/agent/llm"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

// limitFlags are the flags that limit the rate and the cost of requests to real endpoints.
type limitFlags struct {
	requests, tokens []string
	play.Budget
	pricesFile string

	limit.Config
	prices *suite.PriceTable

	maxTime string
	given   func(name string) bool
}

func (f *limitFlags) register(flags *pflag.FlagSet) {
	f.given = flags.Changed
	flags.StringSliceVar(&f.requests, "rpm", nil,
		"`N` requests per minute for each real endpoint, or PROVIDER=N, HOST=N (default: adaptive)")
	flags.StringSliceVar(&f.tokens, "tpm", nil,
		"`N` tokens per minute for each real endpoint, or PROVIDER=N, HOST=N (default: adaptive)")
	flags.Float64Var(&f.USD, "max-cost", 0, "start no more trials after real endpoints cost this much `USD`")
	flags.StringVar(&f.maxTime, "max-time", "",
		"start no more trials after this wall-clock `DURATION`, for example 30m")
	flags.Int64Var(&f.Calls, "max-requests", 0, "stop before request `N`+1 to real endpoints, retries included")
	flags.StringVar(&f.pricesFile, "prices", "", "YAML `FILE` with prices that override the built-in ones")
}

func (f *limitFlags) check() (err error) {
	if f.Requests, err = ratesOf(f.requests); err != nil {
		return flagError("rpm", err)
	}
	if f.Tokens, err = ratesOf(f.tokens); err != nil {
		return flagError("tpm", err)
	}
	switch {
	case f.given("max-cost") && !(f.USD > 0 && f.USD < 1e12):
		return flagError("max-cost", fmt.Errorf("%v is not a positive budget", f.USD))
	case f.given("max-requests") && !(f.Calls > 0 && f.Calls < 1e12):
		return flagError("max-requests", fmt.Errorf("%d is not a positive budget", f.Calls))
	}
	if f.given("max-time") {
		if f.Time, err = time.ParseDuration(f.maxTime); err != nil || f.Time <= 0 {
			return flagError("max-time", fmt.Errorf("%q is not a duration such as 30s or 5m", f.maxTime))
		}
	}
	if f.pricesFile != "" {
		if f.prices, err = suite.ReadPriceFile(f.pricesFile); err != nil {
			return flagError("prices", err)
		}
	}
	return nil
}

// maxRate is the highest rate that --rpm and --tpm accept, per minute.
const maxRate = 1e9

// ratesOf parses the values of --rpm or --tpm: N, PROVIDER=N and HOST=N.
func ratesOf(texts []string) (r limit.Rates, err error) {
	r.ByEndpoint = map[string]float64{}
	for _, text := range texts {
		name, number, named := strings.Cut(text, "=")
		if !named {
			name, number = "", text
		}
		n, err := strconv.ParseFloat(number, 64)
		if err != nil || !(n >= 1 && n <= maxRate) {
			return r, fmt.Errorf("%q is not a rate: use a number from 1 to %d per minute, optionally after PROVIDER= or HOST=", text, int64(maxRate))
		}
		_, twice := r.ByEndpoint[name]
		switch {
		case twice || name == "" && r.Default > 0:
			return r, fmt.Errorf("%q: is given twice", text)
		case !named:
			r.Default = n
			continue
		case !isEndpoint(name):
			return r, cmp.Or(suggest.CheckKnown("provider", name, providerNames()),
				errors.New("no provider and no host"))
		}
		r.ByEndpoint[name] = n
	}
	return r, nil
}

// isEndpoint reports whether a name before = in --rpm or --tpm is a provider or could be a host.
func isEndpoint(name string) bool {
	return slices.Contains(providerNames(), name) || strings.ContainsAny(name, ".:") || name == "localhost"
}

func providerNames() (names []string) {
	for _, p := range llm.Providers() {
		names = append(names, p.Name)
	}
	return names
}

// applyTo returns the endpoints with the rate limits, budget and prices of the flags.
func (f *limitFlags) applyTo(o play.EndpointOptions) play.EndpointOptions {
	o.Limits = f.Config
	o.Budget = f.Budget
	o.Prices = f.prices
	o.HTTPOnlyFlag, o.RealOnlyFlag = firstGiven(f.given, needsHTTP), firstGiven(f.given, needsReal)
	return o
}
