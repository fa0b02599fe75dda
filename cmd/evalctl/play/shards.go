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
	"evalctl/eval/metric"
	"evalctl/eval/runs"
)

// shard is the run directory of one shard.
type shard struct {
	dir      string
	manifest journal.Manifest
	summary  eval.Summary
	lock     *os.File // prevents other processes from writing to the directory
}

// shards are the shards of one run, sorted by index and without duplicates.
type shards struct {
	list     []shard
	manifest journal.Manifest // manifest of the whole run
	missing  []string         // shards that were not given, such as 2/3
}

// openShards opens the run directories of shards and locks them. It returns an error if they cannot
// belong to one run, or if one is missing or unfinished and partial is false.
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
	slices.SortStableFunc(s.list,
		func(a, b shard) int { return cmp.Compare(a.manifest.Shard.Index, b.manifest.Shard.Index) })
	if s.manifest, err = wholeManifest(s.list[0].manifest); err != nil {
		return s, err
	}
	if err := s.check(); err != nil {
		return s, err
	}
	if err := s.checkPrograms(allowChanged); err != nil {
		return s, err
	}
	if s.missing != nil && !partial {
		return s, fmt.Errorf("shard %s is missing: give all %d, or --partial to merge those that there are",
			strings.Join(s.missing, ", "), s.list[0].manifest.Shard.Count)
	}
	return s, s.lock()
}

func openShard(dir string, partial bool) (s shard, err error) {
	s.dir = dir
	if s.manifest, err = journal.ReadManifest(dir); err != nil {
		return s, err
	}
	if s.manifest.Shard == nil {
		return s, fmt.Errorf("%s is a whole run, not a shard", dir)
	}
	if s.manifest.Status != journal.StatusDone && !partial {
		return s, fmt.Errorf("%s did not end: continue with evalctl run --resume %s, or give --partial", dir, dir)
	}
	if err = journal.CheckWritable(dir); err != nil {
		return s, err
	}
	s.summary, err = runs.LoadSummaryOrPlan(dir)
	return s, err
}

func (s shards) lock() (err error) {
	for i := range s.list {
		if s.list[i].lock, err = journal.LockFile(filepath.Join(s.list[i].dir, journal.ResultsFile)); err != nil {
			return err
		}
	}
	return nil
}

func (s shards) close() (err error) {
	for _, one := range s.list {
		if one.lock != nil {
			err = errors.Join(err, one.lock.Close())
		}
	}
	return err
}

// wholeManifest returns the manifest of the whole run, whose hash is the same for all its shards.
func wholeManifest(m journal.Manifest) (journal.Manifest, error) {
	m.Shard = nil
	return m.WithHash()
}

// check returns an error if the shards belong to different runs. It records the missing shards.
func (s *shards) check() error {
	first := s.list[0]
	for i, one := range s.list {
		whole, err := wholeManifest(one.manifest)
		if err != nil {
			return err
		}
		of := one.manifest.Shard
		switch {
		case len(whole.Datasets) != len(s.manifest.Datasets):
			return fmt.Errorf("%s and %s are of different runs: they run different suites", first.dir, one.dir)
		case whole.ManifestHash != s.manifest.ManifestHash:
			return fmt.Errorf("%s and %s are of different runs: %s", first.dir, one.dir, difference(s.manifest, whole))
		case of.Count != first.manifest.Shard.Count:
			return fmt.Errorf("%s is shard %s, and %s %s: a run is split in one way", first.dir,
				first.manifest.Shard, one.dir, of)
		case i > 0 && of.Index == s.list[i-1].manifest.Shard.Index:
			return fmt.Errorf("%s and %s are both shard %s", s.list[i-1].dir, one.dir, of)
		}
	}
	for i := 1; i <= first.manifest.Shard.Count; i++ {
		if !slices.ContainsFunc(s.list, func(one shard) bool { return one.manifest.Shard.Index == i }) {
			s.missing = append(s.missing, eval.Shard{Index: i, Count: first.manifest.Shard.Count}.String())
		}
	}
	return nil
}

// checkPrograms returns an error if the shards ran different programs and allowed is false.
// Otherwise it adds the differences to the manifest of the whole run. A file that only one shard
// names is ignored, because commands may name files that they write.
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
			if !slices.Contains(s.manifest.ChangedPrograms, c) {
				s.manifest.ChangedPrograms = append(s.manifest.ChangedPrograms, c)
			}
		}
		for _, n := range one.manifest.Parallel {
			s.manifest.AddParallel(n)
		}
		s.manifest.WorkersMayDiffer = s.manifest.WorkersMayDiffer || one.manifest.WorkersMayDiffer
	}
	return nil
}

func difference(a, b journal.Manifest) string {
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

// gates returns the gate rules that the shards were started with. Shards without rules are ignored.
// Different rules are an error, because it is unknown which ones the user intends.
func (s shards) gates() ([]string, error) {
	from, err := s.agree("--gate", func(m journal.Manifest) string {
		return strings.Join(slices.Sorted(slices.Values(m.Gates)), ", ")
	})
	return from.Gates, err
}

// baseline returns the baseline run of the shards. It returns an error if they have different ones.
func (s shards) baseline() (string, error) {
	from, err := s.agree("--baseline", func(m journal.Manifest) string { return m.Baseline })
	return from.Baseline, err
}

// agree returns the manifest of a shard that has a value for the flag, if any shard has one. It
// returns an error if two shards have different values.
func (s shards) agree(flag string, valueOf func(journal.Manifest) string) (journal.Manifest, error) {
	of := s.list[0]
	for _, one := range s.list[1:] {
		before, now := valueOf(of.manifest), valueOf(one.manifest)
		switch {
		case before == "":
			of = one
		case now != "" && now != before:
			return of.manifest, fmt.Errorf("%s was started with %s %s, and %s with %s: choose with merge %s", of.dir,
				flag, before, one.dir, now, flag)
		}
	}
	return of.manifest, nil
}

// lastResultPosition is the position of a trial's last result: shard index and line number.
type lastResultPosition struct {
	shard uint32
	line  uint32
}

// index finds the last result of each trial in all shards. It returns an error if a trial is in two
// shards. If partial is false, it also returns one if a trial is missing.
func (s shards) index(partial bool) (map[journal.TrialID]lastResultPosition, error) {
	found, counts := map[journal.TrialID]lastResultPosition{}, map[conditionKey]int64{}
	for i, one := range s.list {
		path, n := filepath.Join(one.dir, journal.ResultsFile), uint32(0)
		for name, err := range journal.ReadTrialNames(path) {
			if err != nil {
				return nil, err
			}
			n++
			id, ok := journal.ParseTrialID(name.Key)
			if !ok {
				return nil, fmt.Errorf("%s:%d: %.40q is not the key of a trial", path, n, name.Key)
			}
			before, again := found[id]
			if again && before.shard != uint32(i) {
				return nil, fmt.Errorf("%s:%d: case %.40q is in %s, too (line %d)", path, n, name.Case,
					s.list[before.shard].dir, before.line)
			}
			if found[id] = (lastResultPosition{uint32(i), n}); !again {
				counts[conditionKey{suite: name.Suite, variant: name.Variant, fault: name.Fault}]++
			}
		}
	}
	if partial {
		return found, nil
	}
	return found, s.checkComplete(counts)
}

// checkComplete returns an error if trials of a condition are missing in counts.
func (s shards) checkComplete(counts map[conditionKey]int64) error {
	for i, of := range s.list[0].summary.Suites {
		planned := s.manifest.Datasets[i].Cases * int64(max(of.Epochs, 1))
		for _, c := range of.Conditions {
			name := conditionKey{suite: of.Name, variant: c.Variant, fault: c.Fault}
			if counts[name] != planned {
				return fmt.Errorf("%s: the shards hold %s of %s", name, metric.FormatInteger(counts[name]),
					metric.Plural(planned, "trial"))
			}
		}
	}
	return nil
}

// traces returns which traces the merged run has. If the shards differ, it has only some traces.
func (s shards) traces() journal.TraceMode {
	all := s.list[0].manifest.Traces
	for _, one := range s.list {
		if one.manifest.Traces != all {
			return journal.FailingTraces
		}
	}
	return all
}
