package play

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
)

// Gates contains the gate rules of the command line and the baseline run. The rules are added to
// those of the suites.
type Gates struct {
	Rules    []string // rules as the user wrote them, such as "accuracy >= 90%"
	Baseline string   // directory or results file of the baseline run; "": none

	isInherited bool // the baseline comes from the manifest of a resumed run, so it may be unused
}

// inherit takes the rules and the baseline from the manifest of the run if the user gave none.
func (g *Gates) inherit(m journal.Manifest) {
	if g.Rules == nil {
		g.Rules = m.Gates
	}
	if g.Baseline == "" {
		g.Baseline, g.isInherited = m.Baseline, true
	}
}

// gateChecker checks the gate rules of a run, some of them in comparison with the baseline run.
type gateChecker struct {
	rules      []gate.Rule
	comparison *gate.BaselineComparison
	notes      []string // notes for the report on what weakens the comparison

	unreadPrompts []string // suites with simulated models whose prompts have changed since the baseline run
	baseline      string   // path of the baseline run; "": no rule compares with it
}

// add parses and adds a gate rule. If only is not "", the rule applies to that suite alone.
func (j *gateChecker) add(text, only string, suites []gate.SuiteScope) error {
	rule, err := gate.Parse(text)
	if err != nil {
		return err
	}
	if only != "" {
		if rule.Suite != "" && rule.Suite != only {
			return fmt.Errorf("%q: is about another suite than %s", text, only)
		}
		rule.Suite = only
	}
	if err := gate.Validate([]gate.Rule{rule}, suites); err != nil {
		return err
	}
	if !slices.ContainsFunc(j.rules, func(have gate.Rule) bool { return isSame(have, rule, suites) }) {
		j.rules = append(j.rules, rule)
	}
	return nil
}

// isSame reports whether two rules make the same check. They may differ in the name of the suite if
// the run has only one.
func isSame(a, b gate.Rule, suites []gate.SuiteScope) bool {
	if len(suites) == 1 {
		a.Suite, b.Suite = "", ""
	}
	return a == b
}

// addAll parses and adds gate rules. from names their origin in error messages, such as --gate.
func (j *gateChecker) addAll(rules []string, from string, suites []gate.SuiteScope) error {
	for _, text := range rules {
		if err := j.add(text, "", suites); err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
	}
	return nil
}

// compare reads the results of the baseline run, if a rule compares with it. It returns an error if
// such a rule exists and there is no baseline run.
func (j *gateChecker) compare(g Gates, now runFingerprint) error {
	at := slices.IndexFunc(j.rules, gate.Rule.NeedsBaseline)
	switch {
	case at < 0 && (g.isInherited || g.Baseline == ""):
		return nil
	case at < 0:
		j.addNote("--baseline is not used: no gate compares with it; drop, ratio and new_failures do")
		return nil
	case g.Baseline == "":
		return fmt.Errorf("--baseline: is missing. %q compares with a baseline run: name its directory or results.jsonl", j.rules[at].String())
	}
	base, err := runs.Open(g.Baseline)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--baseline: no run in %s. Measure the baseline first: evalctl run … --out %[1]s", g.Baseline)
	}
	if err != nil {
		return fmt.Errorf("--baseline: %w", err)
	}
	if err := j.checkBaseline(base, now); err != nil {
		return fmt.Errorf("--baseline: %w", err)
	}
	j.comparison, j.baseline = gate.NewBaselineComparison(j.rules), g.Baseline
	for r, err := range base.Results() {
		if err != nil {
			return fmt.Errorf("--baseline: %w", err)
		}
		j.comparison.AddBaseline(r)
	}
	j.noteUnhashed("the baseline", 0)
	return nil
}

// noteUnhashed adds a note if results have no case hash, so that their cases are compared less
// exactly. It does not count the known ones, which an earlier note covered.
func (j *gateChecker) noteUnhashed(of string, known int64) {
	if n := j.comparison.UnhashedResults() - known; n > 0 {
		j.addNote(fmt.Sprintf("%s has %s of an older evalctl, without a case hash: its cases are compared by the first %d characters of one turn "+
			"and its labels alone", of, metric.Plural(n, "result"), eval.MaxTextChars))
	}
}

func (j *gateChecker) addResult(r eval.Result) {
	if j.comparison != nil {
		j.comparison.AddResult(r)
	}
}

func (j *gateChecker) addRun(run *runs.Run) error {
	if j.comparison == nil {
		return nil
	}
	known := j.comparison.UnhashedResults()
	for r, err := range run.Results() {
		if err != nil {
			return err
		}
		j.comparison.AddResult(r)
	}
	j.noteUnhashed("the run", known)
	return nil
}

// tags returns the case tags that rules refer to. Metrics must be computed for them.
func (j *gateChecker) tags() (list []string) {
	for _, r := range j.rules {
		if r.Tag != "" && !slices.Contains(list, r.Tag) {
			list = append(list, r.Tag)
		}
	}
	return list
}

// verdicts returns a verdict for each rule on the summary of the run. Without rules, it returns the
// verdicts that the summary already contains.
func (j *gateChecker) verdicts(s eval.Summary) []eval.GateVerdict {
	if len(j.rules) == 0 {
		return s.Gates
	}
	list := gate.Check(j.rules, s, j.comparison)
	for i, r := range j.rules {
		if r.NeedsBaseline() && slices.ContainsFunc(j.unreadPrompts,
			func(suite string) bool { return r.Suite == "" || r.Suite == suite }) {
			const unread = "prompts changed, but a simulated model does not read them"
			list[i].Reason += "; " + unread
			if len(list[i].Conditions) > 0 {
				first := &list[i].Conditions[0]
				first.Detail = strings.TrimSpace(first.Detail + " " + strings.ToUpper(unread[:1]) + unread[1:] + ".")
			}
		}
	}
	return list
}

// exitError returns the exit error for the verdicts, or nil if all gates passed. A failed gate has
// priority over an undecided one. An undecided gate is an error if strict is true, or if it has too
// few cases to decide.
func exitError(verdicts []eval.GateVerdict, strict bool) error {
	undecided := false
	for _, v := range verdicts {
		switch v.Verdict {
		case eval.GatePassed:
		case eval.GateUndecided:
			undecided = undecided || strict || v.TooFewCases
		default:
			return exit.ErrGateFailed
		}
	}
	if undecided {
		return exit.ErrUndecided
	}
	return nil
}

func verdictText(v eval.GateVerdict) string {
	switch v.Verdict {
	case eval.GatePassed:
		return "passed"
	case eval.GateUndecided:
		return "undecided"
	}
	return "failed"
}

func (g Gates) absolute() (string, error) {
	if g.Baseline == "" {
		return "", nil
	}
	return filepath.Abs(g.Baseline)
}

// gateScope describes which names gate rules can use for this suite: conditions, labels and tags.
func (p suitePlan) gateScope() gate.SuiteScope {
	s := gate.SuiteScope{
		System:        p.suite.System(),
		HasOOSLabel:   p.suite.OOSLabel != "",
		HasEpochs:     p.suite.Epochs > 1,
		IsFaultMatrix: p.suite.FaultMatrix,
		Tags:          []string{},
	}
	if s.System.Contract.HasDatasetLabels() {
		s.Labels = p.data.Labels()
	}
	if _, more := p.data.Tags[datasets.OtherTagsKey]; more {
		s.Tags = nil
	} else {
		s.Tags = slices.AppendSeq(s.Tags, maps.Keys(p.data.Tags))
	}
	for _, c := range p.conditions {
		s.Conditions = append(s.Conditions, gate.Condition{Suite: c.Suite, Variant: c.Variant, Fault: c.Fault})
	}
	return s
}

// setGates parses the rules of the suites and the command line, and reads the baseline run.
func (p *Plan) setGates() error {
	var suites []gate.SuiteScope
	for _, one := range p.suites {
		suites = append(suites, one.gateScope())
	}
	for _, one := range p.suites {
		for i, text := range one.suite.Gates {
			if err := p.gateChecker.add(text, one.suite.Name, suites); err != nil {
				return one.suite.AddPosition(fmt.Errorf("gates[%d]: %w", i, err))
			}
		}
	}
	if err := p.gateChecker.addAll(p.gates.Rules, "--gate", suites); err != nil {
		return err
	}
	return p.gateChecker.compare(p.gates, p.fingerprint())
}
