package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"evalctl/agent/system"
	"evalctl/cmd/evalctl/play"
	"evalctl/datasets"
	"evalctl/eval/floor"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

const maxParallel = 10_000

// runFlags are the flags of evalctl run.
type runFlags struct {
	target, dataset, split string
	columns                datasets.CSVColumns // columns of dataset, if it is a CSV file
	limit, sample          int64
	tags                   []string
	onlyFailing            string // directory of an earlier run, whose failing cases run again

	// values of setting flags by setting name, for the settings of all systems
	settings          map[string]*[]string
	suitePreparer     func(suite.Suite) suite.Suite // changes a suite before settings are applied; nil: no change
	models            []string
	baselineModels    []string // kinds of baseline models; each adds a variant
	labels, oosLabel  string
	aliases           []string // each ALIAS=LABEL
	decisionOnly      bool
	decisionOnlyGiven func() bool
	endpointFlags

	faults              []string
	baselineVariantFlag string
	epochs              int
	secondJudgment      optionalBool
	gradeFacts          optionalBool
	seed                uint64
	clock               string

	trust         bool
	notices       io.Writer         // receives the hosts and keys that suites name; nil: do not print them
	listed        []string          // hosts and keys that were already printed
	trustOnResume trustRequirements // what the suites may send only with --trust when the run is resumed

	out, resume string
	formats     []string
	html        string
	junit       play.JUnitOptions
	gates       gateFlags
	otlp        otlpFlags

	limits   limitFlags
	cassette cassetteFlags
	shard    shardFlags
	fleet    fleetFlags
	play.Options

	allowChanged bool
}

const allowChangedHelp = "with --resume or --broker: accept files named in commands that differ from those that the run began with; manifest and report say so"

func (f *runFlags) register(cmd *cobra.Command, settings []suite.Setting) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.target, "target", "",
		"agent `SYSTEM` to evaluate without a suite file: "+suggest.JoinWords(suite.Targets()))
	flags.StringVar(&f.dataset, "dataset", "", "shipped dataset, or JSON Lines or CSV `FILE` with cases")
	registerColumns(flags, &f.columns)
	flags.StringVar(&f.split, "split", "", "only this `SPLIT`: train, dev, test or all")
	flags.Int64Var(&f.limit, "limit", 0, "only the first `N` cases")
	flags.Int64Var(&f.sample, "sample", 0, "`N` cases drawn by seed, stratified by label")
	flags.StringSliceVar(&f.tags, "tags", nil, "only cases that have all these `TAGS`")
	flags.StringVar(&f.onlyFailing, "only-failing", "",
		"only the cases that failed or had no answer in the run `DIR`; its suites and settings are the defaults")
	f.registerSettings(cmd, settings)
	flags.StringSliceVar(&f.models, "model", nil,
		"axis: model `NAME` with --base-url, or PROVIDER:NAME, or baseline:KIND")
	flags.StringSliceVar(&f.baselineModels, "baseline-model", nil,
		"add a variant for each `KIND` of baseline model: "+suggest.JoinWords(floor.Kinds()))
	f.endpointFlags.register(flags)
	registerLabels(flags, &f.labels)
	flags.StringVar(&f.oosLabel, "oos-label", "", "`LABEL` for everything that fits no other label (out of scope)")
	registerAliases(flags, &f.aliases)
	flags.BoolVar(&f.decisionOnly, "decision-only", false,
		"stop a trial after the decision and do not generate the answer")
	f.decisionOnlyGiven = func() bool { return flags.Changed("decision-only") }
	flags.StringSliceVar(&f.faults, "fault", nil,
		"axis: inject `COMPONENT:KIND[@N|%P]`; + joins several; all, or COMPONENT:all, for every fault")
	flags.StringVar(&f.baselineVariantFlag, "baseline-variant", "",
		"`VARIANT` that the others are compared with (default: the first)")
	flags.IntVar(&f.epochs, "epochs", 0, "run every case `K` times (default 1)")
	f.secondJudgment.register(flags, "second-judgment", secondJudgmentHelp)
	f.gradeFacts.register(flags, "grade-facts", gradeFactsHelp)
	flags.Uint64Var(&f.seed, "seed", 1, "random `SEED`")
	registerParallel(flags, &f.Parallel)
	flags.IntVar(&f.MaxConsecutiveFailures, "circuit-breaker", 20,
		"stop calling an endpoint after `N` consecutive failed cases; 0 disables")
	f.MaxMissing = 0.05
	flags.Var((*share)(&f.MaxMissing), "max-missing",
		"exit with 3 if more than this `SHARE` of a condition has no answer")
	flags.StringVar(&f.clock, "clock", "", "`CLOCK`: real or simulated (default: simulated unless a model is real)")
	flags.BoolVar(&f.trust, "trust", false,
		"allow suite files to run commands, read any file and send keys to the hosts they name")
	flags.BoolVar(&f.allowChanged, "allow-changed", false, allowChangedHelp)
	flags.StringVar(&f.out, "out", "", "output directory `DIR` (default runs/TIME)")
	flags.StringVar(&f.resume, "resume", "", "continue the interrupted run in `DIR`")
	registerFormats(cmd, &f.formats, "table")
	registerJUnit(cmd, &f.junit)
	flags.StringVar(&f.html, "html", "", "also write an HTML report to `FILE`")
	f.otlp.register(flags)
	f.limits.register(flags)
	f.cassette.register(flags)
	f.shard.register(flags)
	f.fleet.register(flags)
	flags.StringArrayVar(&f.gates.Rules, "gate", nil,
		"exit with 1 unless `RULE` holds, for example 'route.accuracy >= 90%'")
	f.gates.register(cmd)
	flags.BoolVarP(&f.Quiet, "quiet", "q", false, "print only the report and errors")
	flags.BoolVarP(&f.Verbose, "verbose", "v", false, "print all tables")
	addCompletions(cmd, map[string][]string{"target": suite.Targets(), "split": splits(), "clock": clocks()})
}

// registerSettings adds a flag for each setting that can differ between variants.
func (f *runFlags) registerSettings(cmd *cobra.Command, settings []suite.Setting) {
	f.settings = map[string]*[]string{}
	for _, set := range suite.Settings() {
		f.settings[set.Name] = new([]string) // empty for settings without a flag
	}
	for _, set := range settings {
		f.settings[set.Name] = axisFlag(cmd.Flags(), set)
		addCompletions(cmd, map[string][]string{set.Name: valuesOf(set)})
	}
}

// axisFlag adds the flag of a setting and returns its values. Each value becomes a variant. Values
// are split at commas, unless they can contain commas.
func axisFlag(flags *pflag.FlagSet, set suite.Setting) *[]string {
	help := settingHelp(set, false)
	switch of, _ := set.Systems[0].Setting(set.Name); {
	case of.IsList:
		all := new([]string)
		flags.Var(&multilineFlag{onChange: func(text string) { *all = []string{text} }}, set.Name, help)
		return all
	case of.AllowCommas:
		return flags.StringArray(set.Name, nil, "axis: "+help)
	}
	return flags.StringSlice(set.Name, nil, "axis: "+help)
}

func registerParallel(flags *pflag.FlagSet, at *int) {
	flags.IntVarP(at, "parallel", "j", 0,
		"`N` trials at the same time (default: 16, or 4 for http and exec; in simulated time, the number of cores)")
}

func registerLabels(flags *pflag.FlagSet, at *string) {
	flags.StringVar(at, "labels", "",
		"labels to choose from: `A,B,C|FILE` with one per line and a description after a tab")
}

func registerAliases(flags *pflag.FlagSet, at *[]string) {
	flags.StringArrayVar(at, "alias", nil,
		"another name for a label in answers, as in None=oos: `ALIAS=LABEL`; repeatable")
}

// settingHelp returns the help text of a setting flag. It groups the systems in which the setting
// has the same meaning. If defaultValue is true, the text includes the default.
func settingHelp(set suite.Setting, defaultValue bool) string {
	type meaning struct {
		text   string
		owners []string
	}
	var list []meaning
	for _, of := range set.Systems {
		s, _ := of.Setting(set.Name)
		text := s.Help
		if s.Values != nil {
			text += ": " + suggest.JoinWords(s.Values)
		}
		shown := s.Default
		if defaultValue {
			shown = cmp.Or(s.ChatDefault, s.Default)
		}
		if shown != "" && (defaultValue || s.Values == nil) {
			text += " (" + shown + ")"
		}
		at := slices.IndexFunc(list, func(m meaning) bool { return m.text == text })
		if at < 0 {
			at = len(list)
			list = append(list, meaning{text: text})
		}
		list[at].owners = append(list[at].owners, of.Name)
	}
	var parts []string
	for i, m := range list {
		if i > 0 {
			m.text = strings.ReplaceAll(m.text, "`", "") // pflag takes the quoted word as the name of the value
		}
		parts = append(parts, suggest.JoinWords(m.owners)+": "+m.text)
	}
	return strings.Join(parts, "; ")
}

// valuesOf returns the named values that any system accepts for a setting.
func valuesOf(set suite.Setting) (values []string) {
	for _, of := range set.Systems {
		s, _ := of.Setting(set.Name)
		for _, v := range s.Values {
			if !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
	}
	return values
}

func splits() []string { return []string{"train", "dev", "test", "all"} }
func clocks() []string { return []string{"real", "simulated"} }

// check validates the flags of run before any file is read, so that an error names the flag.
func (f *runFlags) check(cmd *cobra.Command, args []string) error {
	given, targets := cmd.Flags().Changed, f.targets(args)
	f.skipKeyCheck = f.skipKeyCheck || f.cassette.replay != "" // a replay makes no requests
	checks := []struct {
		flag string
		bad  func() error
	}{
		{"target", func() error { return suggest.CheckKnown("system", f.target, suite.Targets()) }},
		{"split", func() error { return suggest.CheckKnown("split", f.split, splits()) }},
		{"clock", func() error { return suggest.CheckKnown("clock", f.clock, clocks()) }},
		{"limit", func() error { return atLeast(1, f.limit) }},
		{"sample", f.checkSample},
		{"epochs", func() error { return cmp.Or(atLeast(1, f.epochs), atMost(suite.MaxEpochs, f.epochs)) }},
		{"alias", func() error { _, err := suite.ParseAliases(f.aliases); return err }},
		{"parallel", func() error { return cmp.Or(atLeast(1, f.Parallel), atMost(maxParallel, f.Parallel)) }},
		{"circuit-breaker", func() error { return atLeast(0, f.MaxConsecutiveFailures) }},
		{"undecided", f.gates.check},
		{"fault", func() error {
			return each(f.faults, func(spec string) error {
				if spec == suite.AllFaults {
					return nil
				}
				if near, ok := suggest.Closest(spec, []string{suite.AllFaults}); ok {
					return fmt.Errorf("unknown fault %q, did you mean %q?", spec, near)
				}
				_, err := backend.ParseFaults(spec, systemsOf(targets)...)
				return err
			})
		}},
		{"baseline-model", func() error {
			return each(f.baselineModels,
				func(kind string) error {
					return suggest.CheckKnown("baseline model", floor.Kind(kind),
						floor.Kinds())
				})
		}},
	}
	for _, c := range checks {
		if !given(c.flag) {
			continue
		}
		if err := c.bad(); err != nil {
			return flagError(c.flag, err)
		}
	}
	for _, set := range suite.Settings() {
		if err := each(*f.settings[set.Name],
			func(value string) error { return checkSetting(set, value, targets...) }); err != nil {
			return flagError(set.Name, err)
		}
	}
	return cmp.Or(f.limits.check(), f.cassette.check(), f.shard.check(), f.fleet.check(), f.checkFlags())
}

// targets returns the names of the systems that the arguments select. It is nil if a suite file
// would have to be read.
func (f *runFlags) targets(args []string) []string {
	if f.target != "" {
		return []string{f.target}
	}
	isFile := func(arg string) bool { return !slices.Contains(datasets.BuiltInNames(), arg) }
	if slices.ContainsFunc(args, isFile) {
		return nil
	}
	return args
}

func (f *runFlags) checkSample() error {
	if f.limit > 0 {
		return errors.New("cannot be combined with --limit")
	}
	return atLeast(1, f.sample)
}

// checkSetting returns an error if a value of a setting is invalid in all targets. If no target has
// the setting, it checks all systems.
func checkSetting(set suite.Setting, value string, targets ...string) error {
	of := func(s system.System) bool { return slices.Contains(targets, s.Name) }
	if slices.ContainsFunc(set.Systems, of) {
		set.Systems = slices.DeleteFunc(slices.Clone(set.Systems), func(s system.System) bool { return !of(s) })
	}
	var first error
	for _, of := range set.Systems {
		s, _ := of.Setting(set.Name)
		err := suite.CheckSettingValue(s, value)
		if err == nil && s.IsFile && s.Check != nil {
			err = s.Check(value)
		}
		if err == nil {
			return nil
		}
		first = cmp.Or(first, err)
	}
	if values := valuesOf(set); values != nil {
		return suggest.UnknownWordError(set.Name, value, values)
	}
	return first
}

func checkFault(spec string) error {
	_, err := backend.ParseFaults(spec)
	return err
}

func each[T any](list []T, check func(T) error) error {
	for _, one := range list {
		if err := check(one); err != nil {
			return err
		}
	}
	return nil
}

func atLeast[N int | int64](least, n N) error {
	if n < least {
		return fmt.Errorf("must be at least %d, got %d", least, n)
	}
	return nil
}

func atMost[N int | int64](most, n N) error {
	if n > most {
		return fmt.Errorf("must be at most %d, got %d", most, n)
	}
	return nil
}
