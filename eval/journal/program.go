package journal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Program is a file named in a command of the run, such as a script or its interpreter.
type Program struct {
	Dir   string `json:"dir,omitempty"` // directory of the command; "": the current directory
	Path  string `json:"path"`          // as written in the command
	Bytes int64  `json:"bytes"`
	Hash  string `json:"sha256"` // of the file, or of its beginning if it is very large
}

// ChangedProgram is a program that changed between parts of a run. An empty hash means a missing
// file.
type ChangedProgram struct {
	Path   string `json:"path"`
	Before string `json:"before"` // sha256
	Now    string `json:"now"`
}

// ChangedPrograms returns the programs of before that changed or are missing now. It ignores new
// programs, because a command may name files that it writes.
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

// ProgramsNow returns the manifest's programs with their current hashes.
func (m Manifest) ProgramsNow(now []Program) (list []Program) {
	for _, before := range m.Programs {
		i := slices.IndexFunc(now, func(p Program) bool { return p.Dir == before.Dir && p.Path == before.Path })
		if i >= 0 {
			before = now[i]
		}
		list = append(list, before)
	}
	return list
}

// DescribeChanges names programs and their hashes, for messages.
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

// Remarks returns reasons to trust the run's metrics less.
func (m Manifest) Remarks() (list []string) {
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

// Notes returns the notes that a report prints before any metric: the Remarks and, in real time,
// the number of concurrent trials, because latencies depend on it.
func (m Manifest) Notes() []string {
	list := m.Remarks()
	if len(m.Parallel) == 0 {
		return list
	}
	return append(list, "Time is real, at -j "+Numbers(m.Parallel)+
		": latencies depend on how many trials run at once. Use -j 1 to measure latency.")
}

// Numbers joins the numbers of concurrent trials, in the order of starts.
func Numbers(parallel []int) string {
	var counts []string
	for _, n := range parallel {
		counts = append(counts, strconv.Itoa(n))
	}
	return strings.Join(counts, ", then ")
}

// RanWith records the number of concurrent trials.
func (m *Manifest) RanWith(parallel int) {
	if parallel > 0 && !slices.Contains(m.Parallel, parallel) {
		m.Parallel = append(slices.Clone(m.Parallel), parallel)
	}
}
