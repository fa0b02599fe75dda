// Package terminal shows things to whoever sits before one, or to the pipe in
// their place.
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

// Printer remembers the first error of printing.
type Printer struct {
	W   io.Writer
	Err error
}

// Printf prints, unless printing has failed before.
func (p *Printer) Printf(format string, args ...any) {
	if p.Err == nil {
		_, p.Err = fmt.Fprintf(p.W, format, args...)
	}
}

// IsTerminal tells whether w shows what it gets to a person.
func IsTerminal(w io.Writer) bool {
	f, ok := file(w)
	return ok && isatty.IsTerminal(f.Fd())
}

// HasColor tells whether w shows colours, and its reader wants them.
func HasColor(w io.Writer) bool {
	f, ok := file(w)
	return ok && IsTerminal(w) && !dumb() && os.Getenv("NO_COLOR") == "" && takesEscapes(f)
}

// dumb tells a terminal that understands no escape sequences.
func dumb() bool { return os.Getenv("TERM") == "dumb" }

// UTF8 tells whether the environment says that texts are in UTF-8; without a word
// on it they are not (POSIX 8.2), except on Windows, where consoles show all of Unicode.
func UTF8() bool {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG"))
	if locale == "" && runtime.GOOS == "windows" {
		return true
	}
	_, charset, _ := strings.Cut(locale, ".")
	charset, _, _ = strings.Cut(charset, "@")
	return strings.EqualFold(charset, "UTF-8") || strings.EqualFold(charset, "utf8")
}

// Width is $COLUMNS where w is no terminal, and 0, no limit, without.
func Width(w io.Writer) int {
	f, ok := file(w)
	if !ok || !IsTerminal(w) {
		columns, _ := strconv.Atoi(os.Getenv("COLUMNS")) // what is not a number is no limit
		return max(columns, 0)
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// image matches the lines that show a place in a YAML file, and the caret
// under it: the message has told which line it is.
var image = regexp.MustCompile(`^>?\s*\d+ \||^\s*\^$`)

// maxMessage bounds a message, in bytes: it may quote a file.
const maxMessage = 4000

// OneLine keeps a message on one line, of a length that a log shows.
func OneLine(err error) string {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		line = strings.Join(strings.Fields(line), " ")
		if line != "" && !image.MatchString(line) {
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, "; ")
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + "…"
	}
	return text
}
