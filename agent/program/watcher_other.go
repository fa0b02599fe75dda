//go:build !unix && !windows

package program

// watcher does nothing, because programs cannot be watched on this operating system.
type watcher struct{}

func (*watcher) begin(string) {}
func (*watcher) add(int)      {}
func (*watcher) remove(int)   {}
func (*watcher) end()         {}
