package newsroom

// openThreads opens the file of threads; "": they are each agent's own, in memory.
func openThreads(path string) (Threads, error) {
	return nil, nil
}
