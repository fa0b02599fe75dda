package terminal

import (
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"evalctl/agent/secret"
	"evalctl/reports/visible"
)

// SafeWriter is where all that the program says goes: secrets are taken out, and
// what would steer a terminal becomes a sign, but for line ends and tabs. It is
// safe for concurrent use.
type SafeWriter struct {
	mu     sync.Mutex
	w      io.Writer
	hidden secret.StreamRedactor
	begun  string // a character whose end has not come
}

var _ io.WriteCloser = (*SafeWriter)(nil)

// NewOutput prints to w.
func NewOutput(w io.Writer, secrets *secret.Set) *SafeWriter {
	return &SafeWriter{w: w, hidden: secret.StreamRedactor{Set: secrets}}
}

// Write prints text of any origin.
func (o *SafeWriter) Write(p []byte) (int, error) {
	return o.print(p, o.harmless)
}

// print puts out, as show has it, what can be told to hold no secret by now.
func (o *SafeWriter) print(p []byte, show func(string) string) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(p), o.put(show(o.hidden.Write(string(p))))
}

// Close prints what was held back.
func (o *SafeWriter) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	rest := o.harmless(o.hidden.Flush()) + strings.ToValidUTF8(o.begun, "\uFFFD")
	o.begun = ""
	return o.put(rest)
}

// put writes what there is: a pipe would wait for a reader of nothing.
func (o *SafeWriter) put(text string) error {
	if text == "" {
		return nil
	}
	_, err := io.WriteString(o.w, text)
	return err
}

func (o *SafeWriter) harmless(text string) string {
	text = o.begun + text
	end := len(text)
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if tail := text[len(text)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				end -= i
			}
			break
		}
	}
	text, o.begun = text[:end], text[end:]
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return visible.ControlSymbol(r)
	}, text)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// StyledWriter is the way to w for what is harmless already and has escapes of our
// own, as a bar and coloured tables have.
func StyledWriter(w io.Writer) io.Writer {
	o, ok := w.(*SafeWriter)
	if !ok {
		return w
	}
	return writerFunc(func(p []byte) (int, error) { return o.print(p, func(text string) string { return text }) })
}

// RawWriter is the way to w for data that must come out as they are, unless a person
// looks at them.
func RawWriter(w io.Writer) io.Writer {
	if IsTerminal(w) {
		return w
	}
	return behind(w)
}

func behind(w io.Writer) io.Writer {
	if o, ok := w.(*SafeWriter); ok {
		return o.w
	}
	return w
}

// file is what is behind w, where that is a file.
func file(w io.Writer) (*os.File, bool) {
	f, ok := behind(w).(*os.File)
	return f, ok
}
