package main

import (
	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/build"
	"evalctl/cmd/evalctl/terminal"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version. A build without a version stamp of unmodified sources also has a hash
of its executable, by which runs and fleets know it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p := terminal.Printer{W: cmd.OutOrStdout()}
			identity, err := build.Identity()
			if err != nil {
				return err
			}
			p.Printf("evalctl %s\n", identity)
			return printError(p)
		},
	}
}
