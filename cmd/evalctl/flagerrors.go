package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

func flagError(flag string, err error) error { return fmt.Errorf("--%s: %w", flag, err) }

// explainFlag turns an error of the flag parser into one line that also suggests a similar flag.
func explainFlag(cmd *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	var bad *pflag.InvalidValueError
	switch {
	case errors.As(err, &missing) && isLasting(missing.GetSpecifiedName()):
		return flagError(missing.GetSpecifiedName(),
			errors.New("is for chat and serve: it outlives a trial, and no trial may see another's"))
	case errors.As(err, &missing) && missing.GetSpecifiedShortnames() == "":
		name, known, dashed := missing.GetSpecifiedName(), []string{}, []string{}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			known, dashed = append(known, f.Name), append(dashed, "--"+f.Name)
		})
		if now, ok := suggest.CurrentName(name, known); ok {
			return fmt.Errorf("%w: it is now --%s", err, now)
		}
		if near, ok := suggest.Closest("--"+name, dashed); ok {
			return fmt.Errorf("%w, did you mean %s?", err, near)
		}
	case errors.As(err, &bad):
		return flagError(bad.GetFlag().Name, fmt.Errorf("%q is not a %s", bad.GetValue(), kindOf(bad.GetFlag())))
	}
	return err
}

func isLasting(setting string) bool {
	return slices.ContainsFunc(suite.Settings(),
		func(set suite.Setting) bool { return set.Name == setting && set.IsPersistent() })
}

// kindOf returns a phrase for the valid values of a flag, such as "whole number".
func kindOf(f *pflag.Flag) string {
	switch t := f.Value.Type(); {
	case strings.HasPrefix(t, "uint"):
		return "whole number from 0 on"
	case strings.HasPrefix(t, "int"):
		return "whole number"
	case strings.HasPrefix(t, "float"):
		return "number"
	case t == "duration":
		return "duration like 3s"
	default:
		return t
	}
}

// refuseEmpty returns an error if a flag has an empty value, for example from an unset variable in
// a script. Otherwise the flag would be ignored as if it were absent.
func refuseEmpty(flags *pflag.FlagSet) error {
	var err error
	flags.Visit(func(f *pflag.Flag) {
		empty := f.Value.String() == ""
		if list, ok := f.Value.(pflag.SliceValue); ok {
			empty = len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")
		}
		if empty && err == nil {
			err = flagError(f.Name, errors.New("is empty"))
		}
	})
	return err
}
