package journal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Program is a file that a command of the run names, such as a script or its interpreter.
type Program struct {
	Dir   string `json:"dir,omitempty"` // where the command runs; "": the current directory
	Path  string `json:"path"`          // as the command names it
	Bytes int64  `json:"bytes"`
	Hash  string `json:"sha256"` // of the file, or of its beginning where it is very large
}

// ChangedProgram is a program that changed while a run was in parts. A hash is "" where the file
// is missing.
type ChangedProgram struct {
	Path   string `json:"path"`
	Before string `json:"before"` // sha256
	Now    string `json:"now"`
}

// ChangedPrograms are the programs of before that are different or missing now. Others are
// ignored: a command may name files that it writes.
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

// ProgramsNow are the manifest's programs as they are now.
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

// Remarks are what makes the run's figures weaker than they look.
func (m Manifest) Remarks() (list []string) {
	if len(m.ChangedPrograms) > 0 {
		list = append(list, fmt.Sprintf("Programs changed between parts of the run: %s. --allow-changed accepted this; the figures mix their results.",
			DescribeChanges(m.ChangedPrograms)))
	}
	if m.WorkersMayDiffer {
		list = append(list, "Workers may have run other programs than the coordinator: --allow-changed accepted this.")
	}
	return list
}

// Notes are what a report says of the run before any figure: its Remarks, and where time is
// real how many trials ran at once, on which latencies depend.
func (m Manifest) Notes() []string {
	list := m.Remarks()
	if len(m.Parallel) == 0 {
		return list
	}
	return append(list, "Time is real, at -j "+Numbers(m.Parallel)+": latencies depend on how many trials run at once. Use -j 1 to measure latency.")
}

// Numbers joins numbers of trials at once, of one start after the other.
func Numbers(parallel []int) string {
	var counts []string
	for _, n := range parallel {
		counts = append(counts, strconv.Itoa(n))
	}
	return strings.Join(counts, ", then ")
}

// RanWith records how many trials ran at once.
func (m *Manifest) RanWith(parallel int) {
	if parallel > 0 && !slices.Contains(m.Parallel, parallel) {
		m.Parallel = append(slices.Clone(m.Parallel), parallel)
	}
}
