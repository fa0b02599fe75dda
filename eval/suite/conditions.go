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

// Connect returns the endpoints of a trial's components: its own mocks, real endpoints, or both.
type Connect func(t eval.Trial, v Variant) (func(part string) system.Endpoint, error)

// DatasetInfo contains what conditions need from a dataset besides its cases.
type DatasetInfo struct {
	Labels      []system.Label                   // of a target with free labels
	Examples    iter.Seq2[system.Example, error] // examples for prompts, from the training split; nil: none
	TrainingSet []system.Example                 // training set of the suite's baseline models, from the same split
	Context     context.Context                  // cancels the opening of variants; nil: never
}

// Conditions creates one condition for every variant under each of its faults.
func (s Suite) Conditions(connect Connect, m DatasetInfo) (conditions []*eval.Condition, err error) {
	for _, v := range s.Variants {
		if err := s.checkPersistent(v); err != nil {
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
		if err = o.checkAgent(link); err == nil {
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

// Close releases the resources of conditions.
func Close(conditions []*eval.Condition) (err error) {
	for _, c := range conditions {
		if c.Close != nil {
			err = errors.Join(err, c.Close())
		}
	}
	return err
}

// conditionsOf returns the conditions of an opened variant.
func (s Suite) conditionsOf(v Variant, o openVariant, connect Connect, m DatasetInfo) (conditions []*eval.Condition,
	err error) {
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
			Suite:           s.Name,
			Variant:         v.Name,
			Fault:           fault,
			OurDecision:     s.IsOurDecision(v, fault),
			Settings:        settings,
			Scorers:         scorers,
			Prices:          s.prices(),
			PathField:       s.pathField(),
			ModelNodes:      s.modelNodes(),
			FirstTurnOnly:   s.DecisionOnly && s.System().Contract.PathField != "",
			Grade:           s.grader(o, connect, v),
			FactsField:      s.System().Contract.FactsField,
			Judge:           s.judge(o, connect, v),
			RealCritic:      s.hasRealCritic(v),
			IsBaselineModel: IsBaselineModel(v.Model),
			Target: func(t eval.Trial) (eval.Target, error) {
				link, err := connect(t, v)
				if err != nil {
					return nil, err
				}
				a, err := o.newAgent(t.TrialSeed(), link)
				return target.TimeoutTarget{Target: target.ConversationTarget{Agent: a}, Limit: s.Timeout}, err
			},
		})
	}
	return conditions, nil
}

// pathField returns the field with the expected sequence of labels. Decision-only trials have none.
func (s Suite) pathField() string {
	if s.DecisionOnly {
		return ""
	}
	return s.System().Contract.PathField
}

// judge returns the judge for second judgments, nil if there is none. Faults do not apply to it.
func (s Suite) judge(o openVariant, connect Connect, v Variant) func(eval.Trial) (eval.Judge, error) {
	if !s.SecondJudgment {
		return nil
	}
	return func(t eval.Trial) (eval.Judge, error) {
		link, err := connect(withoutFault(t), v)
		if err != nil {
			return nil, err
		}
		judge, err := o.NewJudge(t.TrialSeed(), link)
		return eval.Judge(judge), err
	}
}

// grader returns the grader of facts, nil if there is none.
func (s Suite) grader(o openVariant, connect Connect, v Variant) func(eval.Trial) (system.Grader, error) {
	if !s.GradeFacts {
		return nil
	}
	return func(t eval.Trial) (system.Grader, error) {
		link, err := connect(withoutFault(t), v)
		if err != nil {
			return nil, err
		}
		grade, err := o.NewGrader(t.TrialSeed(), link)
		return system.Grader(grade), err
	}
}

// withoutFault returns the trial without its fault.
func withoutFault(t eval.Trial) eval.Trial {
	condition := *t.Condition
	condition.Fault, t.Condition = eval.NoFault, &condition
	return t
}

// Agent creates the agent of a variant, for interactive use.
func (s Suite) Agent(v Variant, seed uint64, link func(part string) system.Endpoint,
	m DatasetInfo) (agent.Agent, error) {
	o, err := s.open(v, link, m)
	if err != nil {
		return nil, err
	}
	a, err := o.newAgent(seed, link)
	if err != nil {
		return nil, errors.Join(err, o.close())
	}
	return ownedAgent{Agent: a, opened: o}, nil
}

// ownedAgent is an agent that owns its variant.
type ownedAgent struct {
	agent.Agent
	opened openVariant
}

// Close closes the agent, then its variant.
func (a ownedAgent) Close() error { return errors.Join(agent.Close(a.Agent), a.opened.close()) }

// openVariant is an opened variant.
type openVariant struct{ system.OpenVariant }

// checkAgent finds errors that would occur in every trial.
func (o openVariant) checkAgent(link func(part string) system.Endpoint) error {
	a, err := o.newAgent(0, link)
	if err != nil {
		return err
	}
	return agent.Close(a)
}

// close releases the resources of the variant.
func (o openVariant) close() error {
	if o.Close == nil {
		return nil
	}
	return o.Close()
}

// newAgent creates an agent of the variant with its own session store. A request for an unknown
// component is an error.
func (o openVariant) newAgent(seed uint64, link func(part string) system.Endpoint) (agent.Agent, error) {
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

// open opens the variant's system with its settings.
func (s Suite) open(v Variant, link func(part string) system.Endpoint, m DatasetInfo) (openVariant, error) {
	var o system.OpenVariant
	err := clock.CatchPanic("opening the system", func() (err error) {
		o, err = s.System().Open(system.Options{
			Values:       s.OpenSettings(v),
			Link:         link,
			Labels:       m.Labels,
			OOSLabel:     s.OOSLabel,
			Examples:     m.Examples,
			DecisionOnly: s.DecisionOnly,
			Context:      m.Context,
		})
		return err
	})
	if err != nil {
		return openVariant{}, err
	}
	return openVariant{OpenVariant: o}, nil
}

// Trials yields every case in every condition and epoch. Cases are the outer loop, so a stream of
// cases is read once.
func Trials(conditions []*eval.Condition, cases iter.Seq2[eval.Case, error], epochs int,
	seed uint64) iter.Seq2[eval.Trial, error] {
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

// Trial returns one trial; epochs start at 1.
func Trial(condition *eval.Condition, c eval.Case, epoch int, seed uint64) eval.Trial {
	if condition.FirstTurnOnly {
		c.Turns = c.Turns[:min(len(c.Turns), 1)]
	}
	return eval.Trial{
		Condition: condition,
		Case:      c,
		Epoch:     epoch,
		Seed:      seed,
	}
}
