package main

import (
	"github.com/spf13/pflag"

	"evalctl/cmd/evalctl/play"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// sliceFlags say which part of a run is played here, and what is written of it.
type sliceFlags struct{ shard, traces string }

func (f *sliceFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.shard, "shard", "", "run shard `INDEX/OF` of the cases, for example 2/8; evalctl merge combines them")
	flags.StringVar(&f.traces, "traces", "all", "store the full event log of `TRIALS`: "+either(journal.TracesNames()))
}

// check finds bad values.
func (f *sliceFlags) check() error {
	if _, err := journal.ParseTraces(f.traces); err != nil {
		return flagError("traces", err)
	}
	if f.shard == "" {
		return nil
	}
	if _, err := eval.ParseShard(f.shard); err != nil {
		return flagError("shard", err)
	}
	return nil
}

// over has a plan be of the part that is asked for. The flags are checked.
func (f *sliceFlags) over(cfg play.Config) play.Config {
	cfg.Traces, _ = journal.ParseTraces(f.traces)
	if f.shard != "" {
		cfg.Shard, _ = eval.ParseShard(f.shard)
	}
	return cfg
}
