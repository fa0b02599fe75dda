package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"evalctl/cmd/evalctl/play"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/runs"
	"evalctl/eval/suite"
)

// nextCommands returns the commands that the user should run next. For test cases, they tune on the
// dev split instead. Otherwise, they run the suite with the chosen threshold, if it is
// significantly better.
func (f *tuneFlags) nextCommands(run *runs.Run, c *tunedCondition, among int) (list [][]string) {
	switch {
	case c.suite.OnlyFailedIn != "":
		return nil
	case c.tuned.Split == "test":
		dir := unusedDir(run.Path, among)
		if words := c.rerunCommand(run.Manifest.Args, ""); words != nil {
			list = [][]string{append(words, "--split", "dev", "--out", dir),
				append([]string{"evalctl", "tune", dir, "--setting", f.setting}, f.goalWords()...)}
		}
	case c.tuned.GainState == eval.Better && c.isUsed:
		if words := c.rerunCommand(run.Manifest.Args, f.setting); words != nil {
			if f.oosLabel != "" && c.suite.System().Contract.HasDatasetLabels() {
				words = append(words, "--oos-label", f.oosLabel)
			}
			list = [][]string{append(words, "--split", cmp.Or(c.tuned.Split, "all"), "--"+f.setting,
				strconv.FormatFloat(c.tuned.Best.Threshold, 'f', -1, 64))}
		}
	}
	return list
}

// goalWords returns the flags that select the goal of the tuning, for another tune command.
func (f *tuneFlags) goalWords() (words []string) {
	for _, flag := range []struct{ name, value string }{
		{"oos-label", f.oosLabel},
		{"objective", f.objective},
		{"prior", f.prior},
	} {
		if flag.value != "" && flag.value != defaultObjective {
			words = append(words, "--"+flag.name, flag.value)
		}
	}
	return words
}

// unusedDir returns the name of a directory next to the run that does not exist yet. among is the
// index of the variant; each variant gets another directory.
func unusedDir(run string, among int) string {
	if info, err := os.Stat(run); err == nil && !info.IsDir() {
		run = filepath.Dir(run)
	}
	base := filepath.Clean(run) + "-dev"
	for n, dir := 1, base; ; n++ {
		if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
			if among == 0 {
				return dir
			}
			among--
		} else if err != nil {
			return dir
		}
		dir = fmt.Sprintf("%s-%d", base, n+1)
	}
}

// rerunCommand returns a command that runs only this variant on the same cases. It omits the
// setting named by but. It returns nil if flags cannot express that.
func (c *tunedCondition) rerunCommand(args []string, but string) []string {
	named := func(text string) bool { r, err := gate.Parse(text); return err != nil || r.Variant != "" }
	// flags would rename the variant, which a gate names
	if c.suite.Name == "" || slices.ContainsFunc(c.suite.Gates, named) {
		return nil
	}
	var before runFlags
	cmd := &cobra.Command{}
	before.register(cmd, suite.Settings())
	if len(args) > 0 && args[0] == "run" && cmd.Flags().Parse(args[1:]) != nil {
		return nil
	}
	words := []string{"evalctl", "run"}
	if before.target == "" {
		name, ok := c.suiteArgument(cmd.Flags().Args(), before.dataset)
		if !ok {
			return nil
		}
		words = append(words, name...)
	}
	words = append(words, c.settings(but)...)
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if hasTrait(flag, selectsTrials) {
			words = append(words, flagWords(flag)...)
		}
	})
	return words
}

// suiteArgument returns the argument of the rerun command that selects the suite. It is empty if
// --dataset selects the suite. ok is false if no argument does.
func (c *tunedCondition) suiteArgument(args []string, dataset string) (name []string, ok bool) {
	if len(args) == 0 && dataset != "" && !slices.Contains(datasets.BuiltInNames(), dataset) {
		return nil, true
	}
	if len(args) == 0 || slices.Contains(args, c.suite.Name) {
		return []string{c.suite.Name}, slices.Contains(datasets.BuiltInNames(), c.suite.Name)
	}
	for _, arg := range args {
		if s, err := play.LoadSuite(arg); err == nil && s.Name == c.suite.Name {
			return []string{arg}, true
		}
	}
	return nil, false
}

// settings returns the flags that create the variant of the condition. It omits the setting named
// by but.
func (c *tunedCondition) settings(but string) (words []string) {
	values := c.suite.SettingValues(c.variant)
	for _, set := range c.suite.SystemOf(c.variant).Settings {
		value := values[set.Name]
		if set.Name == but || value == "" || !set.IsUsed(values) || set.Values == nil && value == set.Default {
			continue
		}
		words = append(words, "--"+set.Name, value)
	}
	for _, f := range []struct{ flag, value string }{{"model", c.variant.Model}, {"base-url", c.variant.BaseURL},
		{"api-key-env", c.variant.KeyEnv}} {
		if f.value != "" {
			words = append(words, "--"+f.flag, f.value)
		}
	}
	return words
}

func flagWords(flag *pflag.Flag) (words []string) {
	list, ok := flag.Value.(pflag.SliceValue)
	switch {
	case flag.NoOptDefVal != "" && flag.NoOptDefVal == flag.Value.String():
		return []string{"--" + flag.Name}
	case flag.NoOptDefVal != "":
		return []string{"--" + flag.Name + "=" + flag.Value.String()}
	case !ok:
		return []string{"--" + flag.Name, flag.Value.String()}
	}
	for _, one := range list.GetSlice() {
		words = append(words, "--"+flag.Name, one)
	}
	return words
}
