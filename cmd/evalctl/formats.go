package main

import (
	"strings"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/play"
)

// registerJUnitBaseline registers the flag for [play.JUnitBaseline].
func registerJUnitBaseline(cmd *cobra.Command, at *string) {
	cmd.Flags().StringVar(at, "junit-baseline", "", "in JUnit, skip cases that are already wrong in the run `DIR`")
}

// outputsOf parses formats, with the baseline of JUnit outputs.
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

// registerFormats is for reports on a run.
func registerFormats(cmd *cobra.Command, at *[]string, defaultValue ...string) {
	cmd.Flags().StringSliceVar(at, "format", defaultValue, "report `FORMAT[=PATH]`: "+either(play.Formats()))
	complete(cmd, map[string][]string{"format": play.Formats()})
}

// registerFormat is for what is no report on a run.
func registerFormat(cmd *cobra.Command, at *string) {
	cmd.Flags().StringVar(at, "format", "table", "answer as `FORMAT`: "+either(play.TableFormats()))
	complete(cmd, map[string][]string{"format": play.TableFormats()})
}

// either are names as a, b or c.
func either(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
