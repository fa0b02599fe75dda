package play

import (
	"errors"
	"fmt"

	"evalctl/agent/file"
	"evalctl/agent/limit"
	"evalctl/agent/secret"
	"evalctl/eval/fleet"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

// CheckShared finds a literal secret that would be sent to a broker, and to workers.
func (p *Plan) CheckShared() error {
	for _, one := range p.suites {
		s := one.suite
		for _, v := range s.Variants {
			for _, set := range s.System().Settings {
				value := v.Settings[set.Name]
				hidden := set.WithoutSecrets(value) != value
				if set.IsFile && set.EnvVariables != nil && value != "" { // a request, whose file is sent, too
					text, err := file.Read(s.Path(value), maxShared)
					if err != nil {
						return fmt.Errorf("%s: %w", set.Name, err)
					}
					hidden = hidden || secret.Mask(string(text)) != string(text)
				}
				if hidden {
					return fmt.Errorf("--broker: suite %s: %s contains a secret, which would be sent to the broker: write $VARIABLE in its place, and set the variable for each worker",
						s.Name, set.Name)
				}
			}
		}
	}
	return nil
}

// maxShared bounds a file that is looked through for secrets, in bytes.
const maxShared = 1 << 20

// JoinOptions says what is joined of a run that another machine leads.
type JoinOptions struct {
	Manifest journal.Manifest
	At       map[string]string // where the run's files are here, by their paths there
	Version  string            // identity of the build of evalctl here
	Options
	Endpoints
	Trust func(suite.Suite) error // refuses suites
	Warn  func(string)
}

// Join plans the run. One that is not the same here, to the last prompt, is refused, as is
// what is not trusted. No path of the other machine is read.
func (j JoinOptions) Join() (fleet.Job, error) {
	m := j.Manifest
	if err := m.CheckBuild(j.Version); err != nil {
		return fleet.Job{}, err
	}
	suites, err := ManifestSuites(m, "")
	if err != nil {
		return fleet.Job{}, err
	}
	if j.restore(suites) != nil {
		return fleet.Job{}, errors.New("an address or a setting of the run contains a secret, which is not sent to workers: replace it with $VARIABLE, and set that variable on each worker")
	}
	origin := pathMap{}
	for i, s := range suites {
		if suites[i], err = origin.here(s, j.At); err != nil {
			return fleet.Job{}, err
		}
		suites[i] = suites[i].WithoutPositions() // its place is of another machine
		if err := j.Trust(suites[i]); err != nil {
			return fleet.Job{}, err
		}
	}
	programs, err := programsOf(suites, j.Secrets, func(dir string) string { return origin[dir] })
	if err != nil {
		return fleet.Job{}, err
	}
	if changed := journal.ChangedPrograms(m.Programs, programs); len(changed) > 0 {
		text := "programs differ here from those of the coordinator: " + journal.DescribeChanges(changed)
		if !m.WorkersMayDiffer {
			return fleet.Job{}, errors.New(text + "; run --broker --allow-changed accepts this")
		}
		j.Warn(text)
	}
	p, err := NewPlan(Config{Suites: suites, Seed: m.Seed, Time: m.Time, Joined: true, Endpoints: j.Endpoints})
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
	if !j.Quiet {
		p.limits.Watch(func(s limit.State) { j.Warn(s.String()) })
	}
	c := p.Cursor()
	return fleet.Job{Trials: c.Trials, Total: p.total(), Runner: p.runner(j.workers(p.simulated), j.Warn), Close: func() error { c.Close(); return p.Close() }}, nil
}
