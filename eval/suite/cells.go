package suite

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/session"
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/target"
)

// Connect gives a trial its links: to mocks of its own, to real endpoints, or
// to both.
type Connect func(t eval.Trial, v Variant) (func(part string) system.Link, error)

// Material is what a dataset has beside the cases that are played.
type Material struct {
	Labels   []system.Label                   // of a target whose labels are free
	Examples iter.Seq2[system.Example, error] // for its prompts, of the split to learn from; nil: none
	Taught   []system.Example                 // what the suite's floors learn, of that split
	Context  context.Context                  // ends what opening a variant waits for; nil: nothing does
}

// Cells makes a cell of every variant under each of its faults.
func (s Suite) Cells(connect Connect, m Material) (cells []*eval.Cell, err error) {
	for _, v := range s.Variants {
		if err := s.checkLasting(v); err != nil {
			return nil, errors.Join(fmt.Errorf("variant %s: %w", v.Name, err), Close(cells))
		}
		link, err := connect(eval.Trial{Cell: &eval.Cell{Fault: eval.NoFault}}, v)
		if err != nil {
			return nil, errors.Join(err, Close(cells))
		}
		o, err := s.open(v, link, m)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("variant %s: %w", v.Name, err), Close(cells))
		}
		var of []*eval.Cell
		if err = o.tryOut(link); err == nil {
			of, err = s.cellsOf(v, o, connect, m)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("variant %s: %w", v.Name, err), o.close(), Close(cells))
		}
		of[0].Close = o.Close
		cells = append(cells, of...)
	}
	return cells, nil
}

// Close frees what cells are made of.
func Close(cells []*eval.Cell) (err error) {
	for _, c := range cells {
		if c.Close != nil {
			err = errors.Join(err, c.Close())
		}
	}
	return err
}

// cellsOf are the cells of an opened variant.
func (s Suite) cellsOf(v Variant, o opened, connect Connect, m Material) (cells []*eval.Cell, err error) {
	if s.SecondJudgement && o.Judge == nil {
		return nil, errors.New("second_judgment: its critic does not support a second judgment")
	}
	if s.GradeFacts && o.Grade == nil {
		return nil, errors.New("grade_facts: no model is set to grade")
	}
	settings, err := s.hash(v, o.Version, m.Taught)
	if err != nil {
		return nil, fmt.Errorf("hash its settings: %w", err)
	}
	for _, fault := range s.FaultsOf(v) {
		scorers, err := s.scorers(o, v, fault)
		if err != nil {
			return nil, err
		}
		cells = append(cells, &eval.Cell{
			Suite: s.Name, Variant: v.Name, Fault: fault, Settled: s.Settles(v, fault), Settings: settings, Scorers: scorers, Prices: s.prices(), Path: s.path(),
			ModelNodes: s.modelNodes(),
			FirstTurn:  s.DecisionOnly && s.System().Contract.Path != "",
			Grade:      s.grader(o, connect, v), Facts: s.System().Contract.Facts,
			Judge: s.judge(o, connect, v), RealCritic: s.realCritic(v), Floor: IsFloor(v.Model),
			Target: func(t eval.Trial) (eval.Target, error) {
				link, err := connect(t, v)
				if err != nil {
					return nil, err
				}
				a, err := o.make(t.Noise(), link)
				return target.Within{Target: target.System{Agent: a}, Limit: s.Timeout}, err
			},
		})
	}
	return cells, nil
}

// path is the field of the labels that a turn comes by; what is stopped at the
// decision goes nowhere.
func (s Suite) path() string {
	if s.DecisionOnly {
		return ""
	}
	return s.System().Contract.Path
}

// judge makes who judges attempts once more; nil: nobody does. No fault strikes
// who measures.
func (s Suite) judge(o opened, connect Connect, v Variant) func(eval.Trial) (eval.Judge, error) {
	if !s.SecondJudgement {
		return nil
	}
	return func(t eval.Trial) (eval.Judge, error) {
		link, err := connect(unstruck(t), v)
		if err != nil {
			return nil, err
		}
		judge, err := o.Judge(t.Noise(), link)
		return eval.Judge(judge), err
	}
}

// grader makes who grades facts; nil: nobody does.
func (s Suite) grader(o opened, connect Connect, v Variant) func(eval.Trial) (system.Grader, error) {
	if !s.GradeFacts {
		return nil
	}
	return func(t eval.Trial) (system.Grader, error) {
		link, err := connect(unstruck(t), v)
		if err != nil {
			return nil, err
		}
		grade, err := o.Grade(t.Noise(), link)
		return system.Grader(grade), err
	}
}

// unstruck is a trial without its fault.
func unstruck(t eval.Trial) eval.Trial {
	whole := *t.Cell
	whole.Fault, t.Cell = eval.NoFault, &whole
	return t
}

// Agent makes the agent of one of the suite's variants, to be talked to.
func (s Suite) Agent(v Variant, noise uint64, link func(part string) system.Link, m Material) (agent.Agent, error) {
	o, err := s.open(v, link, m)
	if err != nil {
		return nil, err
	}
	a, err := o.make(noise, link)
	if err != nil {
		return nil, errors.Join(err, o.close())
	}
	return alone{Agent: a, opened: o}, nil
}

// alone is an agent that has its variant for itself.
type alone struct {
	agent.Agent
	opened opened
}

// Close closes the agent, and then what it was made of.
func (a alone) Close() error { return errors.Join(agent.Close(a.Agent), a.opened.close()) }

// opened is a variant with all that it is made of.
type opened struct{ system.Opened }

// tryOut finds what would fail in every trial.
func (o opened) tryOut(link func(part string) system.Link) error {
	a, err := o.make(0, link)
	if err != nil {
		return err
	}
	return agent.Close(a)
}

// close frees what was opened.
func (o opened) close() error {
	if o.Close == nil {
		return nil
	}
	return o.Close()
}

// make makes an agent of the variant, with a memory of its own for sessions;
// asking for a part that there is not is an error.
func (o opened) make(seed uint64, link func(part string) system.Link) (agent.Agent, error) {
	var a agent.Agent
	err := clock.Protect("making the agent", func() (err error) {
		a, err = o.Agent(seed, link)
		return err
	})
	if err != nil {
		return nil, err
	}
	memory, err := session.New(session.Config{Refuse: o.Busy != nil})
	a = &session.Agent{Agent: a, Store: memory, Busy: o.Busy}
	if o.Gather != nil {
		a = o.Gather(a)
	}
	return a, err
}

// open reads what a variant is made of.
func (s Suite) open(v Variant, link func(part string) system.Link, m Material) (opened, error) {
	var o system.Opened
	err := clock.Protect("opening the system", func() (err error) {
		o, err = s.System().Open(system.Options{Values: s.Opening(v), Link: link, Labels: m.Labels, OutOfScope: s.OutOfScope,
			Examples: m.Examples, DecisionOnly: s.DecisionOnly, Context: m.Context})
		return err
	})
	if err != nil {
		return opened{}, err
	}
	return opened{Opened: o}, nil
}

// Trials plays every case in every cell, epoch after epoch: case by case, so
// that a stream of cases is read once.
func Trials(cells []*eval.Cell, cases iter.Seq2[eval.Case, error], epochs int, seed uint64) iter.Seq2[eval.Trial, error] {
	return func(yield func(eval.Trial, error) bool) {
		for c, err := range cases {
			if err != nil {
				yield(eval.Trial{}, err)
				return
			}
			for epoch := 1; epoch <= max(epochs, 1); epoch++ {
				for _, cell := range cells {
					if !yield(Trial(cell, c, epoch, seed), nil) {
						return
					}
				}
			}
		}
	}
}

// Trial plays a case once in a cell, in an epoch from 1.
func Trial(cell *eval.Cell, c eval.Case, epoch int, seed uint64) eval.Trial {
	if cell.FirstTurn {
		c.Turns = c.Turns[:min(len(c.Turns), 1)]
	}
	return eval.Trial{Cell: cell, Case: c, Epoch: epoch, Seed: seed}
}
