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

// CheckNoPlainSecrets returns an error if a setting contains a secret in plain text. With --broker
// it would be sent to the broker and the workers.
func (p *Plan) CheckNoPlainSecrets() error {
	for _, one := range p.suites {
		s := one.suite
		for _, v := range s.Variants {
			for _, set := range s.SystemOf(v).Settings {
				value := v.Settings[set.Name]
				hidden := set.Redact(value) != value
				// A request file is sent to the workers too.
				if set.IsFile && set.EnvVariables != nil && value != "" {
					text, err := file.Read(s.ResolvePath(value), maxShared)
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

// maxShared is the number of bytes of a request file that are searched for secrets.
const maxShared = 1 << 20

// JoinOptions configures how a worker joins the run of a coordinator on another machine.
type JoinOptions struct {
	Manifest   journal.Manifest  // manifest of the coordinator's run
	LocalPaths map[string]string // local copies of the run's files, by their paths on the coordinator
	Version    string            // identity of the worker's evalctl build
	Options
	EndpointOptions
	Trust func(suite.Suite) error // returns an error for a suite that the user does not trust
	Warn  func(string)            // called with warnings for the user
}

// Join plans the coordinator's run on this machine and returns the job that runs its trials. It
// returns an error if the user does not trust a suite, or if the local plan differs from the
// manifest. It reads only local copies of the run's files.
func (j JoinOptions) Join() (fleet.Job, error) {
	m := j.Manifest
	if err := m.CheckVersion(j.Version); err != nil {
		return fleet.Job{}, err
	}
	suites, err := ManifestSuites(m, "")
	if err != nil {
		return fleet.Job{}, err
	}
	if j.restore(suites) != nil {
		return fleet.Job{}, errors.New(
			"an address or a setting of the run contains a secret, which is not sent to workers: replace it with $VARIABLE, and set that variable on each worker")
	}
	origin := pathMap{}
	for i, s := range suites {
		if suites[i], err = origin.toLocal(s, j.LocalPaths); err != nil {
			return fleet.Job{}, err
		}
		suites[i] = suites[i].WithoutPositions() // source positions refer to the coordinator's files
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
	p, err := NewPlan(Config{
		Suites:          suites,
		Seed:            m.Seed,
		Clock:           m.Clock,
		IsWorker:        true,
		EndpointOptions: j.EndpointOptions,
	})
	if err != nil {
		return fleet.Job{}, err
	}
	p.remotePaths = origin
	for _, note := range p.notes {
		j.Warn(note)
	}
	now, err := p.manifest(j.Version, nil)
	if err == nil {
		err = m.CheckSamePlan(now)
	}
	if err != nil {
		return fleet.Job{}, errors.Join(err, p.Close())
	}
	if !j.Quiet {
		p.limits.Watch(func(s limit.EndpointState) { j.Warn(s.String()) })
	}
	c := p.Cursor()
	return fleet.Job{
		Trials:      c.Trials,
		TotalTrials: p.totalOfShard(),
		Runner:      p.runner(p.parallel(j.Options), j.Warn),
		Close:       func() error { c.Close(); return p.Close() },
	}, nil
}
