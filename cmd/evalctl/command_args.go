package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"evalctl/agent/system"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

// argsAfterDash parts arguments from the command that stands behind --, as the value of
// the setting that runs one; "" where there is none.
func argsAfterDash(cmd *cobra.Command, args []string) (before []string, command string, err error) {
	at := cmd.ArgsLenAtDash()
	if at < 0 || at >= len(args) {
		return args, "", nil
	}
	b, err := json.Marshal(args[at:])
	return args[:at], string(b), err
}

// systemForCommand is the setting that runs a command, of the first of the systems that has one.
func systemForCommand(of []system.System) (name string, err error) {
	for _, s := range of {
		if at := slices.IndexFunc(s.Settings, isRun); at >= 0 {
			return s.Settings[at].Name, nil
		}
	}
	return "", fmt.Errorf("--: a command is for a system that runs one: %s", suggest.Join(runners()))
}

// runners are the systems that run commands.
func runners() (names []string) {
	for _, s := range suite.Systems() {
		if slices.ContainsFunc(s.Settings, isRun) {
			names = append(names, s.Name)
		}
	}
	return names
}

// isRun tells a setting that is always a command: what may be an address is given by its
// flag.
func isRun(set system.Setting) bool { return set.IsCommand && !set.IsURL }
