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

// stampOf changes whenever one of the run's files does.
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

// rows remember what runs' files have said: a list of many is not to read them all again.
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

// put forgets all others once there are more than folders may hold: those of runs that
// are gone.
func (r *rows) put(path, stamp string, row page.RunRow) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= maxEntries {
		clear(r.known)
	}
	r.known[path] = knownRow{stamp: stamp, row: row}
}
