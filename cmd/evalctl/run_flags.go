package main

import (
	"slices"

	"github.com/spf13/pflag"
)

// decision is a bit set of a run flag's properties in other commands and modes.
type decision uint

// Each flag has exactly one of the first three properties.
const (
	withWorkers    decision = 1 << iota // accepted with --broker: used by the coordinator or sent in the manifest
	ofEachWorker                        // refused with --broker: set on each worker
	withoutWorkers                      // refused with --broker: not available

	onResume     // can be changed when a run is resumed
	ofHTTP       // no effect without HTTP endpoints; the cost of a command can still be known
	ofReal       // no effect without real endpoints
	ofChoice     // selects what runs, independent of variant and split
	notOfCurve   // not a flag of curve
	notOfDoctor  // not a flag of doctor
	idleInDoctor // accepted and ignored by doctor
)

// runFlag is a flag of run with its properties.
type runFlag struct {
	name    string
	decided decision
}

// flagGroup is a group of flags under a heading in the help.
type flagGroup struct {
	heading string
	flags   []runFlag
}

// runTable lists all flags of run by help heading, the most common first. Settings of systems
// follow them and all work with --broker.
var runTable = []flagGroup{
	{"What to play", []runFlag{
		{"target", withWorkers | ofChoice},
		{"dataset", withWorkers | ofChoice},
		{"split", withWorkers},
		{"limit", withWorkers | ofChoice},
		{"sample", withWorkers | ofChoice},
		{"tags", withWorkers | ofChoice},
		{"labels", withWorkers | ofChoice},
		{"oos-label", withWorkers | ofChoice},
		{"decision-only", withWorkers | ofChoice},
		{"epochs", withWorkers | ofChoice},
		{"seed", withWorkers | ofChoice},
		{"only-failing", withWorkers | notOfCurve | notOfDoctor},
		{"shard", withoutWorkers},
	}},
	{"Output", []runFlag{
		{"out", withWorkers | idleInDoctor},
		{"format", withWorkers | onResume | notOfCurve | notOfDoctor},
		{"junit-baseline", withWorkers | onResume | notOfCurve | idleInDoctor},
		{"html", withWorkers | onResume | notOfCurve | idleInDoctor},
		{"quiet", withWorkers | onResume | idleInDoctor},
		{"verbose", withWorkers | onResume | notOfCurve | idleInDoctor},
		{"resume", withWorkers | onResume | notOfCurve | notOfDoctor},
		{"traces", withWorkers},
		{"otlp", withWorkers | onResume | notOfCurve | idleInDoctor},
		{"otlp-content", withWorkers | onResume | notOfCurve | idleInDoctor},
		{"help", withWorkers | onResume},
	}},
	{"Gates", []runFlag{
		{"gate", withWorkers | onResume | notOfCurve | idleInDoctor},
		{"baseline", withWorkers | onResume | notOfCurve | idleInDoctor},
		{"undecided", withWorkers | onResume | notOfCurve | idleInDoctor},
	}},
	{"Models", []runFlag{
		{"model", withWorkers},
		{"base-url", withWorkers | onResume},
		{"api-key-env", withWorkers},
		{"max-response-bytes", ofEachWorker | onResume | ofChoice},
		{"baseline-model", withWorkers},
		{"second-judgment", withWorkers | ofChoice | notOfCurve},
		{"grade-facts", withWorkers | ofChoice | notOfCurve},
		{"trust", withWorkers | onResume | ofChoice},
		{"allow-changed", withWorkers | onResume | notOfCurve | idleInDoctor},
	}},
	{"Recordings of real endpoints", []runFlag{
		{"record", withoutWorkers | onResume | ofHTTP},
		{"replay", withoutWorkers | onResume | ofHTTP},
		{"cache", withoutWorkers | onResume | ofHTTP},
	}},
	{"Faults and variants", []runFlag{
		{"fault", withWorkers | ofChoice | notOfCurve},
		{"baseline-variant", withWorkers | notOfCurve | idleInDoctor},
	}},
	{"Pace", []runFlag{
		{"parallel", ofEachWorker | onResume},
		{"circuit-breaker", withWorkers | onResume | idleInDoctor},
		{"max-missing", withWorkers | onResume | idleInDoctor},
		{"clock", withWorkers | ofChoice | idleInDoctor},
		{"rpm", ofEachWorker | onResume | ofHTTP | ofReal},
		{"tpm", ofEachWorker | onResume | ofHTTP | ofReal},
		{"max-cost", withWorkers | onResume | ofReal},
		{"max-time", withWorkers | onResume},
		{"max-requests", withoutWorkers | onResume | ofHTTP | ofReal},
		{"prices", withoutWorkers | onResume},
	}},
	{"Many machines", []runFlag{
		{"broker", withWorkers | onResume | notOfCurve | idleInDoctor},
		{"worker-timeout", withWorkers | onResume | notOfCurve | idleInDoctor},
		{"token-file", withWorkers | onResume | notOfCurve | idleInDoctor},
		{"tls-ca", withWorkers | onResume | notOfCurve | idleInDoctor},
		{"tls-cert", withWorkers | onResume | notOfCurve | idleInDoctor},
		{"tls-key", withWorkers | onResume | notOfCurve | idleInDoctor},
	}},
}

// flagsOn returns the flags with at least one of the properties.
func flagsOn(some decision) (names []string) {
	for _, g := range runTable {
		for _, flag := range g.flags {
			if flag.decided&some != 0 {
				names = append(names, flag.name)
			}
		}
	}
	return names
}

// isDecided reports whether a flag has at least one of the properties.
func isDecided(flag *pflag.Flag, some decision) bool {
	return slices.Contains(flagsOn(some), flag.Name)
}

// firstGiven returns the first given flag with at least one of the properties, or "".
func firstGiven(given func(string) bool, some decision) string {
	names := flagsOn(some)
	if at := slices.IndexFunc(names, given); at >= 0 {
		return names[at]
	}
	return ""
}
