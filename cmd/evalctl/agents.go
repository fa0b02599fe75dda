package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"evalctl/agent"
	"evalctl/agent/limit"
	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/cmd/evalctl/play"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// agentFlags are the flags of chat and serve that select and configure agents.
type agentFlags struct {
	settings map[string]*string // values of setting flags by setting name, for the settings of all systems
	labels   string
	aliases  []string
	model    string
	endpointFlags
	real, faults   []string
	allowSimulated string
	seed           uint64
	limits         *limit.Limiter // shared by all agents
}

func (f *agentFlags) register(cmd *cobra.Command, settings []suite.Setting) {
	flags := cmd.Flags()
	flags.SortFlags = false
	f.settings = map[string]*string{}
	for _, set := range settings {
		f.settings[set.Name] = new(string)
		if of, _ := set.Systems[0].Setting(set.Name); of.IsList {
			at := f.settings[set.Name]
			flags.Var(&multilineFlag{onChange: func(text string) { *at = text }}, set.Name, settingHelp(set, true))
			continue
		}
		flags.StringVar(f.settings[set.Name], set.Name, "", settingHelp(set, true))
		addCompletions(cmd, map[string][]string{set.Name: valuesOf(set)})
	}
	registerLabels(flags, &f.labels)
	registerAliases(flags, &f.aliases)
	flags.StringVar(&f.model, "model", "", "chat model `NAME` with --base-url, or PROVIDER:NAME, or baseline:KIND")
	f.endpointFlags.register(flags)
	flags.StringArrayVar(&f.real, "real", nil, realHelp)
	flags.StringVar(&f.allowSimulated, "allow-simulated", "", allowSimulatedHelp)
	flags.Lookup("allow-simulated").NoOptDefVal = allComponents
	flags.StringSliceVar(&f.faults, "fault", nil, "inject `COMPONENT:KIND[@N|%P]` into simulated components")
	flags.Uint64Var(&f.seed, "seed", 1, "random `SEED`")
}

// agents contains the agents that chat or serve runs, by name.
type agents struct {
	all       map[string]agent.Agent
	simulated map[string][]string // names of the simulated components of each agent
	warnings  []string            // problems that the agents have found in their files
}

// printWarnings prints the problems that the agents have found in their files.
func (a agents) printWarnings(stderr io.Writer) error {
	for _, w := range a.warnings {
		if _, err := fmt.Fprintln(stderr, "evalctl: "+w); err != nil {
			return err
		}
	}
	return nil
}

// agents creates an agent for each target, configured by the flags. Each agent has its own mocks
// for its simulated components. Mocks run in real time.
func (f *agentFlags) agents(ctx context.Context, targets []string) (made agents, err error) {
	if err := f.check(targets); err != nil {
		return made, err
	}
	suites := map[string]suite.Suite{}
	for _, target := range targets {
		if suites[target], err = f.suite(target); err != nil {
			return made, err
		}
	}
	if made.simulated, err = f.simulated(suites); err != nil {
		return made, err
	}
	made.all = map[string]agent.Agent{}
	client := f.endpoints().Client()
	f.limits = limit.New(limit.Config{Notices: true})
	for _, target := range targets {
		a, err := f.agent(ctx, suites[target], client, func(message string) {
			made.warnings = append(made.warnings, target+": "+message)
		})
		if err != nil {
			return made, errors.Join(err, closeAll(made.all))
		}
		made.all[target] = a
	}
	return made, nil
}

func closeAll(agents map[string]agent.Agent) (err error) {
	for _, a := range agents {
		err = errors.Join(err, agent.Close(a))
	}
	return err
}

func (f *agentFlags) agent(ctx context.Context, s suite.Suite, client *http.Client,
	warn func(string)) (agent.Agent, error) {
	material, err := f.datasetInfo(s)
	if err != nil {
		return nil, err
	}
	material.Context, material.Warn = ctx, warn
	b, err := backend.New(backend.Config{
		Suite:             s,
		DatasetInfo:       material,
		HTTP:              client,
		Secrets:           f.secrets,
		AllowUnknownTexts: true,
		Middleware:        []backend.Middleware{play.WithRateLimits(f.limits)},
	})
	if err != nil {
		return nil, err
	}
	v := s.Variants[0]
	t := eval.Trial{Condition: &eval.Condition{Fault: cmp.Or(strings.Join(s.Faults, "+"), eval.NoFault)}, Seed: f.seed}
	link, err := b.Connect(t, v)
	if err != nil {
		return nil, err
	}
	return s.OpenAgent(v, t.TrialSeed(), link, material)
}

// datasetInfo returns the dataset content that an agent requires: the labels, if the agent accepts
// any, and the training texts of a baseline model.
func (f *agentFlags) datasetInfo(s suite.Suite) (m suite.DatasetInfo, err error) {
	switch {
	case f.labels != "" && len(s.BaselineModels()) > 0:
		return m, flagError("labels", fmt.Errorf("%s has learned those of the shipped set", f.model))
	case !s.System().Contract.HasDatasetLabels() && len(s.BaselineModels()) == 0:
	case f.labels != "": // these labels replace those of the dataset
		m.Labels, err = s.ResolveLabels(nil, nil)
	default:
		_, m, err = datasets.OpenForSuite(s, f.seed, checkFault)
	}
	return m, err
}

// storeCommand removes the command after `--` from the arguments and stores it in the setting that
// runs a command.
func (f *agentFlags) storeCommand(cmd *cobra.Command, args []string) ([]string, error) {
	args, command, err := argsAfterDash(cmd, args)
	if command == "" || err != nil {
		return args, err
	}
	name, err := commandSettingName(systemsOf(args))
	if err != nil {
		return nil, err
	}
	if *f.settings[name] != "" {
		return nil, flagError(name, errors.New("requires a command after --"))
	}
	*f.settings[name] = command
	return args, nil
}

// suite returns the shipped suite of a target, reduced to one variant that the flags configure. An
// external system gets a suite without cases.
func (f *agentFlags) suite(target string) (suite.Suite, error) {
	s, err := datasets.DefaultSuite(target)
	if err != nil {
		return s, err
	}
	if s.Dataset == "" {
		if f.labels == "" {
			return s, flagError("labels", fmt.Errorf("%s requires labels to choose from: --labels A,B,C", target))
		}
		s.Dataset = target // only a name: the labels are given, so the dataset is not read
	}
	s.Models = maps.Clone(s.Models)
	if s.Models == nil {
		s.Models = map[string]suite.Model{}
	}
	v := suite.Variant{Name: target, Settings: map[string]string{}}
	for name, value := range f.settings {
		if _, ok := s.System().Setting(name); ok && *value != "" {
			v.Settings[name] = *value
		}
	}
	for _, set := range s.System().Settings {
		if v.Settings[set.Name] == "" && set.ChatDefault != "" && f.uses(s.System(), set.Name) {
			v.Settings[set.Name] = set.ChatDefault
		}
	}
	if f.model != "" {
		if v, err = f.withModel(v, f.model); err != nil {
			return s, flagError("model", err)
		}
	}
	for _, text := range f.real {
		if err := f.useEndpoint(&s, &v, text); err != nil {
			return s, flagError("real", err)
		}
	}
	if f.labels != "" && s.System().Contract.HasDatasetLabels() {
		if s.Labels, err = suite.ParseLabels(f.labels); err != nil {
			return s, flagError("labels", err)
		}
		s.OOSLabel, s.Aliases = "", nil
	}
	if f.aliases != nil && s.System().Contract.HasDatasetLabels() {
		if s.Aliases, err = suite.ParseAliases(f.aliases); err != nil {
			return s, flagError("alias", err)
		}
	}
	s.Faults, s.Variants = f.faultsOf(s.System()), []suite.Variant{v}
	return s, s.Check()
}

// debounceTimes returns how an agent with the values of the flags combines messages.
func (f *agentFlags) debounceTimes(of system.System) (times system.DebounceTimes) {
	if of.DebounceTimes == nil {
		return times
	}
	values := map[string]string{}
	for name, value := range f.settings {
		if _, ok := of.Setting(name); ok && *value != "" {
			values[name] = *value
		}
	}
	return of.DebounceTimes(of.WithDefaults(values))
}

// faultsOf returns the faults of --fault that apply to a system, joined by +. The agents of one
// server have different components, so a fault may apply to only some of them.
func (f *agentFlags) faultsOf(of system.System) []string {
	var matching []string
	for one := range strings.SplitSeq(strings.Join(f.faults, "+"), "+") {
		if one != "" && backend.HasFaultComponents(one, of) {
			matching = append(matching, one)
		}
	}
	if matching == nil {
		return nil
	}
	return []string{strings.Join(matching, "+")}
}

// check validates the flags of chat and serve before any agent is created, so that an error names
// the flag.
func (f *agentFlags) check(targets []string) error {
	for _, set := range suite.Settings() {
		at := f.settings[set.Name]
		if at == nil || *at == "" {
			continue
		}
		value := *at
		if err := checkSetting(set, value, targets...); err != nil {
			return flagError(set.Name, err)
		}
		if !slices.ContainsFunc(suite.SystemsWithSetting(set.Name),
			func(owner string) bool { return slices.Contains(targets, owner) }) {
			return flagError(set.Name, suite.UnknownSettingError(set.Name, targets...))
		}
		users := slices.DeleteFunc(systemsOf(targets), func(of system.System) bool { return !f.uses(of, set.Name) })
		if len(users) == 0 {
			return flagError(set.Name, suite.ErrSettingUnused)
		}
		if set.IsPersistent() && len(users) > 1 {
			names := make([]string, len(users))
			for i, of := range users {
				names[i] = of.Name
			}
			return flagError(set.Name,
				fmt.Errorf("works with one agent: start a server for each of %s, with a file of its own", suggest.JoinWords(names)))
		}
	}
	if err := cmp.Or(f.requireModel(f.givenModels()), f.checkFlags()); err != nil {
		return err
	}
	of := systemsOf(targets)
	if f.labels != "" && !slices.ContainsFunc(of, func(s system.System) bool { return s.Contract.HasDatasetLabels() }) {
		return flagError("labels", fmt.Errorf("%s: labels of its own", suggest.JoinWords(targets)))
	}
	if f.aliases != nil && !slices.ContainsFunc(of,
		func(s system.System) bool { return s.Contract.HasDatasetLabels() }) {
		return flagError("alias", fmt.Errorf("%s: labels of its own", suggest.JoinWords(targets)))
	}
	for _, spec := range f.faults {
		if _, err := backend.ParseFaults(spec, of...); err != nil {
			return flagError("fault", err)
		}
	}
	return f.checkReal(of)
}

func (f *agentFlags) givenModels() []string {
	if f.model == "" {
		return nil
	}
	return []string{f.model}
}

// uses reports whether a system uses a setting, given the values of its other settings.
func (f *agentFlags) uses(of system.System, name string) bool {
	given := map[string]string{}
	for name, value := range f.settings {
		if *value != "" {
			given[name] = *value
		}
	}
	set, ok := of.Setting(name)
	return ok && set.IsUsed(of.WithDefaults(given))
}

// isPersistent reports whether a flag makes the agents store conversations permanently.
func (f *agentFlags) isPersistent() bool {
	return slices.ContainsFunc(suite.Settings(), func(set suite.Setting) bool {
		at := f.settings[set.Name]
		return set.IsPersistent() && at != nil && *at != ""
	})
}

func systemsOf(targets []string) (list []system.System) {
	for _, name := range targets {
		if of, ok := suite.FindSystem(name); ok {
			list = append(list, of)
		}
	}
	return list
}

// checkReal returns an error if --real or --allow-simulated names a component that no agent has.
func (f *agentFlags) checkReal(of []system.System) error {
	var known []string
	for _, s := range of {
		for _, p := range s.Components {
			known = append(known, p.Name)
		}
	}
	if err := f.checkAllowed(known); err != nil {
		return err
	}
	for _, text := range f.real {
		name, _, _ := strings.Cut(text, "=")
		if err := suggest.CheckKnown("component", name, known); err != nil {
			return flagError("real", err)
		}
	}
	return nil
}

func checkTargets(names []string) error {
	for _, name := range names {
		if err := suggest.CheckKnown("agent", name, suite.Targets()); err != nil {
			return err
		}
	}
	return nil
}

// providersHelp lists, for the help, each provider with the environment variable that holds its API
// key.
func providersHelp() string {
	var parts []string
	for _, p := range llm.Providers() {
		if p.KeyEnv != "" {
			parts = append(parts, p.Name+" "+p.KeyEnv)
		}
	}
	return strings.Join(parts, ", ")
}
