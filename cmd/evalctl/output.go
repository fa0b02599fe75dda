package main

import (
	"bytes"
	"fmt"
	"io"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/reports"
	"evalctl/reports/document"
)

// answer is the output of a command, such as a comparison, that can be written in any format.
type answer interface {
	Write(w io.Writer, format reports.Format) error
}

// outputOptions returns how the output of a command is shown.
func outputOptions(out io.Writer) document.Options {
	return document.Options{Width: terminal.Width(out), Color: terminal.HasColor(out), ASCII: !terminal.IsUTF8()}
}

func render(a answer, format string) ([]byte, error) {
	var b bytes.Buffer
	if err := a.Write(&b, reports.Format(format)); err != nil {
		return nil, exit.InternalError(err)
	}
	return b.Bytes(), nil
}

// printAnswer writes rendered output to a terminal or file. Output for a terminal is styled; JSON
// is written unchanged.
func printAnswer(out io.Writer, format, what string, text []byte) error {
	to := terminal.StyledWriter(out)
	if reports.Format(format) == reports.JSON {
		to = terminal.RawWriter(out)
	}
	if _, err := to.Write(text); err != nil {
		return exit.InternalError(fmt.Errorf("write %s %s: %w", format, what, err))
	}
	return nil
}
