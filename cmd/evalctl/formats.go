package main

import (
	"strings"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/play"
)

// registerFormats is for reports on a run.
func registerFormats(cmd *cobra.Command, at *[]string, usual ...string) {
	cmd.Flags().StringSliceVar(at, "format", usual, "report `FORMAT[=PATH]`: "+either(play.Formats()))
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
