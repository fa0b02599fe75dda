package main

import (
	"github.com/spf13/pflag"

	"evalctl/cmd/evalctl/play"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// shardFlags are the flags --shard and --traces: the part of the cases to run, and which event logs
// to store.
type shardFlags struct{ shard, traces string }

func (f *shardFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.shard, "shard", "",
		"run shard `INDEX/OF` of the cases, for example 2/8; evalctl merge combines them")
	flags.StringVar(&f.traces, "traces", "all",
		"store the full event log of `TRIALS`: "+joinOr(journal.TraceModeNames()))
}

func (f *shardFlags) check() error {
	if _, err := journal.ParseTraceMode(f.traces); err != nil {
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

// applyTo returns the run configuration with the shard and traces of the flags, which must be
// valid.
func (f *shardFlags) applyTo(cfg play.Config) play.Config {
	cfg.Traces, _ = journal.ParseTraceMode(f.traces)
	if f.shard != "" {
		cfg.Shard, _ = eval.ParseShard(f.shard)
	}
	return cfg
}
