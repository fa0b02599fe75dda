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

// Prompt is the text that Editor shows at the start of an input line.
const Prompt = "› "

// maxLine is the maximum length of an input line, in bytes.
const maxLine = 1 << 20

// ErrLongLine and ErrAborted are errors of LineReader.ReadLine after which the caller can read the
// next line.
var (
	// the line was skipped; it was longer than maxLine
	ErrLongLine = fmt.Errorf("the line has more than %d bytes", maxLine)
	ErrAborted  = errors.New("aborted by Ctrl-C") // returned only by Editor
)

// LineReader reads the user's input line by line, until io.EOF. Editor implements it for a
// terminal, and PlainReader for a pipe.
type LineReader interface {
	ReadLine() (string, error) // next line without its line end
	Close() error              // releases the terminal, not the input
}

// IsInteractive reports whether in and out are both terminals, so that the user can be prompted for
// input.
func IsInteractive(in io.Reader, out io.Writer) bool {
	f, ok := in.(*os.File)
	return ok && isatty.IsTerminal(f.Fd()) && IsTerminal(out)
}

// PlainReader is a LineReader without line editing, for input from a pipe or a file.
type PlainReader struct{ in *bufio.Reader }

var _ LineReader = PlainReader{}

// NewPlainReader returns a PlainReader that reads from in.
func NewPlainReader(in io.Reader) PlainReader { return PlainReader{bufio.NewReader(in)} }

// ReadLine returns the next line of input, without its line end. It skips a line of more than maxLine
// bytes and returns ErrLongLine for it.
func (l PlainReader) ReadLine() (string, error) {
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

// Close does nothing, because the caller owns the input.
func (l PlainReader) Close() error { return nil }

// Editor is a LineReader on the process's terminal, with line editing and a history. Outside of
// Line, typed input is not shown, and Ctrl-C interrupts the process as usual.
type Editor struct{ state *liner.State }

var _ LineReader = (*Editor)(nil)

// CanEdit reports whether an Editor can be used: in and out are the process's own terminal, and the
// terminal supports line editing.
func CanEdit(in io.Reader, out io.Writer) bool {
	return in == io.Reader(os.Stdin) && unwrap(out) == io.Writer(os.Stdout) && liner.TerminalSupported()
}

// NewEditor returns an Editor. It changes the mode of the terminal, which Close restores.
func NewEditor() *Editor {
	s := liner.NewLiner()
	s.SetCtrlCAborts(true)
	s.SetMultiLineMode(true) // otherwise lines with wide characters break at the wrong column
	s.SetBeep(false)
	return &Editor{state: s}
}

// ReadLine shows Prompt, reads a line and adds it to the history. It returns ErrAborted if the user
// presses Ctrl-C.
func (e *Editor) ReadLine() (string, error) {
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

// Close restores the terminal mode that NewEditor changed.
func (e *Editor) Close() error { return e.state.Close() }
