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

// oneList is where cobra's own text has all flags in one list.
const oneList = "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}"

// groupFlags has a command's help show its flags by groups, and more text behind them.
func groupFlags(cmd *cobra.Command, groups []flagGroup, more string) {
	cmd.InitDefaultHelpFlag()
	var text []string
	for _, g := range groups {
		if usages := g.usages(cmd.Flags()); usages != "" {
			text = append(text, g.heading+":\n"+strings.TrimRight(usages, "\n"))
		}
	}
	if more != "" {
		text = append(text, strings.TrimRight(more, "\n"))
	}
	cmd.SetUsageTemplate(strings.Replace(cmd.UsageTemplate(), oneList, "{{"+strconv.Quote(strings.Join(text, "\n\n"))+"}}", 1))
}

// showRunHelp is the help of run: of a target all its settings and examples, else of every
// system the names of its settings, and one example.
func (f *runFlags) showRunHelp(cmd *cobra.Command, args []string) {
	var targets []string
	groups, more := slices.Clone(runTable), ""
	for _, s := range systemsOf(append(cmd.Flags().Args(), f.target)) {
		targets = append(targets, s.Name)
		groups = append(groups, flagGroup{"Settings of " + s.Name + ", each an axis: the variants are the product of all", settingFlags(cmd, s)})
	}
	if len(targets) == 0 {
		more = settingsByName(cmd)
	}
	cmd.Example = "  evalctl run\n" + examples("run", targets...)
	groupFlags(cmd, groups, more)
	cmd.Root().HelpFunc()(cmd, args)
}

// settingFlags are those of a system that are flags of a command.
func settingFlags(cmd *cobra.Command, s system.System) (list []runFlag) {
	for _, set := range s.Settings {
		if cmd.Flags().Lookup(set.Name) != nil {
			list = append(list, runFlag{set.Name, withWorkers})
		}
	}
	return list
}

// settingsByName are those of all systems, as their flags are called.
func settingsByName(cmd *cobra.Command) string {
	const width, indent = 112, 14
	var b strings.Builder
	b.WriteString("Settings of the systems, each an axis; evalctl run --target SYSTEM --help tells what they are:")
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

// usages are the lines of a group's flags.
func (g flagGroup) usages(all *pflag.FlagSet) string {
	var set pflag.FlagSet
	set.SortFlags = false
	for _, one := range g.flags {
		if flag := all.Lookup(one.name); flag != nil {
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
