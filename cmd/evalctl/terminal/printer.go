// Package terminal reads the user's input and writes evalctl's output, on a terminal or through a
// pipe.
package terminal

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"
)

// Printer prints formatted text to W. It stores the first write error in Err, so that the caller
// checks errors once at the end.
type Printer struct {
	W   io.Writer // where the text is written
	Err error     // first write error; nil: none
}

// Printf formats and prints text. It does nothing after a write error.
func (p *Printer) Printf(format string, args ...any) {
	if p.Err == nil {
		_, p.Err = fmt.Fprintf(p.W, format, args...)
	}
}

// IsTerminal reports whether w writes to a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := file(w)
	return ok && isatty.IsTerminal(f.Fd())
}

// HasColor reports whether output to w may contain colors: w is a terminal that supports them, and
// NO_COLOR is not set.
func HasColor(w io.Writer) bool {
	f, ok := file(w)
	return ok && IsTerminal(w) && !isDumb() && os.Getenv("NO_COLOR") == "" && supportsEscapes(f)
}

// isDumb reports whether TERM declares a terminal without escape sequences.
func isDumb() bool { return os.Getenv("TERM") == "dumb" }

// IsUTF8 reports whether the locale of the environment selects UTF-8. If no locale is set, it
// returns true only on Windows, whose consoles support Unicode.
func IsUTF8() bool {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG"))
	if locale == "" && runtime.GOOS == "windows" {
		return true
	}
	_, charset, _ := strings.Cut(locale, ".")
	charset, _, _ = strings.Cut(charset, "@")
	return strings.EqualFold(charset, "UTF-8") || strings.EqualFold(charset, "utf8")
}

// Width returns the width of w in columns. For a terminal it is the current width. Otherwise it is
// $COLUMNS, or 0 (no limit) if that is not set.
func Width(w io.Writer) int {
	f, ok := file(w)
	if !ok || !IsTerminal(w) {
		columns, _ := strconv.Atoi(os.Getenv("COLUMNS")) // an invalid number means no limit
		return max(columns, 0)
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// sourceLine matches the lines of a YAML error message that quote the file, and the caret below
// them. OneLine removes them, because the message already contains the line number.
var sourceLine = regexp.MustCompile(`^>?\s*\d+ \||^\s*\^$`)

// maxMessage is the maximum length of a printed error message, in bytes.
const maxMessage = 4000

// OneLine returns the message of err on a single line, shortened to maxMessage bytes.
func OneLine(err error) string {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		line = strings.Join(strings.Fields(line), " ")
		if line != "" && !sourceLine.MatchString(line) {
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, "; ")
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + "…"
	}
	return text
}
