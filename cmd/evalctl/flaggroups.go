package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagGroup is what a help text has under a heading.
type flagGroup struct {
	heading string
	names   []string
}

// runGroups are those of run, what is wanted most often first; the settings of systems
// stand behind them.
var runGroups = []flagGroup{
	{"What to play", []string{"target", "dataset", "split", "limit", "sample", "tags", "labels", "oos", "scope", "epochs", "seed", "only-failing", "shard"}},
	{"Output", []string{"out", "format", "html", "quiet", "verbose", "resume", "traces", "otlp", "otlp-content"}},
	{"Gates", []string{"gate", "baseline", "inconclusive"}},
	{"Models", []string{"model", "base-url", "api-key-env", "max-answer", "floor", "second-judgement", "grade-facts", "trust"}},
	{"Recordings of real endpoints", []string{"record", "replay", "cache"}},
	{"Faults and variants", []string{"fault", "against"}},
	{"Pace", []string{"parallel", "breaker", "max-missing", "time", "rpm", "tpm", "max-cost", "max-time", "max-calls", "prices"}},
	{"Many machines", []string{"workers", "lost-after"}},
	{"Help", []string{"help"}},
}

// oneList is where cobra's own text has all flags in one list.
const oneList = "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}"

// groupFlags has a command's help show its flags by groups, and all others under the
// last heading.
func groupFlags(cmd *cobra.Command, groups []flagGroup, others string) {
	cmd.InitDefaultHelpFlag()
	last := flagGroup{heading: others}
	for _, flag := range flagsOf(cmd) {
		if !slices.ContainsFunc(groups, func(g flagGroup) bool { return slices.Contains(g.names, flag.Name) }) {
			last.names = append(last.names, flag.Name)
		}
	}
	var text []string
	for _, g := range append(slices.Clone(groups), last) {
		if usages := g.usages(cmd.Flags()); usages != "" {
			text = append(text, g.heading+":\n"+strings.TrimRight(usages, "\n"))
		}
	}
	cmd.SetUsageTemplate(strings.Replace(cmd.UsageTemplate(), oneList, "{{"+strconv.Quote(strings.Join(text, "\n\n"))+"}}", 1))
}

// usages are the lines of a group's flags.
func (g flagGroup) usages(all *pflag.FlagSet) string {
	var set pflag.FlagSet
	set.SortFlags = false
	for _, name := range g.names {
		if flag := all.Lookup(name); flag != nil {
			set.AddFlag(flag)
		}
	}
	return set.FlagUsages()
}

// flagsOf are all flags of a command, in their order.
func flagsOf(cmd *cobra.Command) (list []*pflag.Flag) {
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { list = append(list, flag) })
	return list
}
