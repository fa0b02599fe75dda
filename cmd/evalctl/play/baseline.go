package play

import (
	"cmp"
	"fmt"
	"slices"

	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
)

// runFingerprint identifies what a run measured: its suites, data and seed. It is compared with
// that of the baseline run.
type runFingerprint struct {
	suites []eval.SuiteSummary
	data   map[string]string // dataset hash by suite name; nil: unknown, because the run has no manifest
	seed   uint64
}

func fingerprintOf(run *runs.Run) runFingerprint {
	a := runFingerprint{suites: run.Suites()}
	if run.Manifest.ManifestHash != "" {
		a.seed, a.data = run.Manifest.Seed, map[string]string{}
	}
	for i, of := range run.Manifest.Datasets {
		if i < len(a.suites) {
			a.data[a.suites[i].Name] = of.Hash
		}
	}
	return a
}

func (p *Plan) fingerprint() runFingerprint {
	a := runFingerprint{suites: p.summaries(), data: map[string]string{}, seed: p.seed}
	for _, one := range p.suites {
		a.data[one.suite.Name] = one.data.Hash
	}
	return a
}

// checkBaseline returns an error if the current run cannot be compared with the baseline run,
// because a suite has other cases or another target. It checks only suites that a gate rule
// compares. For differences that only weaken the comparison, it adds notes.
func (j *gateChecker) checkBaseline(base *runs.Run, now runFingerprint) error {
	before := fingerprintOf(base)
	for _, text := range base.Manifest.Caveats() {
		j.addNote("the baseline: " + text)
	}
	if m := base.Manifest; base.Summary.Partial || m.Status != "" && m.Status != journal.StatusDone {
		what := "did not end"
		if m.Shard != nil {
			what = "is " + m.Shard.Describe()
		}
		j.addNote("the baseline " + what + ": trials that it did not run count as missing")
	}
	for _, a := range now.suites {
		i := slices.IndexFunc(before.suites, func(b eval.SuiteSummary) bool { return b.Name == a.Name })
		if i < 0 || !j.compares(a.Name) {
			continue
		}
		if err := checkSelection(before.suites[i], a); err != nil {
			return err
		}
		if before.data == nil || now.data == nil {
			continue
		}
		if err := j.checkSuite(before.suites[i], a); err != nil {
			return err
		}
		if hasOtherPrompts(before.suites[i], a) {
			j.unreadPrompts = append(j.unreadPrompts, a.Name)
			j.addNote("prompts of suite " + a.Name +
				" changed since the baseline, and a simulated model does not read prompts: " +
				"no gate can tell whether they became worse. Gate a run with --model")
		}
		if before.data[a.Name] != now.data[a.Name] {
			j.addNote("the baseline run used different data in suite " + a.Name +
				": cases whose text, history or labels changed are not compared")
		}
	}
	if before.data != nil && now.data != nil && before.seed != now.seed {
		j.addNote("the baseline has another seed: simulated models drew other random numbers in it, which adds differences")
	}
	return nil
}

// hasOtherPrompts reports whether prompts of a simulated variant have changed since the baseline
// run. A simulated model does not read prompts, so the comparison cannot show the effect of the
// change.
func hasOtherPrompts(before, now eval.SuiteSummary) bool {
	return slices.ContainsFunc(now.Conditions, func(c eval.ConditionSummary) bool {
		wasThere := slices.ContainsFunc(before.Conditions,
			func(b eval.ConditionSummary) bool { return b.Variant == c.Variant })
		return wasThere && !c.BaselineModel && !now.HasRealEndpoint(c.Variant) &&
			now.Prompts[c.Variant] != before.Prompts[c.Variant]
	})
}

// checkSelection returns an error if only one of the two runs was restricted by --only-failing.
func checkSelection(before, now eval.SuiteSummary) error {
	if before.FailedInRun == now.FailedInRun {
		return nil
	}
	return fmt.Errorf("of suite %s one run has only cases that failed in %s, and the other has others: they failed once, partly by chance, so they do better in any other run",
		now.Name, cmp.Or(now.FailedInRun, before.FailedInRun))
}

func (j *gateChecker) checkSuite(before, now eval.SuiteSummary) error {
	switch {
	case before.Target != now.Target:
		return fmt.Errorf("in suite %s it ran %s, this run %s", now.Name, before.Target, now.Target)
	case before.DecisionOnly != now.DecisionOnly:
		return fmt.Errorf("in suite %s it ran %s, this run %s", now.Name, scopeText(before), scopeText(now))
	case before.Clock == now.Clock:
		return nil
	}
	for _, r := range j.rules {
		if r.NeedsBaseline() && r.HasTimeMetric() {
			return fmt.Errorf("suite %s ran in %s time, this run in %s time: %q cannot compare them", now.Name,
				before.Clock, now.Clock, r.String())
		}
	}
	j.addNote("the baseline took " + before.Clock + " time in suite " + now.Name + ", this run " + now.Clock + " time")
	return nil
}

func (j *gateChecker) addNote(text string) { j.notes = append(j.notes, text) }

// compares reports whether a gate rule compares this suite with the baseline run.
func (j *gateChecker) compares(suite string) bool {
	return slices.ContainsFunc(j.rules,
		func(r gate.Rule) bool { return r.NeedsBaseline() && (r.Suite == "" || r.Suite == suite) })
}

func scopeText(s eval.SuiteSummary) string {
	if s.DecisionOnly {
		return "the decision only"
	}
	return "the whole answer"
}
