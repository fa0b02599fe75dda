package main

import (
	"slices"

	"github.com/spf13/pflag"
)

// flagTraits is a bit set: how a flag of run behaves in other commands, in a resumed run and with
// workers.
type flagTraits uint

// Each flag has exactly one of the first three traits.
const (
	// accepted with --broker: the coordinator uses it or sends it in the manifest
	withWorkers    flagTraits = 1 << iota
	ofEachWorker              // refused with --broker: set on each worker
	withoutWorkers            // refused with --broker: workers do not support it

	onResume        // can be changed when a run is resumed
	needsHTTP       // no effect without HTTP endpoints, for example if the agent is a command
	needsReal       // no effect without real endpoints
	selectsTrials   // selects which trials run, independent of variant and split
	notForCurve     // not a flag of curve
	notForDoctor    // not a flag of doctor
	ignoredByDoctor // accepted and ignored by doctor
)

// runFlag is the name of a flag of run with its traits.
type runFlag struct {
	name   string
	traits flagTraits
}

// flagGroup is a list of flags that the help shows under one heading.
type flagGroup struct {
	heading string
	flags   []runFlag
}

// runTable lists all flags of run by help heading, the most common first. Settings of systems are
// not in it; they are shown last, and all work with --broker.
var runTable = []flagGroup{
	{"What to run", []runFlag{
		{"target", withWorkers | selectsTrials},
		{"dataset", withWorkers | selectsTrials},
		{"text-column", withWorkers | selectsTrials},
		{"label-column", withWorkers | selectsTrials},
		{"id-column", withWorkers | selectsTrials},
		{"split", withWorkers},
		{"limit", withWorkers | selectsTrials},
		{"sample", withWorkers | selectsTrials},
		{"tags", withWorkers | selectsTrials},
		{"labels", withWorkers | selectsTrials},
		{"oos-label", withWorkers | selectsTrials},
		{"alias", withWorkers | selectsTrials},
		{"decision-only", withWorkers | selectsTrials},
		{"epochs", withWorkers | selectsTrials},
		{"seed", withWorkers | selectsTrials},
		{"only-failing", withWorkers | notForCurve | notForDoctor},
		{"shard", withoutWorkers},
	}},
	{"Output", []runFlag{
		{"out", withWorkers | ignoredByDoctor},
		{"format", withWorkers | onResume | notForCurve | notForDoctor},
		{"junit-baseline", withWorkers | onResume | notForCurve | ignoredByDoctor},
		{"junit", withWorkers | onResume | notForCurve | ignoredByDoctor},
		{"html", withWorkers | onResume | notForCurve | ignoredByDoctor},
		{"quiet", withWorkers | onResume | ignoredByDoctor},
		{"verbose", withWorkers | onResume | notForCurve | ignoredByDoctor},
		{"resume", withWorkers | onResume | notForCurve | notForDoctor},
		{"traces", withWorkers},
		{"otlp", withWorkers | onResume | notForCurve | ignoredByDoctor},
		{"otlp-content", withWorkers | onResume | notForCurve | ignoredByDoctor},
		{"help", withWorkers | onResume},
	}},
	{"Gates", []runFlag{
		{"gate", withWorkers | onResume | notForCurve | ignoredByDoctor},
		{"baseline", withWorkers | onResume | notForCurve | ignoredByDoctor},
		{"undecided", withWorkers | onResume | notForCurve | ignoredByDoctor},
	}},
	{"Models", []runFlag{
		{"model", withWorkers},
		{"base-url", withWorkers | onResume},
		{"api-key-env", withWorkers},
		{"max-response-bytes", ofEachWorker | onResume | selectsTrials},
		{"baseline-model", withWorkers},
		{"second-judgment", withWorkers | selectsTrials | notForCurve},
		{"grade-facts", withWorkers | selectsTrials | notForCurve},
		{"trust", withWorkers | onResume | selectsTrials},
		{"allow-changed", withWorkers | onResume | notForCurve | ignoredByDoctor},
	}},
	{"Recordings of real endpoints", []runFlag{
		{"record", withoutWorkers | onResume | needsHTTP},
		{"replay", withoutWorkers | onResume | needsHTTP},
		{"cache", withoutWorkers | onResume | needsHTTP},
	}},
	{"Faults and variants", []runFlag{
		{"fault", withWorkers | selectsTrials | notForCurve},
		{"baseline-variant", withWorkers | notForCurve | ignoredByDoctor},
	}},
	{"Pace", []runFlag{
		{"parallel", ofEachWorker | onResume},
		{"circuit-breaker", withWorkers | onResume | ignoredByDoctor},
		{"max-missing", withWorkers | onResume | ignoredByDoctor},
		{"clock", withWorkers | selectsTrials | ignoredByDoctor},
		{"rpm", ofEachWorker | onResume | needsHTTP | needsReal},
		{"tpm", ofEachWorker | onResume | needsHTTP | needsReal},
		{"max-cost", withWorkers | onResume | needsReal},
		{"max-time", withWorkers | onResume},
		{"max-requests", withoutWorkers | onResume | needsHTTP | needsReal},
		{"prices", withoutWorkers | onResume},
	}},
	{"Many machines", []runFlag{
		{"broker", withWorkers | onResume | notForCurve | ignoredByDoctor},
		{"worker-timeout", withWorkers | onResume | notForCurve | ignoredByDoctor},
		{"token-file", withWorkers | onResume | notForCurve | ignoredByDoctor},
		{"tls-ca", withWorkers | onResume | notForCurve | ignoredByDoctor},
		{"tls-cert", withWorkers | onResume | notForCurve | ignoredByDoctor},
		{"tls-key", withWorkers | onResume | notForCurve | ignoredByDoctor},
	}},
}

// flagsWith returns the names of the flags of run that have at least one of the traits.
func flagsWith(some flagTraits) (names []string) {
	for _, g := range runTable {
		for _, flag := range g.flags {
			if flag.traits&some != 0 {
				names = append(names, flag.name)
			}
		}
	}
	return names
}

// hasTrait reports whether a flag of run has at least one of the traits.
func hasTrait(flag *pflag.Flag, some flagTraits) bool {
	return slices.Contains(flagsWith(some), flag.Name)
}

// firstGiven returns the first given flag that has at least one of the traits, or "".
func firstGiven(given func(string) bool, some flagTraits) string {
	names := flagsWith(some)
	if at := slices.IndexFunc(names, given); at >= 0 {
		return names[at]
	}
	return ""
}
