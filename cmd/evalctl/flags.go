package main

import (
	"fmt"
	"net/url"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"evalctl/eval/suite"
)

// runFlags are the flags of evalctl run.
type runFlags struct {
	target, dataset, split string
	limit                  int64
	tags                   []string

	routers, prompts, models []string
	profiles, critics        []string
	thresholds               []float64
	endpointFlags

	faults   []string
	epochs   int
	seed     uint64
	parallel int
	time     string

	out, resume    string
	formats, gates []string
	quiet, verbose bool
}

// planning flags settle what is run; a resumed run has that from its manifest.
var planning = []string{"target", "dataset", "split", "limit", "tags", "router", "profile", "critic", "prompt", "model", "threshold",
	"base-url", "api-key-env", "fault", "epochs", "seed", "time", "out"}

func (f *runFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.target, "target", "", "agent `SYSTEM` to evaluate, without a suite file: "+join(suite.Targets()))
	flags.StringVar(&f.dataset, "dataset", "", "cases: a JSON Lines `FILE` or the name of a shipped set")
	flags.StringVar(&f.split, "split", "", "only this `SPLIT`: train, dev, test, or all")
	flags.Int64Var(&f.limit, "limit", 0, "only the first `N` cases")
	flags.StringSliceVar(&f.tags, "tags", nil, "only cases with all of these `TAGS`")
	flags.StringSliceVar(&f.routers, "router", nil, "axis: `WHO` decides in toolrouter: "+join(suite.Routers()))
	flags.StringSliceVar(&f.profiles, "profile", nil, "axis: `VERSION` of studio: "+join(suite.Profiles()))
	flags.StringSliceVar(&f.critics, "critic", nil, "axis: `WHO` reviews in studio: "+join(suite.Critics()))
	flags.StringSliceVar(&f.prompts, "prompt", nil, "axis: `FILE` with a prompt of the deciding model")
	flags.StringSliceVar(&f.models, "model", nil, "axis: real model `NAME` or PROVIDER:NAME ("+join(hosted())+")")
	flags.Float64SliceVar(&f.thresholds, "threshold", nil, "axis: confidence from `0..1` below which llm-first asks the rules (0.6)")
	flags.Lookup("threshold").DefValue = "" // else the help shows []
	flags.StringVar(&f.baseURL, "base-url", "", "OpenAI-compatible `URL`, as in http://127.0.0.1:8000/v1")
	flags.StringVar(&f.keyEnv, "api-key-env", "", "environment `VARIABLE` that holds the API key")
	flags.StringSliceVar(&f.faults, "fault", nil, "axis: injected fault `COMPONENT:KIND[@N|%P]`, besides none; + joins several")
	flags.IntVar(&f.epochs, "epochs", 0, "play every case `K` times (1)")
	flags.Uint64Var(&f.seed, "seed", 1, "`SEED` of all that is random")
	flags.IntVarP(&f.parallel, "parallel", "j", 0, "`N` trials at once (simulated time: the cores; real time: 16)")
	flags.StringVar(&f.time, "time", "", "`CLOCK`: real or simulated (simulated, unless a model is real)")
	flags.StringVar(&f.out, "out", "", "folder `DIR` for the results (runs/TIME)")
	flags.StringVar(&f.resume, "resume", "", "go on with the interrupted run in `DIR`; what a real endpoint failed is played again")
	flags.StringSliceVar(&f.formats, "format", []string{"table"}, "report as `FORMAT[=PATH]`: table, markdown, json or csv")
	flags.StringArrayVar(&f.gates, "gate", nil, "exit 1 unless `RULE` holds, as in 'route.accuracy{variant=llm} >= 0.9'")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "nothing but the report and errors")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "every cell in full detail")
	for name, words := range map[string][]string{
		"target": suite.Targets(), "router": suite.Routers(), "profile": suite.Profiles(), "critic": suite.Critics(),
		"split": splits(), "time": clocks(), "format": formats(),
	} {
		if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(err) // a flag that is not there
		}
	}
}

func splits() []string { return []string{"train", "dev", "test", "all"} }
func clocks() []string { return []string{"real", "simulated"} }

// check finds bad values while the flag that holds them is known.
func (f *runFlags) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	checks := []struct {
		flag string
		bad  func() error
	}{
		{"target", func() error { return checkKnown("system", f.target, suite.Targets()) }},
		{"split", func() error { return checkKnown("split", f.split, splits()) }},
		{"time", func() error { return checkKnown("clock", f.time, clocks()) }},
		{"limit", func() error { return atLeast(1, f.limit) }},
		{"epochs", func() error { return atLeast(1, f.epochs) }},
		{"parallel", func() error { return atLeast(0, f.parallel) }},
		{"router", func() error { return each(f.routers, oneOf("router", suite.Routers())) }},
		{"profile", func() error { return each(f.profiles, oneOf("profile", suite.Profiles())) }},
		{"critic", func() error { return each(f.critics, oneOf("critic", suite.Critics())) }},
		{"fault", func() error { return each(f.faults, checkFault) }},
		{"threshold", func() error { return each(f.thresholds, checkShare) }},
	}
	for _, c := range checks {
		if !given(c.flag) {
			continue
		}
		if err := c.bad(); err != nil {
			return flagError(c.flag, err)
		}
	}
	return f.checkFlags()
}

func each[T any](list []T, check func(T) error) error {
	for _, one := range list {
		if err := check(one); err != nil {
			return err
		}
	}
	return nil
}

func atLeast[N int | int64](least, n N) error {
	if n < least {
		return fmt.Errorf("%d is less than %d", n, least)
	}
	return nil
}

func oneOf(what string, known []string) func(string) error {
	return func(name string) error { return checkKnown(what, name, known) }
}

func checkShare(v float64) error {
	if !(v >= 0 && v <= 1) {
		return fmt.Errorf("%v is not in 0..1", v)
	}
	return nil
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%q is no address like http://127.0.0.1:8000/v1", text)
	}
	return nil
}

func checkKey(env string) error {
	if os.Getenv(env) == "" {
		return fmt.Errorf("the environment has no %s", env)
	}
	return nil
}

// workers is how many trials run at once.
func (f *runFlags) workers(simulated bool) int {
	switch {
	case f.parallel > 0:
		return f.parallel
	case simulated:
		return runtime.GOMAXPROCS(0)
	default:
		return 16
	}
}
