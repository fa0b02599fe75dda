package page

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/eval"
)

// Limits for the number of different paths of a variant, and for the length of a path.
const (
	maxDistinctPaths = 10_000
	maxStoredSteps   = 60
)

// PathScore is the name of the score that compares the path of a turn (the agents that acted, in
// order) with the labeled path.
const PathScore = "path.exact"

// Paths counts the paths of a variant's turns with several decisions.
type Paths struct {
	// numbers of turns; turns that are neither right nor wrong have no label or are unscored
	Episodes, Right, Wrong int64

	found   map[string]*Path
	tooMany bool // there are more than maxDistinctPaths different paths, so none is reported
}

// Path is the sequence of steps that one or more turns with the same verdict have in common.
type Path struct {
	Steps        []PathStep
	OmittedSteps int // number of steps of the path that Steps does not contain
	Verdict      eval.Verdict
	Expected     string   // labeled path, if this one is wrong: alternatives separated by " | ", steps by " → "
	N            int64    // number of turns
	Cases        []string // ids of example cases
}

// PathStep is one step of a path: the agent that acted.
type PathStep struct {
	Executed string // agent that acted; "": none, and the supervisor decided again
	Proposed string // agent that the decision proposed, if it differs from Executed; otherwise ""
}

// maxExampleCases is the maximum number of example cases of a path.
const maxExampleCases = 3

func (p *Paths) add(r eval.Result) {
	at := slices.IndexFunc(r.Scores, func(s eval.Score) bool { return s.Name == PathScore })
	for i, t := range r.Turns {
		if len(t.Steps) == 0 || !t.HasDecisionSequence && len(t.Steps) < 2 {
			continue
		}
		p.Episodes++
		one := pathOf(t.Steps)
		if at >= 0 && t.HasDecisionSequence {
			one.setVerdict(r.Scores[at], i+1)
		}
		p.count(one, r.Case)
	}
}

func pathOf(steps []agent.Step) Path {
	stored := steps[:min(len(steps), maxStoredSteps)]
	p := Path{OmittedSteps: len(steps) - len(stored)}
	for _, s := range stored {
		one := PathStep{Executed: s.Executed}
		if s.IsCorrected() || s.IsDiscarded() {
			one.Proposed = s.Proposed
		}
		p.Steps = append(p.Steps, one)
	}
	return p
}

// setVerdict derives the verdict on the path of one turn from the path score of the whole case.
// Turns before the first wrong one are right; turns after it are unscored.
func (p *Path) setVerdict(s eval.Score, turn int) {
	switch {
	case s.Verdict == eval.Pass || turn < s.Turn:
		p.Verdict = eval.Pass
	case s.Verdict == eval.Fail && turn == s.Turn:
		p.Verdict, p.Expected = eval.Fail, s.Expected.Primary()
	}
}

func (p *Paths) count(one Path, id string) {
	switch one.Verdict {
	case eval.Pass:
		p.Right++
	case eval.Fail:
		p.Wrong++
	}
	if p.tooMany {
		return
	}
	key := one.key()
	known := p.found[key]
	if known == nil {
		if len(p.found) == maxDistinctPaths {
			// which paths are among the first depends on the order of the results, so none is
			// reported
			p.found, p.tooMany = nil, true
			return
		}
		if p.found == nil {
			p.found = map[string]*Path{}
		}
		known = &one
		p.found[key] = known
	}
	known.N++
	if at, there := slices.BinarySearch(known.Cases, id); !there && at < maxExampleCases {
		known.Cases = slices.Insert(known.Cases, at, id)
		known.Cases = known.Cases[:min(len(known.Cases), maxExampleCases)]
	}
}

func (p Path) key() string {
	var b strings.Builder
	for _, s := range p.Steps {
		b.WriteString(s.Executed + "\x00" + s.Proposed + "\x01")
	}
	return b.String() + string(p.Verdict) + "\x02" + p.Expected
}

// MostFrequent returns the n most frequent paths with the given verdict. Equally frequent ones are
// sorted by their steps. all is the number of different paths. tooMany is true if there were too
// many to count them.
func (p *Paths) MostFrequent(n int, v eval.Verdict) (list []Path, all int, tooMany bool) {
	type keyed struct {
		key string
		of  *Path
	}
	var found []keyed
	for key, one := range p.found {
		if one.Verdict == v {
			found = append(found, keyed{key: key, of: one})
		}
	}
	slices.SortFunc(found, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(b.of.N, a.of.N), cmp.Compare(a.key, b.key))
	})
	for _, one := range found[:min(n, len(found))] {
		list = append(list, *one.of)
	}
	return list, len(found), p.tooMany
}

// repeatedTurns counts turns that have the same kind as an earlier turn of the same trial. The
// number of turns of a kind minus this count is the number of trials with such turns.
type repeatedTurns map[turnKind]int64

// turnKind identifies the turns in one cell of a confusion matrix.
type turnKind struct{ variant, fault, expected, got string }

func (t repeatedTurns) add(r eval.Result) {
	list := r.Decisions()
	if len(list) < 2 {
		return
	}
	seen := map[turnKind]bool{}
	for _, j := range list {
		k := turnKind{variant: r.Variant, fault: cmp.Or(r.Fault, eval.NoFault), expected: j.Expected.Primary()}
		switch j.Verdict {
		case eval.Pass:
			k.got = k.expected
		case eval.Fail:
			k.got = j.Actual
		default:
			continue
		}
		if seen[k] {
			t[k]++
		}
		seen[k] = true
	}
}

// TrialsWithConfusion returns in how many trials a confusion occurred. n is the number of turns in
// which it occurred.
func (s *SuiteDistribution) TrialsWithConfusion(c eval.ConditionSummary, expected, got string, n int64) int64 {
	if s == nil {
		return n
	}
	return n - s.turns[turnKind{
		variant:  c.Variant,
		fault:    cmp.Or(c.Fault, eval.NoFault),
		expected: expected,
		got:      got,
	}]
}
