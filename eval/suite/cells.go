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
type Connect func(t eval.Trial, v Variant) (func(part string) system.Endpoint, error)

// DatasetInfo is what a dataset has beside the cases that are played.
type DatasetInfo struct {
	Labels      []system.Label                   // of a target whose labels are free
	Examples    iter.Seq2[system.Example, error] // for its prompts, of the split to learn from; nil: none
	TrainingSet []system.Example                 // what the suite's floors learn, of that split
	Context     context.Context                  // ends what opening a variant waits for; nil: nothing does
}

// Conditions makes a cell of every variant under each of its faults.
func (s Suite) Conditions(connect Connect, m DatasetInfo) (conditions []*eval.Condition, err error) {
	for _, v := range s.Variants {
		if err := s.checkLasting(v); err != nil {
			return nil, errors.Join(fmt.Errorf("variant %s: %w", v.Name, err), Close(conditions))
		}
		link, err := connect(eval.Trial{Condition: &eval.Condition{Fault: eval.NoFault}}, v)
		if err != nil {
			return nil, errors.Join(err, Close(conditions))
		}
		o, err := s.open(v, link, m)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("variant %s: %w", v.Name, err), Close(conditions))
		}
		var of []*eval.Condition
		if err = o.tryOut(link); err == nil {
			of, err = s.conditionsOf(v, o, connect, m)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("variant %s: %w", v.Name, err), o.close(), Close(conditions))
		}
		of[0].Close = o.Close
		conditions = append(conditions, of...)
	}
	return conditions, nil
}

// Close frees what cells are made of.
func Close(conditions []*eval.Condition) (err error) {
	for _, c := range conditions {
		if c.Close != nil {
			err = errors.Join(err, c.Close())
		}
	}
	return err
}

// conditionsOf are the cells of an opened variant.
func (s Suite) conditionsOf(v Variant, o opened, connect Connect, m DatasetInfo) (conditions []*eval.Condition, err error) {
	if s.SecondJudgment && o.NewJudge == nil {
		return nil, errors.New("second_judgment: its critic does not support a second judgment")
	}
	if s.GradeFacts && o.NewGrader == nil {
		return nil, errors.New("grade_facts: no model is set to grade")
	}
	settings, err := s.hash(v, o.Version, m.TrainingSet)
	if err != nil {
		return nil, fmt.Errorf("hash its settings: %w", err)
	}
	for _, fault := range s.VariantFaults(v) {
		scorers, err := s.scorers(o, v, fault)
		if err != nil {
			return nil, err
		}
		conditions = append(conditions, &eval.Condition{
			Suite: s.Name, Variant: v.Name, Fault: fault, OurDecision: s.IsOurDecision(v, fault), Settings: settings, Scorers: scorers, Prices: s.prices(), PathField: s.path(),
			ModelNodes:    s.modelNodes(),
			FirstTurnOnly: s.DecisionOnly && s.System().Contract.PathField != "",
			Grade:         s.grader(o, connect, v), FactsField: s.System().Contract.FactsField,
			Judge: s.judge(o, connect, v), RealCritic: s.realCritic(v), IsBaselineModel: IsBaselineModel(v.Model),
			Target: func(t eval.Trial) (eval.Target, error) {
				link, err := connect(t, v)
				if err != nil {
					return nil, err
				}
				a, err := o.make(t.TrialSeed(), link)
				return target.TimeoutTarget{Target: target.ConversationTarget{Agent: a}, Limit: s.Timeout}, err
			},
		})
	}
	return conditions, nil
}

// path is the field of the labels that a turn comes by; what is stopped at the
// decision goes nowhere.
func (s Suite) path() string {
	if s.DecisionOnly {
		return ""
	}
	return s.System().Contract.PathField
}

// judge makes who judges attempts once more; nil: nobody does. No fault strikes
// who measures.
func (s Suite) judge(o opened, connect Connect, v Variant) func(eval.Trial) (eval.Judge, error) {
	if !s.SecondJudgment {
		return nil
	}
	return func(t eval.Trial) (eval.Judge, error) {
		link, err := connect(unstruck(t), v)
		if err != nil {
			return nil, err
		}
		judge, err := o.NewJudge(t.TrialSeed(), link)
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
		grade, err := o.NewGrader(t.TrialSeed(), link)
		return system.Grader(grade), err
	}
}

// unstruck is a trial without its fault.
func unstruck(t eval.Trial) eval.Trial {
	whole := *t.Condition
	whole.Fault, t.Condition = eval.NoFault, &whole
	return t
}

// Agent makes the agent of one of the suite's variants, to be talked to.
func (s Suite) Agent(v Variant, noise uint64, link func(part string) system.Endpoint, m DatasetInfo) (agent.Agent, error) {
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
type opened struct{ system.OpenVariant }

// tryOut finds what would fail in every trial.
func (o opened) tryOut(link func(part string) system.Endpoint) error {
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
func (o opened) make(seed uint64, link func(part string) system.Endpoint) (agent.Agent, error) {
	var a agent.Agent
	err := clock.CatchPanic("making the agent", func() (err error) {
		a, err = o.Agent(seed, link)
		return err
	})
	if err != nil {
		return nil, err
	}
	memory, err := session.New(session.Config{RejectWhenBusy: o.BusyAgent != nil})
	a = &session.Agent{Agent: a, Store: memory, BusyAgent: o.BusyAgent}
	if o.Debounce != nil {
		a = o.Debounce(a)
	}
	return a, err
}

// open reads what a variant is made of.
func (s Suite) open(v Variant, link func(part string) system.Endpoint, m DatasetInfo) (opened, error) {
	var o system.OpenVariant
	err := clock.CatchPanic("opening the system", func() (err error) {
		o, err = s.System().Open(system.Options{Values: s.OpenSettings(v), Link: link, Labels: m.Labels, OOSLabel: s.OOSLabel,
			Examples: m.Examples, DecisionOnly: s.DecisionOnly, Context: m.Context})
		return err
	})
	if err != nil {
		return opened{}, err
	}
	return opened{OpenVariant: o}, nil
}

// Trials plays every case in every cell, epoch after epoch: case by case, so
// that a stream of cases is read once.
func Trials(conditions []*eval.Condition, cases iter.Seq2[eval.Case, error], epochs int, seed uint64) iter.Seq2[eval.Trial, error] {
	return func(yield func(eval.Trial, error) bool) {
		for c, err := range cases {
			if err != nil {
				yield(eval.Trial{}, err)
				return
			}
			for epoch := 1; epoch <= max(epochs, 1); epoch++ {
				for _, condition := range conditions {
					if !yield(Trial(condition, c, epoch, seed), nil) {
						return
					}
				}
			}
		}
	}
}

// Trial plays a case once in a cell, in an epoch from 1.
func Trial(condition *eval.Condition, c eval.Case, epoch int, seed uint64) eval.Trial {
	if condition.FirstTurnOnly {
		c.Turns = c.Turns[:min(len(c.Turns), 1)]
	}
	return eval.Trial{Condition: condition, Case: c, Epoch: epoch, Seed: seed}
}
