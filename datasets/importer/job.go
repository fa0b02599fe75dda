package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
)

// job is an import in progress.
type job struct {
	Config
	ctx    context.Context
	part   int    // number of Path in the paths of the import, from 0
	split  string // constant split of Path; "": the cases have their own
	name   string
	sum    Summary
	seed   maphash.Seed
	ids    map[uint64]struct{}
	made   contentIDs
	labels map[uint64]struct{}
	texts  map[uint64]uint64 // hash of the label by hash of split and input, to find conflicting labels
}

func newJob(ctx context.Context, name string, c Config) *job {
	return &job{
		Config: c,
		ctx:    ctx,
		name:   name,
		seed:   maphash.MakeSeed(),
		sum:    Summary{Splits: map[string]int64{}},
		ids:    map[uint64]struct{}{},
		labels: map[uint64]struct{}{},
		texts:  map[uint64]uint64{},
	}
}

// reject reports a row that is not imported. It returns an error only if the context has ended.
func (j *job) reject(p Position, reason string) error {
	j.sum.Rejected++
	if j.Rejected != nil {
		j.Rejected(Rejection{Position: p, Reason: oneLine(reason)})
	}
	return j.ctx.Err()
}

func (j *job) note(format string, a ...any) {
	if j.Note != nil {
		j.Note(oneLine(fmt.Sprintf(format, a...)))
	}
}

// generatedID returns an ID for case n of the current path. It is unique in the import. It is for
// files that nobody edits: an inserted case changes the IDs of those after it, unlike [contentIDs].
func (j *job) generatedID(prefix, split string, n int64) string {
	if j.part > 0 {
		prefix = fmt.Sprintf("%s-%d", prefix, j.part+1)
	}
	if split = cmp.Or(split, j.split); split == "" {
		return fmt.Sprintf("%s-%d", prefix, n)
	}
	return fmt.Sprintf("%s-%s-%d", prefix, split, n)
}

// add writes a case to the output, or rejects it if it is invalid or its ID is not unique.
func (j *job) add(r row) error {
	if err := j.ctx.Err(); err != nil {
		return err
	}
	r.split = cmp.Or(j.split, r.split)
	if err := r.check(); err != nil {
		return j.reject(r.place, err.Error())
	}
	id := maphash.String(j.seed, r.id)
	if _, twice := j.ids[id]; twice {
		return j.reject(r.place, fmt.Sprintf("id: %s is used before", quoted(r.id)))
	}
	line, err := r.line()
	if err != nil {
		return j.reject(r.place, err.Error())
	}
	if _, err := j.Out.Write(line); err != nil {
		return err
	}
	j.ids[id] = struct{}{}
	j.count(r)
	return nil
}

func (j *job) count(r row) {
	j.sum.Cases++
	j.sum.Splits[r.split]++
	var label maphash.Hash
	label.SetSeed(j.seed)
	for _, t := range r.turns {
		for _, l := range t.labels {
			j.labels[maphash.String(j.seed, l)] = struct{}{}
			maphash.WriteComparable(&label, l)
		}
	}
	j.sum.Labels = len(j.labels)
	input := j.inputHash(r)
	if before, ok := j.texts[input]; !ok {
		j.texts[input] = label.Sum64()
	} else if before != label.Sum64() {
		j.sum.ConflictingCases++
	}
}

// inputHash returns a hash of a case's input and split. Two cases with the same hash and different
// labels are in conflict.
func (j *job) inputHash(r row) uint64 {
	var h maphash.Hash
	h.SetSeed(j.seed)
	maphash.WriteComparable(&h, r.split)
	for _, t := range r.turns {
		maphash.WriteComparable(&h, t.Text)
		for _, m := range t.History {
			maphash.WriteComparable(&h, [2]string{m.Role, m.Content})
		}
		for _, d := range t.Documents {
			maphash.WriteComparable(&h, d)
		}
		for _, tool := range t.Tools {
			f := tool.Function
			maphash.WriteComparable(&h, [3]string{f.Name, f.Description, string(f.Parameters)})
		}
		for _, name := range sortedNames(t.State) { // sorted, because the order of a map varies
			maphash.WriteComparable(&h, [2]string{name, string(t.State[name])})
		}
	}
	return h.Sum64()
}

func sortedNames(m map[string]json.RawMessage) []string {
	if len(m) == 0 {
		return nil // most inputs have no state
	}
	return slices.Sorted(maps.Keys(m))
}
