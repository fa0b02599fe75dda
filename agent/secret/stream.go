package secret

// Stream replaces the secrets of a Set in a text that comes in pieces, however
// it is cut. It holds back what may be the beginning of one.
type Stream struct {
	Set  *Set
	held string
}

// Next takes a piece, and returns what can be shown by now.
func (s *Stream) Next(piece string) (ready string) {
	forms := s.Set.known()
	if len(forms) == 0 && s.held == "" {
		return piece
	}
	ready, s.held = replace(s.held+piece, forms, false)
	return ready
}

// End returns what was held: nothing follows that would make a secret of it.
func (s *Stream) End() (rest string) {
	rest, _ = replace(s.held, s.Set.known(), true)
	s.held = ""
	return rest
}
