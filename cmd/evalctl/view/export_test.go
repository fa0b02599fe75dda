package view

// StartLargeReport makes the server act as if it rendered a large report, until finish is called.
func (s *Server) StartLargeReport() (finish func()) {
	s.largeReports <- struct{}{}
	return func() { <-s.largeReports }
}
