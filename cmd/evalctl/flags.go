package main

import (
	"runtime"

	"github.com/spf13/cobra"
)

// runFlags are the flags of evalctl run.
type runFlags struct {
	target, dataset, split string
	limit                  int64
	tags                   []string

	routers, prompts, models []string
	thresholds               []float64
	baseURL, keyEnv          string

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
var planning = []string{"target", "dataset", "split", "limit", "tags", "router", "prompt", "model", "threshold",
	"base-url", "api-key-env", "fault", "epochs", "seed", "time", "out"}

func (f *runFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.target, "target", "", "agent system to evaluate, without a suite file: toolrouter")
	flags.StringVar(&f.dataset, "dataset", "", "cases: a JSON Lines `FILE` or the name of a shipped set")
	flags.StringVar(&f.split, "split", "", "only this split: train, dev, test, or all")
	flags.Int64Var(&f.limit, "limit", 0, "only the first `N` cases")
	flags.StringSliceVar(&f.tags, "tags", nil, "only cases with all of these tags")
	flags.StringSliceVar(&f.routers, "router", nil, "axis: who decides: rules, llm, llm-first")
	flags.StringSliceVar(&f.prompts, "prompt", nil, "axis: `FILE` with a router prompt")
	flags.StringSliceVar(&f.models, "model", nil, "axis: real model `NAME` or PROVIDER:NAME (openai, deepseek, dashscope, ark)")
	flags.Float64SliceVar(&f.thresholds, "threshold", nil, "axis: confidence below which the rules decide (0.6)")
	flags.StringVar(&f.baseURL, "base-url", "", "OpenAI-compatible endpoint, as in http://127.0.0.1:8000/v1")
	flags.StringVar(&f.keyEnv, "api-key-env", "", "environment variable that holds the API key")
	flags.StringSliceVar(&f.faults, "fault", nil, "axis: injected fault `COMPONENT:KIND[@N|%P]`, besides none")
	flags.IntVar(&f.epochs, "epochs", 0, "play every case `K` times (1)")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of all that is random")
	flags.IntVarP(&f.parallel, "parallel", "j", 0, "trials at once (simulated time: the cores; real time: 16)")
	flags.StringVar(&f.time, "time", "", "real or simulated (simulated, unless a model is real)")
	flags.StringVar(&f.out, "out", "", "folder for the results (runs/TIME)")
	flags.StringVar(&f.resume, "resume", "", "go on with the interrupted run in `DIR`")
	flags.StringSliceVar(&f.formats, "format", []string{"table"}, "report as table, markdown, json or csv; `FORMAT[=PATH]`")
	flags.StringArrayVar(&f.gates, "gate", nil, "exit 1 unless `RULE` holds, as in 'route.accuracy{variant=llm} >= 0.9'")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "every cell in full detail")
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
