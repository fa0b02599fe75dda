package secret

// StreamRedactor replaces the secrets of a Set in a text that comes in pieces, however
// it is cut. It holds back what may be the beginning of one.
type StreamRedactor struct {
	Set  *Set
	held string
}

// Write takes a piece, and returns what can be shown by now.
func (s *StreamRedactor) Write(piece string) (ready string) {
	ready, s.held = s.Set.index().replace(s.held+piece, false)
	return ready
}

// Flush returns what was held: nothing follows that would make a secret of it.
func (s *StreamRedactor) Flush() (rest string) {
	rest = s.Set.Redact(s.held)
	s.held = ""
	return rest
}
