package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/peterh/liner"
)

// Prompt is shown in front of the input.
const Prompt = "› "

// maxLine limits a line, in bytes.
const maxLine = 1 << 20

// Errors of LineReader.Line.
var (
	ErrLongLine = fmt.Errorf("the line has more than %d bytes", maxLine)
	ErrAborted  = errors.New("aborted by Ctrl-C") // only from an Editor
)

// LineReader reads lines until io.EOF.
type LineReader interface {
	Line() (string, error)
	Close() error
}

// IsInteractive reports whether input and output are terminals.
func IsInteractive(in io.Reader, out io.Writer) bool {
	f, ok := in.(*os.File)
	return ok && isatty.IsTerminal(f.Fd()) && IsTerminal(out)
}

// Lines reads lines without editing.
type Lines struct{ in *bufio.Reader }

var _ LineReader = Lines{}

// NewLines returns a Lines that reads from in.
func NewLines(in io.Reader) Lines { return Lines{bufio.NewReader(in)} }

// Line returns the next line. A line that is too long is skipped with ErrLongLine.
func (l Lines) Line() (string, error) {
	var line []byte
	for {
		piece, more, err := l.in.ReadLine()
		if err != nil && (err != io.EOF || len(line) == 0) {
			return "", err
		}
		if len(line) <= maxLine {
			line = append(line, piece...)
		}
		if more {
			continue
		}
		if len(line) > maxLine {
			return "", ErrLongLine
		}
		return string(line), nil
	}
}

// Close does nothing: the reader belongs to the caller.
func (l Lines) Close() error { return nil }

// Editor reads lines with editing and a history from the process's terminal. Between calls of Line,
// typed input is not shown and Ctrl-C is a signal as usual.
type Editor struct{ state *liner.State }

var _ LineReader = (*Editor)(nil)

// CanEdit reports whether in and out are the process's terminal and support line editing.
func CanEdit(in io.Reader, out io.Writer) bool {
	return in == io.Reader(os.Stdin) && unwrap(out) == io.Writer(os.Stdout) && liner.TerminalSupported()
}

// NewEditor changes the mode of the terminal until Close.
func NewEditor() *Editor {
	s := liner.NewLiner()
	s.SetCtrlCAborts(true)
	s.SetMultiLineMode(true) // otherwise wide characters break at wrong columns
	s.SetBeep(false)
	return &Editor{state: s}
}

// Line reads a line and adds it to the history.
func (e *Editor) Line() (string, error) {
	line, err := e.state.Prompt(Prompt)
	switch {
	case errors.Is(err, liner.ErrPromptAborted):
		return "", ErrAborted
	case err != nil:
		return "", err
	case len(line) > maxLine:
		return "", ErrLongLine
	case line != "":
		e.state.AppendHistory(line)
	}
	return line, nil
}

// Close restores the mode of the terminal.
func (e *Editor) Close() error { return e.state.Close() }
