package secret

// Stream replaces the secrets of a Set in a text that comes in pieces, however
// it is cut. It holds back what may be the beginning of one.
type Stream struct {
	Set  *Set
	held string
}

// Next takes a piece, and returns what can be shown by now.
func (s *Stream) Next(piece string) (ready string) {
	ready, s.held = s.Set.index().replace(s.held+piece, false)
	return ready
}

// End returns what was held: nothing follows that would make a secret of it.
func (s *Stream) End() (rest string) {
	rest = s.Set.Replace(s.held)
	s.held = ""
	return rest
}
