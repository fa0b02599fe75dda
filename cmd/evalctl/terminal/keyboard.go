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

// Prompt stands before what a person types.
const Prompt = "› "

// maxLine is how many bytes a line may have.
const maxLine = 1 << 20

// What Line returns in place of a line.
var (
	ErrLongLine = fmt.Errorf("the line has more than %d bytes", maxLine)
	ErrAborted  = errors.New("aborted by Ctrl-C") // by a person at an Editor
)

// LineReader is where lines come from, until io.EOF.
type LineReader interface {
	Line() (string, error)
	Close() error
}

// IsInteractive tells whether somebody sits at a terminal to type and to read.
func IsInteractive(in io.Reader, out io.Writer) bool {
	f, ok := in.(*os.File)
	return ok && isatty.IsTerminal(f.Fd()) && IsTerminal(out)
}

// Lines reads lines as they come.
type Lines struct{ in *bufio.Reader }

var _ LineReader = Lines{}

// NewLines reads lines from in.
func NewLines(in io.Reader) Lines { return Lines{bufio.NewReader(in)} }

// Line reads the next line. One that is too long is passed over.
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

// Close does nothing: what is read from belongs to others.
func (l Lines) Close() error { return nil }

// Editor has a person type lines, with arrows and a history, on the process's own
// terminal. Between lines nothing that is typed is shown, and Ctrl-C is a signal
// as usual.
type Editor struct{ state *liner.State }

var _ LineReader = (*Editor)(nil)

// CanEdit tells whether the process's terminal lets lines be edited.
func CanEdit(in io.Reader, out io.Writer) bool {
	return in == io.Reader(os.Stdin) && behind(out) == io.Writer(os.Stdout) && liner.TerminalSupported()
}

// NewEditor changes the terminal's mode until Close.
func NewEditor() *Editor {
	s := liner.NewLiner()
	s.SetCtrlCAborts(true)
	s.SetMultiLineMode(true) // or wide characters are cut at the wrong columns
	s.SetBeep(false)
	return &Editor{state: s}
}

// Line has the person type a line.
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

// Close gives the terminal back as it was.
func (e *Editor) Close() error { return e.state.Close() }
