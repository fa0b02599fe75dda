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

// ConnectFunc connects a trial to its endpoints. The function that it returns maps the name of a
// component to its endpoint: a simulation or a real one.
type ConnectFunc func(t eval.Trial, v Variant) (func(part string) system.Endpoint, error)

// DatasetInfo contains what conditions need from a dataset in addition to its cases.
type DatasetInfo struct {
	Labels []system.Label // labels of a target with free labels; those of turns without tools of their own
	// each turn has tools of its own, so there may be fewer than two Labels
	TurnsHaveTools bool
	Examples       iter.Seq2[system.LabeledExample, error] // examples of the train split for prompts; nil: none
	// texts of the train split that the suite's baseline models are trained on
	TrainingSet []system.LabeledExample
	Context     context.Context      // cancels the opening of variants; nil: never canceled
	Warn        func(message string) // receives the warnings of systems while they open a variant; nil: ignored
}

// Conditions opens the variants of the suite and returns a condition for each variant and fault.
// The caller must close them with CloseConditions.
func (s Suite) Conditions(connect ConnectFunc, m DatasetInfo) (conditions []*eval.Condition, err error) {
	for _, v := range s.Variants {
		if err := s.checkPersistent(v); err != nil {
			return nil, errors.Join(fmt.Errorf("variant %s: %w", v.Name, err), CloseConditions(conditions))
		}
		link, err := connect(eval.Trial{Condition: &eval.Condition{Fault: eval.NoFault}}, v)
		if err != nil {
			return nil, errors.Join(err, CloseConditions(conditions))
		}
		o, err := s.open(v, link, m)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("variant %s: %w", v.Name, err), CloseConditions(conditions))
		}
		var of []*eval.Condition
		if err = o.checkAgent(link); err == nil {
			of, err = s.conditionsOf(v, o, connect, m)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("variant %s: %w", v.Name, err), o.close(), CloseConditions(conditions))
		}
		of[0].Close = o.Close
		conditions = append(conditions, of...)
	}
	return conditions, nil
}

// CloseConditions closes the variants that the conditions belong to.
func CloseConditions(conditions []*eval.Condition) (err error) {
	for _, c := range conditions {
		if c.Close != nil {
			err = errors.Join(err, c.Close())
		}
	}
	return err
}

// conditionsOf returns a condition for each fault of a variant that is already open.
func (s Suite) conditionsOf(v Variant, o openVariant, connect ConnectFunc, m DatasetInfo) (conditions []*eval.Condition,
	err error) {
	if s.RejudgeFirstAttempts && o.NewJudge == nil {
		return nil, errors.New("second_judgment: its critic does not support a second judgment")
	}
	if s.GradeFacts && o.NewGrader == nil {
		return nil, errors.New("grade_facts: no model is set to grade")
	}
	settings, err := s.hash(v, o.Version, m.TrainingSet)
	if err != nil {
		return nil, fmt.Errorf("hash its settings: %w", err)
	}
	prompts, filled := s.usedPrompts(v, o.Prompts), o.FilledPrompts
	if !s.readsPrompts(v) {
		prompts, filled = nil, nil
	}
	for _, fault := range s.VariantFaults(v) {
		scorers, err := s.scorers(o, v, fault)
		if err != nil {
			return nil, err
		}
		conditions = append(conditions, &eval.Condition{
			Suite:             s.Name,
			Variant:           v.Name,
			Fault:             fault,
			OurDecision:       s.IsOurDecision(v, fault),
			SettingsHash:      settings,
			Scorers:           scorers,
			Prices:            s.prices(),
			Prompts:           prompts,
			FilledPrompts:     filled,
			DecisionPathField: s.pathField(v),
			ModelNodes:        s.modelNodes(v),
			FirstTurnOnly:     s.DecisionOnly && s.SystemOf(v).Contract.DecisionPathField != "",
			NewGrader:         s.grader(o, connect, v),
			FactsField:        s.SystemOf(v).Contract.FactsField,
			NewJudge:          s.judge(o, connect, v),
			RealCritic:        s.hasRealCritic(v),
			IsBaselineModel:   IsBaselineModel(v.Model),
			NewTarget: func(t eval.Trial) (eval.Target, error) {
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

// pathField returns the field of the expect object with the expected sequence of labels. It returns
// "" for decision-only trials, which make only one decision.
func (s Suite) pathField(v Variant) string {
	if s.DecisionOnly {
		return ""
	}
	return s.SystemOf(v).Contract.DecisionPathField
}

// judge returns a function that creates the judge of a trial: the critic that repeats its first
// judgment (see Suite.RejudgeFirstAttempts). It returns nil if the suite has no second judgments.
// Faults do not apply to the judge.
func (s Suite) judge(o openVariant, connect ConnectFunc, v Variant) func(eval.Trial) (eval.Judge, error) {
	if !s.RejudgeFirstAttempts {
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

// grader returns a function that creates the model that grades the facts in a trial's answers. It
// returns nil if the suite does not grade facts. Faults do not apply to the grader.
func (s Suite) grader(o openVariant, connect ConnectFunc, v Variant) func(eval.Trial) (system.Grader, error) {
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

// withoutFault returns a copy of the trial in which no fault is injected.
func withoutFault(t eval.Trial) eval.Trial {
	condition := *t.Condition
	condition.Fault, t.Condition = eval.NoFault, &condition
	return t
}

// OpenAgent opens a variant and creates an agent with it, for a chat or a server. Closing the agent
// closes the variant.
func (s Suite) OpenAgent(v Variant, seed uint64, link func(part string) system.Endpoint,
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

// ownedAgent is an agent that also closes the variant that it was created with.
type ownedAgent struct {
	agent.Agent
	opened openVariant
}

// Close closes the agent and then the variant.
func (a ownedAgent) Close() error { return errors.Join(agent.Close(a.Agent), a.opened.close()) }

// openVariant is a variant whose system was opened with the variant's settings. It creates an agent
// for each trial.
type openVariant struct{ system.LoadedVariant }

// checkAgent creates an agent and closes it, to find errors that would otherwise occur in every
// trial.
func (o openVariant) checkAgent(link func(part string) system.Endpoint) error {
	a, err := o.newAgent(0, link)
	if err != nil {
		return err
	}
	return agent.Close(a)
}

// close closes what the system has opened for the variant.
func (o openVariant) close() error {
	if o.Close == nil {
		return nil
	}
	return o.Close()
}

// newAgent creates an agent with its own session store. link returns the endpoint of each
// component.
func (o openVariant) newAgent(seed uint64, link func(part string) system.Endpoint) (agent.Agent, error) {
	var a agent.Agent
	err := clock.CatchPanic("making the agent", func() (err error) {
		a, err = o.NewAgent(seed, link)
		return err
	})
	if err != nil {
		return nil, err
	}
	memory, err := session.New(session.Config{RejectWhenBusy: o.BusyAgent != nil})
	a = &session.Agent{Next: a, Store: memory, BusyAgent: o.BusyAgent}
	if o.Debounce != nil {
		a = o.Debounce(a)
	}
	return a, err
}

// open opens the target's system with the settings of a variant.
func (s Suite) open(v Variant, link func(part string) system.Endpoint, m DatasetInfo) (openVariant, error) {
	var o system.LoadedVariant
	err := clock.CatchPanic("opening the system", func() (err error) {
		o, err = s.SystemOf(v).Open(system.Options{
			SettingValues: s.ResolvedSettings(v),
			EndpointOf:    link,
			Labels:        m.Labels,
			ToolsPerTurn:  m.TurnsHaveTools,
			OOSLabel:      s.OOSLabel,
			Aliases:       s.Aliases,
			Examples:      m.Examples,
			DecisionOnly:  s.DecisionOnly,
			Context:       m.Context,
			Warn:          m.Warn,
		})
		return err
	})
	if err != nil {
		return openVariant{}, err
	}
	return openVariant{LoadedVariant: o}, nil
}

// Trials returns a trial for each case, epoch and condition. It reads the stream of cases only
// once.
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

// Trial returns the trial of one case in one condition and one epoch, from 1.
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
