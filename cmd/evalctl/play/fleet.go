package play

import (
	"errors"
	"fmt"

	"evalctl/eval/fleet"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

// Joining says what is joined of a run that another machine leads.
type Joining struct {
	Manifest journal.Manifest
	At       map[string]string // where the run's files are here, by their paths there
	Version  string            // of evalctl here
	Options
	Outside
	Trusts func(suite.Suite) error // refuses suites
	Warn   func(string)
}

// Join plans the run. One that is not the same here, to the last prompt, is refused, as is
// what is not trusted. No path of the other machine is read.
func (j Joining) Join() (fleet.Job, error) {
	m := j.Manifest
	if m.Version != j.Version {
		return fleet.Job{}, fmt.Errorf("the run began with evalctl %s, this is %s", m.Version, j.Version)
	}
	suites, err := SuitesOf(m, "")
	if err != nil {
		return fleet.Job{}, err
	}
	if j.restore(suites) != nil {
		return fleet.Job{}, errors.New("the address of an endpoint holds a secret, which does not leave the machine that leads the run: use a key in the environment")
	}
	origin := elsewhere{}
	for i, s := range suites {
		if suites[i], err = origin.here(s, j.At); err != nil {
			return fleet.Job{}, err
		}
		suites[i] = suites[i].Unplaced() // its place is of another machine
		if err := j.Trusts(suites[i]); err != nil {
			return fleet.Job{}, err
		}
	}
	p, err := NewPlan(Config{Suites: suites, Seed: m.Seed, Time: m.Time, Joined: true, Outside: j.Outside})
	if err != nil {
		return fleet.Job{}, err
	}
	p.elsewhere = origin
	for _, note := range p.notes {
		j.Warn(note)
	}
	now, err := p.manifest(j.Version, nil)
	if err == nil {
		err = m.CheckSame(now)
	}
	if err != nil {
		return fleet.Job{}, errors.Join(err, p.Close())
	}
	c := p.Cursor()
	return fleet.Job{Trials: c.Trials, Total: p.total(), Runner: p.runner(j.workers(p.simulated), j.Warn), Close: func() error { c.Close(); return p.Close() }}, nil
}
