package journal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Program is a file that a command of the run uses, such as a script or its interpreter. Its hash
// shows whether it changes while the run is interrupted.
type Program struct {
	Dir   string `json:"dir,omitempty"` // working directory of the command; "": the current directory
	Path  string `json:"path"`          // path as written in the command
	Bytes int64  `json:"bytes"`         // size of the file
	Hash  string `json:"sha256"`        // hash of the file; of a very large file, hash of its beginning
}

// ChangedProgram is a program that changed between two parts of a resumed run. An empty hash means
// that the file is missing.
type ChangedProgram struct {
	Path   string `json:"path"`
	Before string `json:"before"` // SHA-256 hash in the earlier part of the run
	Now    string `json:"now"`    // SHA-256 hash in the later part of the run
}

// ChangedPrograms returns the programs in before that have changed or are missing in now. It
// ignores new programs, because a command may name files that it writes.
func ChangedPrograms(before, now []Program) (list []ChangedProgram) {
	type key struct{ dir, path string }
	found := map[key]Program{}
	for _, p := range now {
		found[key{p.Dir, p.Path}] = p
	}
	for _, p := range before {
		if n := found[key{p.Dir, p.Path}]; n.Hash != p.Hash || n.Bytes != p.Bytes {
			list = append(list, ChangedProgram{Path: p.Path, Before: p.Hash, Now: n.Hash})
		}
	}
	return list
}

// CurrentPrograms returns the programs of the manifest with their present hashes.
func (m Manifest) CurrentPrograms(now []Program) (list []Program) {
	for _, before := range m.Programs {
		i := slices.IndexFunc(now, func(p Program) bool { return p.Dir == before.Dir && p.Path == before.Path })
		if i >= 0 {
			before = now[i]
		}
		list = append(list, before)
	}
	return list
}

// DescribeChanges returns a text for messages that names changed programs and their hashes.
func DescribeChanges(list []ChangedProgram) string {
	texts := make([]string, len(list))
	for i, c := range list {
		texts[i] = fmt.Sprintf("%s (sha256 %.12s and %.12s)", c.Path, c.Before, c.Now)
		if c.Now == "" {
			texts[i] = fmt.Sprintf("%s (sha256 %.12s and not found)", c.Path, c.Before)
		}
	}
	return strings.Join(texts, ", ")
}

// Caveats returns reasons why the metrics of the run are less reliable, for reports.
func (m Manifest) Caveats() (list []string) {
	if len(m.ChangedPrograms) > 0 {
		list = append(list, fmt.Sprintf(
			"Programs changed between parts of the run: %s. --allow-changed accepted this; the figures mix their results.",
			DescribeChanges(m.ChangedPrograms)))
	}
	if m.WorkersMayDiffer {
		list = append(list, "Workers may have run other programs than the coordinator: --allow-changed accepted this.")
	}
	return list
}

// Notes returns what a reader must know before any metric: the Remarks and, in real time, the
// number of trials that ran at a time, because latencies depend on it.
func (m Manifest) Notes() []string {
	list := m.Caveats()
	if len(m.Parallel) == 0 {
		return list
	}
	return append(list, "Time is real, at -j "+FormatParallel(m.Parallel)+
		": latencies depend on how many trials run at once. Use -j 1 to measure latency.")
}

// FormatParallel returns a text with the numbers of trials that ran at a time, in the order in which
// parts of the run started.
func FormatParallel(parallel []int) string {
	var counts []string
	for _, n := range parallel {
		counts = append(counts, strconv.Itoa(n))
	}
	return strings.Join(counts, ", then ")
}

// AddParallel records the number of trials that run at a time.
func (m *Manifest) AddParallel(parallel int) {
	if parallel > 0 && !slices.Contains(m.Parallel, parallel) {
		m.Parallel = append(slices.Clone(m.Parallel), parallel)
	}
}
