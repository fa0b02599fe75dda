package main

import (
	"slices"

	"github.com/spf13/pflag"
)

// decision is what is decided of a flag of run, besides what it does.
type decision uint

// With --broker a flag is one of the first three.
const (
	withWorkers    decision = 1 << iota // taken: the coordinator has it, or its manifest tells the workers
	ofEachWorker                        // refused: each worker has its own
	withoutWorkers                      // refused: nobody has it

	onResume     // a resumed run may have another
	ofHTTP       // is of no effect where nothing is asked over HTTP; what a command costs may be known all the same
	ofReal       // is of no effect where nothing is real
	ofChoice     // settles what is played, whichever the variant and the split
	notOfCurve   // makes no sense of a curve
	notOfDoctor  // plays a run that was, of which nothing can be said
	idleInDoctor // says nothing of what a run stands on or costs, and is passed over there
)

// runFlag is a flag of run, by its name.
type runFlag struct {
	name    string
	decided decision
}

// flagGroup is what a help text has under a heading.
type flagGroup struct {
	heading string
	flags   []runFlag
}

// runTable has all flags of run under the headings of its help, what is wanted most often
// first. The settings of systems stand behind them: each goes with --broker.
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

// flagsOn are the names of all flags of run on which one of the decisions is taken.
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

// isDecided tells that one of the decisions is taken on a flag.
func isDecided(flag *pflag.Flag, some decision) bool {
	return slices.Contains(flagsOn(some), flag.Name)
}

// firstGiven is the first flag given on which one of the decisions is taken, "" where none is.
func firstGiven(given func(string) bool, some decision) string {
	names := flagsOn(some)
	if at := slices.IndexFunc(names, given); at >= 0 {
		return names[at]
	}
	return ""
}
