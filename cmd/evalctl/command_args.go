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

// argsAfterDash splits the arguments at `--`. command contains the arguments after it as a JSON
// list, or is "" if there is no `--`.
func argsAfterDash(cmd *cobra.Command, args []string) (before []string, command string, err error) {
	at := cmd.ArgsLenAtDash()
	if at < 0 || at >= len(args) {
		return args, "", nil
	}
	b, err := json.Marshal(args[at:])
	return args[:at], string(b), err
}

// commandSettingName finds the first system that has a setting for the command after `--`. It
// returns the name of that setting.
func commandSettingName(of []system.System) (name string, err error) {
	for _, s := range of {
		if at := slices.IndexFunc(s.Settings, isCommandSetting); at >= 0 {
			return s.Settings[at].Name, nil
		}
	}
	return "", fmt.Errorf("--: a command is for a system that runs one: %s", suggest.JoinWords(commandSystems()))
}

// commandSystems returns the names of the systems that run a command.
func commandSystems() (names []string) {
	for _, s := range suite.Systems() {
		if slices.ContainsFunc(s.Settings, isCommandSetting) {
			names = append(names, s.Name)
		}
	}
	return names
}

// isCommandSetting reports whether the value of a setting is always a command. A setting that also
// accepts a URL does not count: its command must be given with its flag.
func isCommandSetting(set system.Setting) bool { return set.IsCommand && !set.IsURL }
