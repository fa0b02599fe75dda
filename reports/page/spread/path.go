package spread

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/eval"
)

// How much of paths is kept: of a variant so many different ones, and of each so many steps.
const (
	maxPaths = 10_000
	maxSteps = 60
)

// PathScore is the name of the score that judges the path of a turn.
const PathScore = "path.exact"

// Paths are those of the turns in which it is decided again and again.
type Paths struct {
	Episodes, Right, Wrong int64 // those that are neither have no label, or could not be judged
	Corrected, CalledAgain int64 // decisions that were not followed

	found map[string]*Path
	over  bool // there are more different paths than are kept
}

// Path is one that several episodes took, all of them judged alike.
type Path struct {
	Steps   []Step
	Cut     int // steps beyond those that are kept
	Verdict eval.Verdict
	Wanted  string // of a wrong one: alternatives beside each other, steps joined by arrows
	N       int64
	Cases   []string // the first few, by id
}

// Step is what was done, and whether in place of something else.
type Step struct {
	Taken string // "": the decider was asked again
	Asked string // "": the same
}

// someCases are kept of each path.
const someCases = 3

func (p *Paths) add(r eval.Result) {
	at := slices.IndexFunc(r.Scores, func(s eval.Score) bool { return s.Name == PathScore })
	for i, t := range r.Turns {
		if len(t.Steps) == 0 || !t.Episode && len(t.Steps) < 2 {
			continue
		}
		p.Episodes++
		for _, s := range t.Steps {
			if s.IsCorrected() {
				p.Corrected++
			}
			if s.IsDecision() && s.IsCalledAgain() {
				p.CalledAgain++
			}
		}
		one := pathOf(t.Steps)
		if at >= 0 && t.Episode {
			one.judge(r.Scores[at], i+1)
		}
		p.count(one, r.Case)
	}
}

func pathOf(steps []agent.Step) Path {
	kept := steps[:min(len(steps), maxSteps)]
	p := Path{Cut: len(steps) - len(kept)}
	for _, s := range kept {
		one := Step{Taken: s.Executed}
		if s.IsCorrected() || s.IsCalledAgain() {
			one.Asked = s.Proposed
		}
		p.Steps = append(p.Steps, one)
	}
	return p
}

// judge takes the verdict of a case's labelled turns for one of them: all before the first
// wrong one are right, and nothing is known of those after it.
func (p *Path) judge(s eval.Score, turn int) {
	switch {
	case s.Verdict == eval.Pass || turn < s.Turn:
		p.Verdict = eval.Pass
	case s.Verdict == eval.Fail && turn == s.Turn:
		p.Verdict, p.Wanted = eval.Fail, s.Expected.Primary()
	}
}

func (p *Paths) count(one Path, id string) {
	switch one.Verdict {
	case eval.Pass:
		p.Right++
	case eval.Fail:
		p.Wrong++
	}
	if p.over {
		return
	}
	key := one.key()
	known := p.found[key]
	if known == nil {
		if len(p.found) == maxPaths {
			p.found, p.over = nil, true // which were first is chance: none of them is told
			return
		}
		if p.found == nil {
			p.found = map[string]*Path{}
		}
		known = &one
		p.found[key] = known
	}
	known.N++
	if at, there := slices.BinarySearch(known.Cases, id); !there && at < someCases {
		known.Cases = slices.Insert(known.Cases, at, id)
		known.Cases = known.Cases[:min(len(known.Cases), someCases)]
	}
}

func (p Path) key() string {
	var b strings.Builder
	for _, s := range p.Steps {
		b.WriteString(s.Taken + "\x00" + s.Asked + "\x01")
	}
	return b.String() + string(p.Verdict) + "\x02" + p.Wanted
}

// Most are the most frequent paths of a verdict, equally frequent ones by their steps;
// all tells how many different ones there are, and over that these are too many to tell.
func (p *Paths) Most(n int, v eval.Verdict) (list []Path, all int, over bool) {
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
	slices.SortFunc(found, func(a, b keyed) int { return cmp.Or(cmp.Compare(b.of.N, a.of.N), cmp.Compare(a.key, b.key)) })
	for _, one := range found[:min(n, len(found))] {
		list = append(list, *one.of)
	}
	return list, len(found), p.over
}
