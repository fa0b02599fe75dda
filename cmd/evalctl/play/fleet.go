package play

import (
	"errors"
	"fmt"

	"evalctl/eval/fleet"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

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
		suites[i] = suites[i].Unplaced() // its place is of another machine
		if err := trusts(suites[i]); err != nil {
			return fleet.Job{}, err
		}
	}
	p, err := NewPlan(Config{Suites: suites, Seed: m.Seed, Time: m.Time, Joined: true, Outside: outside})
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
