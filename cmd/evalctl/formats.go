package main

import (
	"strings"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/play"
	"evalctl/eval/suggest"
)

func registerJUnit(cmd *cobra.Command, at *play.JUnitOptions) {
	cmd.Flags().StringVar(&at.Baseline, "junit-baseline", "",
		"in JUnit, skip cases that are already wrong in the run `DIR`")
	cmd.Flags().StringVar(&at.CaseFilter, "junit", "", "`CASES` that JUnit lists: "+joinOr(play.JUnitCaseFilters()))
	addCompletions(cmd, map[string][]string{"junit": play.JUnitCaseFilters()})
}

// outputsOf parses the values of --format into report outputs, and applies the options of JUnit.
func outputsOf(formats []string, junit play.JUnitOptions) ([]play.Output, error) {
	outputs, err := play.ParseFormats(formats)
	if err != nil {
		return nil, flagError("format", err)
	}
	if junit.CaseFilter != "" {
		if err := suggest.CheckKnown("choice", junit.CaseFilter, play.JUnitCaseFilters()); err != nil {
			return nil, flagError("junit", err)
		}
	}
	if outputs, err = junit.Apply(outputs); err != nil {
		flag := "junit"
		if junit.Baseline != "" {
			flag = "junit-baseline"
		}
		return nil, flagError(flag, err)
	}
	return outputs, nil
}

// registerFormats adds the flag --format of commands that write reports: several formats, each with
// an optional path.
func registerFormats(cmd *cobra.Command, at *[]string, defaultValue ...string) {
	cmd.Flags().StringSliceVar(at, "format", defaultValue, "report `FORMAT[=PATH]`: "+joinOr(play.Formats()))
	addCompletions(cmd, map[string][]string{"format": play.Formats()})
}

// registerFormat adds the flag --format of commands that print one answer in one format.
func registerFormat(cmd *cobra.Command, at *string) {
	cmd.Flags().StringVar(at, "format", "table", "answer as `FORMAT`: "+joinOr(play.TableFormats()))
	addCompletions(cmd, map[string][]string{"format": play.TableFormats()})
}

// joinOr joins names with commas and a final "or": "a, b or c".
func joinOr(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
