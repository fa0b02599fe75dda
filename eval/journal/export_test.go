package journal

import (
	"iter"
	"path/filepath"
)

// Traces reads all traces in dir.
func Traces(dir string) iter.Seq2[Trace, error] {
	return lines(filepath.Join(dir, TracesFile), every, func(t Trace) string { return t.Key })
}
