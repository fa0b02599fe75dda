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

// stampOf returns a string that changes when the size or the modification time of a file of the run
// changes.
func stampOf(path string) string {
	var b strings.Builder
	for _, name := range journal.FileNames() {
		info, err := os.Lstat(filepath.Join(path, name))
		if err != nil {
			b.WriteString("- ")
			continue
		}
		fmt.Fprintf(&b, "%d@%d ", info.Size(), info.ModTime().UnixNano())
	}
	return b.String()
}

// rowCache stores the rows of the run list, by run directory.
type rowCache struct {
	mu    sync.Mutex
	known map[string]cachedRow
}

type cachedRow struct {
	stamp string
	row   page.RunRow
}

func newRowCache() *rowCache { return &rowCache{known: map[string]cachedRow{}} }

func (r *rowCache) get(path, stamp string) (page.RunRow, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.known[path]
	return k.row, k.stamp == stamp
}

// put stores the row of a run. If the cache is full, put first clears it, because it may contain
// rows of removed runs.
func (r *rowCache) put(path, stamp string, row page.RunRow) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= maxEntries {
		clear(r.known)
	}
	r.known[path] = cachedRow{stamp: stamp, row: row}
}
