package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"evalctl/agent/file"
	"evalctl/agent/knowledge"
	"evalctl/cmd/evalctl/terminal"
)

func libraryCommand() *cobra.Command {
	return group(&cobra.Command{Use: "style-library", Short: "Work with image style libraries"}, libraryCreateCommand())
}

func libraryCreateCommand() *cobra.Command {
	var styles string
	cmd := &cobra.Command{
		Use:   "create FILE",
		Short: "Write a style library with embeddings",
		Long: `Write a SQLite file with the shipped styles, or with those of a JSON Lines file,
and a vector for each of their names. A style is a line such as
{"id":"ink-wash","zh":"水墨","en":"ink wash","aliases":["水墨画"],"prompt":"…"}.`,
		Example: "  evalctl style-library create styles.db\n  evalctl style-library create own.db --styles own.jsonl",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("style-library create: requires one file, got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return createLibrary(cmd.Context(), cmd.OutOrStdout(), args[0], styles)
		},
	}
	cmd.Flags().StringVar(&styles, "styles", "", "JSON Lines `FILE` of styles, in place of the shipped ones")
	return cmd
}

func createLibrary(ctx context.Context, w io.Writer, path, from string) error {
	styles, err := readStyles(from)
	if err != nil {
		return err
	}
	if err := checkLibrary(path); err != nil {
		return err
	}
	if err := knowledge.WriteLibrary(ctx, path, styles, knowledge.HashEmbedder{}); err != nil {
		return err
	}
	p := terminal.Printer{W: w}
	p.Printf("%s: %d styles\n", path, len(styles))
	return printError(p)
}

// checkLibrary returns an error if the file at path exists but is no style library. It prevents
// evalctl from overwriting such a file.
func checkLibrary(path string) error {
	f, err := file.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	const mark = "SQLite format 3\x00"
	head := make([]byte, len(mark))
	if n, err := io.ReadFull(f, head); n > 0 && (err != nil || string(head) != mark) {
		return fmt.Errorf("%s: exists and is not a style library: choose another name", path)
	}
	return nil
}

func readStyles(path string) ([]knowledge.Style, error) {
	if path == "" {
		return knowledge.ShippedStyles()
	}
	f, err := file.Open(path)
	if err != nil {
		return nil, flagError("styles", err)
	}
	defer f.Close()
	styles, err := knowledge.ReadStyles(path, f)
	if err != nil {
		return nil, flagError("styles", err)
	}
	return styles, nil
}
