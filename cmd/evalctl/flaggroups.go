package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"evalctl/agent/system"
	"evalctl/eval/suite"
)

// flagListTemplate is the part of cobra's usage template that lists all flags.
const flagListTemplate = "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}"

// groupFlags changes the help of a command: it shows the flags in groups, followed by the text in
// more.
func groupFlags(cmd *cobra.Command, groups []flagGroup, short bool, more string) {
	cmd.InitDefaultHelpFlag()
	var text []string
	for _, g := range groups {
		if usages := g.usages(cmd.Flags(), short); usages != "" {
			text = append(text, g.heading+":\n"+strings.TrimRight(usages, "\n"))
		}
	}
	if more != "" {
		text = append(text, strings.TrimRight(more, "\n"))
	}
	cmd.SetUsageTemplate(strings.Replace((&cobra.Command{}).UsageTemplate(), flagListTemplate,
		"{{"+strconv.Quote(strings.Join(text, "\n\n"))+"}}", 1))
}

// helpAll is the name of the flag that shows all flags of a command whose help is short.
const helpAll = "help-all"

// helpWidth is the width of a help text, in columns.
const helpWidth = 100

// shortHelp lists, by command, the groups of flags that its short help shows.
var shortHelp = map[string][]flagGroup{
	"run": {
		{"Cases", flagsNamed("target", "dataset", "labels", "oos-label", "split", "limit", "sample", "epochs", "seed")},
		{"Variants (each value is a variant)", flagsNamed("model", "prompt", "fault", "baseline-model")},
		{"Real models", flagsNamed("base-url", "api-key-env", "parallel", "max-cost")},
		{"Gates", flagsNamed("gate", "baseline", "undecided")},
		{"Output", flagsNamed("out", "format", "html", "resume", "quiet", "verbose")},
	},
	"doctor": {
		{"What to check", flagsNamed("offline", "timeout", "dir", "format")},
		{"The run to estimate", flagsNamed("target", "dataset", "sample", "model", "base-url", "api-key-env",
			"parallel", "prices")},
	},
	"serve": {
		{"Server", flagsNamed("addr", "allow-host", "allow-origin", "max-concurrent-requests", "timeout", "store")},
		{"Models", flagsNamed("model", "base-url", "api-key-env", "real", "allow-simulated", "without")},
	},
}

// shortUsage has shorter descriptions of flags for the short help.
var shortUsage = map[string]string{
	"target":         "agent `SYSTEM` to evaluate without a suite file (evalctl help systems)",
	"labels":         "labels to choose from: `A,B,C|FILE`",
	"model":          "model `NAME` with --base-url, PROVIDER:NAME, or baseline:KIND",
	"prompt":         "`FILE` with the prompt of the deciding model",
	"fault":          "inject `COMPONENT:KIND[@N|%P]` (evalctl help faults)",
	"baseline-model": "add baseline models of this `KIND`: linear, naive-bayes, majority",
	"base-url":       "OpenAI-compatible `URL` of the model",
	"parallel":       "`N` trials at the same time (default 16; http and exec 4)",
	"max-cost":       "start no more trials after this cost in `USD`",
	"undecided":      "effect of an undecided gate: `warn|fail`",
	"format":         "table, markdown, json, csv, latex, html, comment, junit, github, …: `FORMAT[=PATH]`",
	"allow-origin":   "`ORIGIN` whose web pages may send requests; * for any",
	"allow-host":     "additional host `NAME` to accept; * for any",
	"store":          "SQLite `FILE` for sessions, days and threads",
	"real":           "`COMPONENT=PROVIDER:NAME` of a real component (evalctl help real-models)",
	"without":        "`COMPONENTS` to leave out",
}

func flagsNamed(flags ...string) (list []runFlag) {
	for _, name := range flags {
		list = append(list, runFlag{name: name})
	}
	return list
}

// allFlags is the flag --help-all.
type allFlags struct{ cmd *cobra.Command }

func (a allFlags) String() string   { return "false" }
func (a allFlags) Type() string     { return "bool" }
func (a allFlags) IsBoolFlag() bool { return true }

// Set handles --help-all: it makes cobra show the help of the command.
func (a allFlags) Set(string) error {
	a.cmd.InitDefaultHelpFlag()
	return a.cmd.Flags().Set("help", "true")
}

// addShortHelp gives a command a short help, and the flag --help-all to see the full one.
func addShortHelp(cmd *cobra.Command) {
	flag := cmd.Flags().VarPF(allFlags{cmd}, helpAll, "", "show all flags")
	flag.NoOptDefVal = "true"
	show := cmd.HelpFunc()
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd.Flags().Changed(helpAll) {
			show(cmd, args)
			return
		}
		cmd.Example = strings.Join(shortExamples(cmd.Name(), strings.Split(cmd.Example, "\n")), "\n")
		groupFlags(cmd, shortHelp[cmd.Name()], true,
			fmt.Sprintf("All flags: evalctl %s --%s. Settings of a system: evalctl help SYSTEM.", cmd.Name(), helpAll))
		cmd.Root().HelpFunc()(cmd, args)
	})
}

// shortExamples returns the examples for a short help: the first and the last. For run it returns
// two of each, to include custom agents.
func shortExamples(verb string, all []string) []string {
	if len(all) < 4 {
		return all
	}
	if verb == "run" {
		return slices.Concat(all[:2], all[len(all)-2:])
	}
	return slices.Concat(all[:1], all[len(all)-1:])
}

// showRunHelp shows the full help of run. If a target is given, it includes the settings and
// examples of that system.
func (f *runFlags) showRunHelp(cmd *cobra.Command, args []string) {
	var targets []string
	groups := slices.Clone(runTable)
	for _, s := range systemsOf(append(cmd.Flags().Args(), f.target)) {
		targets = append(targets, s.Name)
		groups = append(groups, flagGroup{"Settings of " + s.Name +
			", each an axis: the variants are the product of all", settingFlags(cmd, s)})
	}
	more := ""
	if len(targets) == 0 {
		more = settingsByName(cmd)
	} else {
		cmd.Example = "  evalctl run\n" + examples("run", targets...)
	}
	groupFlags(cmd, groups, false, more)
	cmd.Root().HelpFunc()(cmd, args)
}

// settingFlags returns the settings of a system that are flags of the command.
func settingFlags(cmd *cobra.Command, s system.System) (list []runFlag) {
	for _, set := range s.Settings {
		if cmd.Flags().Lookup(set.Name) != nil {
			list = append(list, runFlag{set.Name, withWorkers})
		}
	}
	return list
}

// settingsByName returns a help text with the names of the setting flags of all systems.
func settingsByName(cmd *cobra.Command) string {
	const width, indent = helpWidth, 14
	var b strings.Builder
	b.WriteString("Settings of the systems (explained by evalctl help SYSTEM), each an axis:")
	for _, s := range suite.Systems() {
		fmt.Fprintf(&b, "\n  %-*s", indent-2, s.Name)
		at := indent
		for _, set := range settingFlags(cmd, s) {
			if at += len(" --") + len(set.name); at > width {
				b.WriteString("\n" + strings.Repeat(" ", indent))
				at = indent + len(" --") + len(set.name)
			}
			b.WriteString(" --" + set.name)
		}
	}
	return b.String()
}

// usages formats the flags of a group for a help text. A short help uses shortUsage.
func (g flagGroup) usages(all *pflag.FlagSet, short bool) string {
	var set pflag.FlagSet
	set.SortFlags = false
	for _, one := range g.flags {
		flag := all.Lookup(one.name)
		if flag == nil {
			continue
		}
		if text, ok := shortUsage[one.name]; ok && short {
			brief := *flag
			brief.Usage = text
			flag = &brief
		}
		set.AddFlag(flag)
	}
	return set.FlagUsagesWrapped(helpWidth)
}

func flagsOf(cmd *cobra.Command) (list []*pflag.Flag) {
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { list = append(list, flag) })
	return list
}
