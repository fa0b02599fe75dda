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

// argsAfterDash splits the arguments at `--`. command is a JSON list of the rest, or "" if there is
// none.
func argsAfterDash(cmd *cobra.Command, args []string) (before []string, command string, err error) {
	at := cmd.ArgsLenAtDash()
	if at < 0 || at >= len(args) {
		return args, "", nil
	}
	b, err := json.Marshal(args[at:])
	return args[:at], string(b), err
}

// systemForCommand returns the command setting of the first system that has one.
func systemForCommand(of []system.System) (name string, err error) {
	for _, s := range of {
		if at := slices.IndexFunc(s.Settings, isRun); at >= 0 {
			return s.Settings[at].Name, nil
		}
	}
	return "", fmt.Errorf("--: a command is for a system that runs one: %s", suggest.Join(runners()))
}

// runners returns the names of systems that run commands.
func runners() (names []string) {
	for _, s := range suite.Systems() {
		if slices.ContainsFunc(s.Settings, isRun) {
			names = append(names, s.Name)
		}
	}
	return names
}

// isRun reports whether a setting is always a command. A setting that also accepts a URL requires
// its flag.
func isRun(set system.Setting) bool { return set.IsCommand && !set.IsURL }
