package secret

// StreamRedactor redacts a text that arrives in pieces, for example from a model. A secret may be
// split at any position, so text that may be the start of a secret is held back.
type StreamRedactor struct {
	Set  *Set // the secrets to redact
	held string
}

// Write adds a piece of the text and returns the redacted text that can be shown now.
func (s *StreamRedactor) Write(piece string) (ready string) {
	ready, s.held = s.Set.index().replace(s.held+piece, false)
	return ready
}

// Flush ends the text and returns the rest, redacted, that Write has held back.
func (s *StreamRedactor) Flush() (rest string) {
	rest = s.Set.Redact(s.held)
	s.held = ""
	return rest
}
