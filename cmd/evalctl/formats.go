package main

import (
	"strings"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/play"
)

func registerJUnitBaseline(cmd *cobra.Command, at *string) {
	cmd.Flags().StringVar(at, "junit-baseline", "", "in JUnit, skip cases that are already wrong in the run `DIR`")
}

// outputsOf parses the values of --format into report outputs. JUnit outputs are compared with
// junitBaseline.
func outputsOf(formats []string, junitBaseline string) ([]play.Output, error) {
	outputs, err := play.ParseFormats(formats)
	if err != nil {
		return nil, flagError("format", err)
	}
	if outputs, err = play.JUnitBaseline(outputs, junitBaseline); err != nil {
		return nil, flagError("junit-baseline", err)
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
