package play

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/number"
	"evalctl/eval/runs"
)

// shard is a folder with one part of a run.
type shard struct {
	dir      string
	manifest journal.Manifest
	summary  eval.Summary
	held     *os.File // against others that would write to it
}

// shards are those of one run, each once, in their order.
type shards struct {
	list    []shard
	whole   journal.Manifest // of the run that they are parts of
	missing []string         // parts that are not there
}

// openShards reads what parts there are, and finds those that cannot be of one run.
func openShards(dirs []string, partial, allowChanged bool) (s shards, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	for _, dir := range dirs {
		one, err := openShard(dir, partial)
		if err != nil {
			return s, err
		}
		s.list = append(s.list, one)
	}
	slices.SortStableFunc(s.list, func(a, b shard) int { return cmp.Compare(a.manifest.Shard.Index, b.manifest.Shard.Index) })
	if s.whole, err = wholeOf(s.list[0].manifest); err != nil {
		return s, err
	}
	if err := s.check(); err != nil {
		return s, err
	}
	if err := s.checkPrograms(allowChanged); err != nil {
		return s, err
	}
	if s.missing != nil && !partial {
		return s, fmt.Errorf("shard %s is missing: give all %d, or --partial to merge those that there are", strings.Join(s.missing, ", "), s.list[0].manifest.Shard.Of)
	}
	return s, s.hold()
}

func openShard(dir string, partial bool) (s shard, err error) {
	s.dir = dir
	if s.manifest, err = journal.ReadManifest(dir); err != nil {
		return s, err
	}
	if s.manifest.Shard == nil {
		return s, fmt.Errorf("%s is a whole run, not a shard", dir)
	}
	if s.manifest.Status != journal.Done && !partial {
		return s, fmt.Errorf("%s did not end: continue with evalctl run --resume %s, or give --partial", dir, dir)
	}
	if err = journal.CheckWritable(dir); err != nil {
		return s, err
	}
	s.summary, err = runs.LoadSummary(dir)
	return s, err
}

// hold keeps others from writing to the shards.
func (s shards) hold() (err error) {
	for i := range s.list {
		if s.list[i].held, err = journal.LockFile(filepath.Join(s.list[i].dir, journal.ResultsFile)); err != nil {
			return err
		}
	}
	return nil
}

func (s shards) close() (err error) {
	for _, one := range s.list {
		if one.held != nil {
			err = errors.Join(err, one.held.Close())
		}
	}
	return err
}

// wholeOf is the manifest of the run that a shard is of, as far as it is sealed.
func wholeOf(m journal.Manifest) (journal.Manifest, error) {
	m.Shard = nil
	return m.WithHash()
}

// check finds shards of different runs, and notes which are missing.
func (s *shards) check() error {
	first := s.list[0]
	for i, one := range s.list {
		whole, err := wholeOf(one.manifest)
		if err != nil {
			return err
		}
		of := one.manifest.Shard
		switch {
		case len(whole.Datasets) != len(s.whole.Datasets):
			return fmt.Errorf("%s and %s are of different runs: they play other suites", first.dir, one.dir)
		case whole.ManifestHash != s.whole.ManifestHash:
			return fmt.Errorf("%s and %s are of different runs: %s", first.dir, one.dir, differs(s.whole, whole))
		case of.Of != first.manifest.Shard.Of:
			return fmt.Errorf("%s is shard %s, and %s %s: a run is split in one way", first.dir, first.manifest.Shard, one.dir, of)
		case i > 0 && of.Index == s.list[i-1].manifest.Shard.Index:
			return fmt.Errorf("%s and %s are both shard %s", s.list[i-1].dir, one.dir, of)
		}
	}
	for i := 1; i <= first.manifest.Shard.Of; i++ {
		if !slices.ContainsFunc(s.list, func(one shard) bool { return one.manifest.Shard.Index == i }) {
			s.missing = append(s.missing, eval.Shard{Index: i, Of: first.manifest.Shard.Of}.String())
		}
	}
	return nil
}

// checkPrograms compares the programs that shards ran. Differences that are allowed become part of
// the whole run's manifest. A file that one shard alone has is ignored: a command may name files
// that it writes.
func (s *shards) checkPrograms(allowed bool) error {
	first := s.list[0]
	for _, one := range s.list[1:] {
		isMissing := func(c journal.ChangedProgram) bool { return c.Now == "" }
		changed := slices.DeleteFunc(journal.ChangedPrograms(first.manifest.Programs, one.manifest.Programs), isMissing)
		if len(changed) > 0 && !allowed {
			return fmt.Errorf("%s and %s ran different programs: %s; results of two programs do not make one run, "+
				"unless --allow-changed accepts and records this", first.dir, one.dir, journal.DescribeChanges(changed))
		}
		for _, c := range append(changed, one.manifest.ChangedPrograms...) {
			if !slices.Contains(s.whole.ChangedPrograms, c) {
				s.whole.ChangedPrograms = append(s.whole.ChangedPrograms, c)
			}
		}
		for _, n := range one.manifest.Parallel {
			s.whole.RanWith(n)
		}
		s.whole.WorkersMayDiffer = s.whole.WorkersMayDiffer || one.manifest.WorkersMayDiffer
	}
	return nil
}

// differs says what two runs do not have in common.
func differs(a, b journal.Manifest) string {
	for i, d := range a.Datasets {
		if b.Datasets[i].Hash != d.Hash {
			return "dataset " + d.Name + " is another"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.SettingsHashes)) {
		if b.SettingsHashes[name] != a.SettingsHashes[name] {
			return "the settings or prompts of " + name + " are others"
		}
	}
	if a.Prices.Hash != b.Prices.Hash {
		return "their --prices are others"
	}
	if a.Version != b.Version {
		return "evalctl " + a.Version + " and " + b.Version
	}
	return "the suites, the paths of their datasets, the seeds or the clocks are others"
}

// gates are the rules that shards were begun with. One without any leaves them to the
// others; where two have different ones, which were meant cannot be known.
func (s shards) gates() ([]string, error) {
	from, err := s.agree("--gate", func(m journal.Manifest) string {
		return strings.Join(slices.Sorted(slices.Values(m.Gates)), ", ")
	})
	return from.Gates, err
}

// baseline is what shards were begun to be compared with, agreed on as their gates are.
func (s shards) baseline() (string, error) {
	from, err := s.agree("--baseline", func(m journal.Manifest) string { return m.Baseline })
	return from.Baseline, err
}

// agree finds a shard that was begun with a flag. All that were have to say the same.
func (s shards) agree(flag string, said func(journal.Manifest) string) (journal.Manifest, error) {
	of := s.list[0]
	for _, one := range s.list[1:] {
		before, now := said(of.manifest), said(one.manifest)
		switch {
		case before == "":
			of = one
		case now != "" && now != before:
			return of.manifest, fmt.Errorf("%s was started with %s %s, and %s with %s: choose with merge %s", of.dir, flag, before, one.dir, now, flag)
		}
	}
	return of.manifest, nil
}

// at is where the last result of a trial stands.
type at struct {
	shard uint32
	line  uint32
}

// index finds the last result of each trial in all shards. One that is in two, or in no
// cell of the run, and one that is missing where none may be, is an error.
func (s shards) index(partial bool) (map[journal.TrialID]at, error) {
	found, counts := map[journal.TrialID]at{}, map[conditionKey]int64{}
	for i, one := range s.list {
		path, n := filepath.Join(one.dir, journal.ResultsFile), uint32(0)
		for name, err := range journal.ReadNames(path) {
			if err != nil {
				return nil, err
			}
			n++
			id, ok := journal.ParseID(name.Key)
			if !ok {
				return nil, fmt.Errorf("%s:%d: %.40q is not the key of a trial", path, n, name.Key)
			}
			before, again := found[id]
			if again && before.shard != uint32(i) {
				return nil, fmt.Errorf("%s:%d: case %.40q is in %s, too (line %d)", path, n, name.Case, s.list[before.shard].dir, before.line)
			}
			if found[id] = (at{uint32(i), n}); !again {
				counts[conditionKey{suite: name.Suite, variant: name.Variant, fault: name.Fault}]++
			}
		}
	}
	if partial {
		return found, nil
	}
	return found, s.lacking(counts)
}

// lacking says which cell does not have every trial of the run.
func (s shards) lacking(counts map[conditionKey]int64) error {
	for i, of := range s.list[0].summary.Suites {
		planned := s.whole.Datasets[i].Cases * int64(max(of.Epochs, 1))
		for _, c := range of.Conditions {
			name := conditionKey{suite: of.Name, variant: c.Name, fault: c.Fault}
			if counts[name] != planned {
				return fmt.Errorf("%s: the shards hold %s of %s", name, number.Thousands(counts[name]), number.Plural(planned, "trial"))
			}
		}
	}
	return nil
}

// previousResult is which traces the shards have: where they differ, those of some.
func (s shards) kept() journal.Traces {
	all := s.list[0].manifest.Traces
	for _, one := range s.list {
		if one.manifest.Traces != all {
			return journal.FailingTraces
		}
	}
	return all
}
