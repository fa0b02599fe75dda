package main

import (
	"runtime/debug"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/terminal"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p := terminal.Printer{W: cmd.OutOrStdout()}
			p.Printf("evalctl %s\n", version())
			return printed(p)
		},
	}
}

// version is the module's, with the revision it was built from where known.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			v += " " + s.Value[:12]
		}
	}
	return v
}
