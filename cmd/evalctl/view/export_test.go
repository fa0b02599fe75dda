package view

// StartLargeReport makes the server act as if it rendered a large report, until finish is called.
func (s *Server) StartLargeReport() (finish func()) {
	s.largeReports <- struct{}{}
	return func() { <-s.largeReports }
}

// PagesInProgress returns the number of pages that are rendered or wait for their turn.
func (s *Server) PagesInProgress() int {
	s.pages.mu.Lock()
	defer s.pages.mu.Unlock()
	return len(s.pages.locks)
}
