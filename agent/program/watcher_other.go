//go:build !unix && !windows

package program

// watcher does nothing where a program cannot be watched.
type watcher struct{}

func (*watcher) begin(string) {}
func (*watcher) add(int)      {}
func (*watcher) remove(int)   {}
func (*watcher) end()         {}
