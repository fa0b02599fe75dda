package play

import (
	"errors"
	"fmt"
	"slices"

	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/fleet"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

// elsewhere says where files are on the machine that leads a run, by where they are
// here.
type elsewhere map[string]string

func isFile(s suite.Suite) bool { return !slices.Contains(datasets.Shipped(), s.Dataset) }

// undo is the suite as the machine that leads the run has it.
func (e elsewhere) undo(s suite.Suite) suite.Suite {
	if e == nil {
		return s
	}
	return s.WithPaths(isFile(s), func(path string) string { return e[path] })
}

// runner plays the plan's trials.
func (p *Plan) runner(parallel int, warn func(string)) eval.Runner {
	return eval.Runner{Parallel: parallel, Timeout: turnTimeout, Simulated: p.simulated, Warn: warn}
}

// paths are the files and folders that the suites name.
func (p *Plan) paths() (list []string) {
	for _, one := range p.suites {
		s, err := absolute(one.suite)
		if err != nil {
			continue // it stands in the manifest
		}
		s.WithPaths(isFile(s), func(path string) string {
			if !slices.Contains(list, path) {
				list = append(list, path)
			}
			return path
		})
	}
	return list
}

// lent is the run as workers play it.
func (r *Run) lent(skip func(string) bool, add func(eval.Result, int) error, tell func(string)) fleet.Run {
	return fleet.Run{Manifest: r.manifest, Paths: r.plan.paths(), Trials: r.plan.trials(), Skip: skip, Add: add, Sync: r.log.Sync,
		Tell: func(text string) { tell(r.plan.secrets.Replace(text)) }}
}

// Join plans a run that another machine leads, of whose files at says where they are
// here. One that is not the same here, to the last prompt, is refused, as is what trusts
// does not let pass. No path of the other machine is read.
func Join(m journal.Manifest, at map[string]string, version string, o Options, outside Outside, trusts func(suite.Suite) error, warn func(string)) (fleet.Job, error) {
	if m.Version != version {
		return fleet.Job{}, fmt.Errorf("the run began with evalctl %s, this is %s", m.Version, version)
	}
	suites, err := SuitesOf(m, "")
	if err != nil {
		return fleet.Job{}, err
	}
	if outside.restore(suites) != nil {
		return fleet.Job{}, errors.New("the address of an endpoint holds a secret, which does not leave the machine that leads the run: use a key in the environment")
	}
	origin := elsewhere{}
	for i, s := range suites {
		if suites[i], err = origin.here(s, at); err != nil {
			return fleet.Job{}, err
		}
		if err := trusts(suites[i]); err != nil {
			return fleet.Job{}, err
		}
	}
	p, err := NewPlan(Config{Suites: suites, Seed: m.Seed, Time: m.Time, Outside: outside})
	if err != nil {
		return fleet.Job{}, err
	}
	p.elsewhere = origin
	now, err := manifestOf(p, version, nil, Gates{})
	if err == nil {
		err = m.CheckSame(now)
	}
	if err != nil {
		return fleet.Job{}, errors.Join(err, p.Close())
	}
	c := p.Cursor()
	return fleet.Job{Trials: c.Trials, Total: p.total(), Runner: p.runner(o.workers(p.simulated), warn), Close: func() error { c.Close(); return p.Close() }}, nil
}

// here is a suite with the paths of this machine, whose origin is noted.
func (e elsewhere) here(s suite.Suite, at map[string]string) (suite.Suite, error) {
	lacking := ""
	s = s.WithPaths(isFile(s), func(path string) string {
		local, ok := at[path]
		if !ok {
			lacking = path
		}
		e[local] = path
		return local
	})
	if lacking != "" {
		return s, fmt.Errorf("suite %s: %s has not come with the run", s.Name, lacking)
	}
	return s, nil
}
