package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"evalctl/mocks/component"
	"evalctl/mocks/fault"
)

// unknown says that word is no such thing, and which one may have been meant.
func unknown[S ~string](what string, word S, known []S) error {
	if near, ok := closest(word, known); ok {
		return fmt.Errorf("unknown %s %q, did you mean %q?", what, word, near)
	}
	return fmt.Errorf("unknown %s %q (known: %s)", what, word, join(known))
}

// checkKnown is nil for a known word.
func checkKnown[S ~string](what string, word S, known []S) error {
	if slices.Contains(known, word) {
		return nil
	}
	return unknown(what, word, known)
}

func join[S ~string](list []S) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

// closest finds the known word that is a few slips of the keyboard away.
func closest[S ~string](word S, known []S) (near S, ok bool) {
	best := max(1, len(word)/3) + 1
	for _, k := range known {
		if d := slips(string(word), string(k)); d < best {
			near, best, ok = k, d, true
		}
	}
	return near, ok
}

// slips is the Levenshtein distance, with a swap of neighbours as one slip.
func slips(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// parseFaults reads a spec like router:timeout@1+image:task_failed.
func parseFaults(spec string) ([]fault.Fault, error) {
	faults, err := fault.Parse(spec, nil)
	if err == nil {
		return faults, nil
	}
	for one := range strings.SplitSeq(spec, "+") {
		name, kind, ok := strings.Cut(strings.TrimSpace(one), ":")
		if end := strings.IndexAny(kind, "=@%"); end >= 0 {
			kind = kind[:end]
		}
		if near, typo := closest(name, component.Parts(nil).Names()); ok && typo && near != name {
			return nil, fmt.Errorf("fault %q: %w", spec, unknown("component", name, component.Parts(nil).Names()))
		}
		if near, typo := closest(fault.Kind(kind), fault.Kinds()); ok && typo && string(near) != kind {
			return nil, fmt.Errorf("fault %q: %w", spec, unknown("kind", fault.Kind(kind), fault.Kinds()))
		}
	}
	return nil, err
}

// explainFlag tells in one line, in the user's words, what is wrong with a flag.
func explainFlag(cmd *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	var bad *pflag.InvalidValueError
	switch {
	case errors.As(err, &missing) && missing.GetSpecifiedShortnames() == "":
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
		if near, ok := closest("--"+missing.GetSpecifiedName(), known); ok {
			return fmt.Errorf("%w, did you mean %s?", err, near)
		}
	case errors.As(err, &bad):
		return flagError(bad.GetFlag().Name, fmt.Errorf("%q is no %s", bad.GetValue(), kindOf(bad.GetFlag())))
	}
	return err
}

// kindOf says what a flag takes.
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

// refuseEmpty finds a flag that was given nothing, as a script's unset
// variable does: it must not pass for a flag that was left out.
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
