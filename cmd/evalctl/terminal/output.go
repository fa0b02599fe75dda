package terminal

import (
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"evalctl/agent/secret"
	"evalctl/agent/text"
)

// SafeWriter wraps the output of evalctl. It removes secrets, and replaces control characters
// except line feeds and tabs by visible symbols. It is safe for concurrent use.
type SafeWriter struct {
	mu          sync.Mutex
	w           io.Writer
	redactor    secret.StreamRedactor
	partialRune string // start of a UTF-8 character whose remaining bytes were not written yet
}

var _ io.WriteCloser = (*SafeWriter)(nil)

// NewSafeWriter returns a SafeWriter that writes to w and removes the secrets.
func NewSafeWriter(w io.Writer, secrets *secret.Set) *SafeWriter {
	return &SafeWriter{w: w, redactor: secret.StreamRedactor{Set: secrets}}
}

// Write writes text from an untrusted source. It holds back the end of the text if that may be the
// start of a secret; Close writes it.
func (o *SafeWriter) Write(p []byte) (int, error) {
	return o.print(p, o.escape)
}

// print removes secrets from p and writes the result, changed by show. It holds back text that may
// be the start of a secret.
func (o *SafeWriter) print(p []byte, show func(string) string) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(p), o.writeText(show(o.redactor.Write(string(p))))
}

// Close writes the text that Write held back. It does not close the underlying writer.
func (o *SafeWriter) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	rest := o.escape(o.redactor.Flush()) + strings.ToValidUTF8(o.partialRune, "\uFFFD")
	o.partialRune = ""
	return o.writeText(rest)
}

// writeText skips empty text, because an empty write to a pipe may block.
func (o *SafeWriter) writeText(text string) error {
	if text == "" {
		return nil
	}
	_, err := io.WriteString(o.w, text)
	return err
}

func (o *SafeWriter) escape(chunk string) string {
	chunk = o.partialRune + chunk
	end := len(chunk)
	for i := 1; i < utf8.UTFMax && i <= len(chunk); i++ {
		if tail := chunk[len(chunk)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				end -= i
			}
			break
		}
	}
	chunk, o.partialRune = chunk[:end], chunk[end:]
	chunk = strings.ReplaceAll(strings.ToValidUTF8(chunk, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return text.ControlSymbol(r)
	}, chunk)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// StyledWriter returns a writer to w that does not replace control characters, for evalctl's own
// escape sequences such as colors. It still removes secrets.
func StyledWriter(w io.Writer) io.Writer {
	o, ok := w.(*SafeWriter)
	if !ok {
		return w
	}
	return writerFunc(func(p []byte) (int, error) { return o.print(p, func(text string) string { return text }) })
}

// RawWriter returns a writer to w that writes data unchanged, for machine-readable output. If w is
// a terminal, it returns w itself.
func RawWriter(w io.Writer) io.Writer {
	if IsTerminal(w) {
		return w
	}
	return unwrap(w)
}

func unwrap(w io.Writer) io.Writer {
	if o, ok := w.(*SafeWriter); ok {
		return o.w
	}
	return w
}

// file returns the file behind w. ok is false if w does not write to a file.
func file(w io.Writer) (*os.File, bool) {
	f, ok := unwrap(w).(*os.File)
	return f, ok
}
