package view

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"evalctl/eval/journal"
	"evalctl/reports/page"
)

// stampOf returns a string that changes with the size or modification time of the run's files.
func stampOf(path string) string {
	var b strings.Builder
	for _, name := range journal.Files() {
		info, err := os.Lstat(filepath.Join(path, name))
		if err != nil {
			b.WriteString("- ")
			continue
		}
		fmt.Fprintf(&b, "%d@%d ", info.Size(), info.ModTime().UnixNano())
	}
	return b.String()
}

// rows caches the rows of runs, so that a long list does not read all files again.
type rows struct {
	mu    sync.Mutex
	known map[string]knownRow
}

type knownRow struct {
	stamp string
	row   page.RunRow
}

func newRows() *rows { return &rows{known: map[string]knownRow{}} }

func (r *rows) get(path, stamp string) (page.RunRow, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.known[path]
	return k.row, k.stamp == stamp
}

// put clears the cache if it is full. Otherwise it would grow by the rows of removed runs.
func (r *rows) put(path, stamp string, row page.RunRow) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= maxEntries {
		clear(r.known)
	}
	r.known[path] = knownRow{stamp: stamp, row: row}
}
