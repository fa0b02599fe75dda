package session

import "context"

// Len returns the number of sessions that the store holds, in use or idle.
func (s *Store) Len(ctx context.Context) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.open(); err != nil {
		panic(err)
	}
	s.expire(ctx)
	return len(s.used) + s.idle.Len()
}
