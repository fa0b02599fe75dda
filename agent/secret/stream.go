package secret

// StreamRedactor redacts a text that arrives in pieces, with any boundaries. It holds back text
// that may be the start of a secret.
type StreamRedactor struct {
	Set  *Set
	held string
}

// Write adds a piece and returns the text that can be shown.
func (s *StreamRedactor) Write(piece string) (ready string) {
	ready, s.held = s.Set.index().replace(s.held+piece, false)
	return ready
}

// Flush returns the rest at the end of the text.
func (s *StreamRedactor) Flush() (rest string) {
	rest = s.Set.Redact(s.held)
	s.held = ""
	return rest
}
