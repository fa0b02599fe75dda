// Package terminal writes to a terminal or a pipe, and reads lines from it.
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

// Printer stores the first write error.
type Printer struct {
	W   io.Writer
	Err error
}

// Printf prints unless an earlier write has failed.
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

// HasColor reports whether w is a terminal with colors and the user has not disabled them.
func HasColor(w io.Writer) bool {
	f, ok := file(w)
	return ok && IsTerminal(w) && !isDumb() && os.Getenv("NO_COLOR") == "" && supportsEscapes(f)
}

// isDumb reports whether the terminal does not support escape sequences.
func isDumb() bool { return os.Getenv("TERM") == "dumb" }

// UTF8 reports whether the environment selects UTF-8. Without a locale it does not (POSIX 8.2),
// except on Windows, whose consoles support Unicode.
func UTF8() bool {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG"))
	if locale == "" && runtime.GOOS == "windows" {
		return true
	}
	_, charset, _ := strings.Cut(locale, ".")
	charset, _, _ = strings.Cut(charset, "@")
	return strings.EqualFold(charset, "UTF-8") || strings.EqualFold(charset, "utf8")
}

// Width returns the columns of the terminal. If w is not a terminal, it returns $COLUMNS, or 0 (no
// limit) without it.
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

// sourceLine matches the lines of a YAML error that show the source and the caret below it. The
// message contains the line number already.
var sourceLine = regexp.MustCompile(`^>?\s*\d+ \||^\s*\^$`)

// maxMessage limits a message, in bytes, as it may quote a file.
const maxMessage = 4000

// OneLine returns the message on one line, limited to maxMessage bytes.
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
