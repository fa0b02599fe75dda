package pack

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"evalctl/eval"
	"evalctl/eval/compare"
)

// DefaultBudget is the default size limit of the file, in bytes.
const DefaultBudget = 3_000_000

// Options describes the page around the data.
type Options struct {
	Dir          string // directory of the run, for commands; "": none
	BaselinePath string // path of the baseline run; "": none
	TraceURL     string // server URL for traces that the file does not contain; "": none
	Budget       int64  // size limit of the file in bytes; 0: DefaultBudget
}

// Source reads single trials with their traces. If it returns an error, the trial is included
// without its trace and a note is added.
type Source interface {
	Trial(key string) (eval.Result, error)
}

// Packer collects the results of a run. It stores only a few numbers of each result.
type Packer struct {
	options    Options
	suites     []*suite
	places     map[string]int
	trials     int64
	briefAbove int64 // columns are brief if there are more trials
}

// New returns a Packer for the results of a run. Only the conditions of the summary are used.
func New(sum eval.Summary, o Options) *Packer {
	o.Budget = cmp.Or(o.Budget, DefaultBudget)
	p := &Packer{options: o, places: map[string]int{}, briefAbove: briefColumnsAbove}
	for _, s := range sum.Suites {
		p.places[s.Name] = len(p.suites)
		p.suites = append(p.suites, newSuite(s))
	}
	return p
}

// Add adds a result of the run. Results can be in any order, but each trial must be added only
// once.
func (p *Packer) Add(r eval.Result) error {
	at, ok := p.places[r.Suite]
	if !ok {
		return fmt.Errorf("pack the cases: suite %.60q is not in the summary", r.Suite)
	}
	p.trials++
	return p.suites[at].add(r)
}

// AddBaseline adds a result of the run that this one is compared with.
func (p *Packer) AddBaseline(r eval.Result) {
	if at, ok := p.places[r.Suite]; ok {
		p.suites[at].addBaseline(r)
	}
}

// suite collects the results of a suite.
type suite struct {
	head         Suite
	conditions   map[Condition]int
	trials       []trial
	cases        names // in the order of the results, like all names
	labels       names
	expect       names   // sets of labels
	expectedSets [][]int // those sets, in labels
	source       names
	codes        names // error reply codes
	errors       names // kinds of errors
	tags         names
	caseInfos    []caseInfo // data of each case
	// index of the trial of each condition, case and epoch, set by settle; −1: not run
	grid             []int32
	baselineVerdicts map[caseKey][]verdict // verdicts of the earlier run
}

// caseInfo is the data of a case.
type caseInfo struct {
	turns    int
	tags     []int
	text     string // text of the best trial
	whole    bool   // the text is complete
	best     int    // index of the trial with the most answered turns
	key      string // key of the best trial, set by settle
	answered int
}

// trial contains the fields of a result that lists and tiers require; −1 is unknown.
type trial struct {
	caseIndex, condition, epoch   int
	key                           string
	predicted, answeredBy, source int
	expected                      int
	failure, error                int
	confidence, duration          int
	faultOutcome, tier            int // set by rank
	failing                       bool
	turns                         []int // only with several labeled turns; as in Columns.Turns
	outcome                       compare.Outcome
}

// turnFields is the number of values of a turn in Columns.Turns.
const turnFields = 3

func newSuite(s eval.SuiteSummary) *suite {
	n := &suite{conditions: map[Condition]int{}, baselineVerdicts: map[caseKey][]verdict{}}
	n.head = Suite{
		Name:            s.Name,
		Target:          s.Target,
		BaselineVariant: s.BaselineVariant,
		Epochs:          max(1, s.Epochs),
	}
	for _, c := range s.Conditions {
		condition := Condition{Variant: c.Name, Fault: cmp.Or(c.Fault, eval.NoFault)}
		n.conditions[condition] = len(n.head.Conditions)
		condition.BaselineModel = c.BaselineModel
		n.head.Conditions = append(n.head.Conditions, condition)
	}
	if n.head.BaselineVariant == "" && len(n.head.Conditions) > 0 {
		n.head.BaselineVariant = n.head.Conditions[0].Variant
	}
	return n
}

func conditionOf(r eval.Result) Condition {
	return Condition{Variant: r.Variant, Fault: cmp.Or(r.Fault, eval.NoFault)}
}

func (s *suite) add(r eval.Result) error {
	condition, ok := s.conditions[conditionOf(r)]
	if !ok || r.Epoch < 1 || r.Epoch > s.head.Epochs {
		return fmt.Errorf("pack the cases: suite %.60q has no variant %.60q with fault %.60q in epoch %d", r.Suite,
			r.Variant, r.Fault, r.Epoch)
	}
	if r.Case == "" {
		return fmt.Errorf("pack the cases: a result of suite %.60q names no case", r.Suite)
	}
	t := trial{
		caseIndex:  s.cases.add(r.Case),
		condition:  condition,
		epoch:      r.Epoch,
		key:        r.Key,
		outcome:    compare.OutcomeOf(r),
		failing:    r.IsFailing(),
		answeredBy: s.labels.add(r.AnsweredBy),
		source:     s.source.add(r.DecidedBy),
		failure:    s.codes.add(r.ErrorReply),
		error:      -1,
		confidence: confidence(r),
		duration:   int(time.Duration(r.Duration).Microseconds()),
	}
	want, got := r.Expected, r.Predicted
	if d, labeled := r.Decision(); labeled {
		want, got = d.Expected, d.Actual
	}
	t.predicted, t.expected = s.labels.add(got), s.expectedIndex(want)
	if list := r.Decisions(); len(list) > 1 {
		for _, j := range list {
			t.turns = append(t.turns, s.labels.add(j.Expected.Primary()), s.labels.add(j.Actual), codeOf(j.Verdict))
		}
	}
	t.outcome.Predicted = s.labels.interned(r.Predicted)
	t.outcome.Verdict = knownVerdict(t.outcome.Verdict)
	if r.Error != nil {
		t.error = s.errors.add(string(r.Error.Kind))
	}
	s.updateCase(t, r)
	s.trials = append(s.trials, t)
	return nil
}

// updateCase updates the data of a case. The result does not depend on the order of the trials.
func (s *suite) updateCase(t trial, r eval.Result) {
	if t.caseIndex == len(s.caseInfos) {
		s.caseInfos = append(s.caseInfos, caseInfo{best: -1})
	}
	a := &s.caseInfos[t.caseIndex]
	answered := 0
	for _, turn := range r.Turns {
		if turn.Answered {
			answered++
		}
	}
	if a.best < 0 {
		for _, tag := range r.Tags {
			a.tags = append(a.tags, s.tags.add(tag))
		}
	}
	a.turns = max(a.turns, len(r.Turns))
	if a.best >= 0 && !s.isBetter(t, answered, *a) {
		return
	}
	a.best, a.answered = len(s.trials), answered
	a.text, a.whole = r.Text, len(r.Turns) <= 1 && len([]rune(r.Text)) < eval.MaxText
}

// isBetter reports whether a trial represents its case better than the best one so far. Trials with
// more answered turns are better, then lower conditions and epochs.
func (s *suite) isBetter(t trial, answered int, a caseInfo) bool {
	best := s.trials[a.best]
	return cmp.Or(cmp.Compare(a.answered, answered), cmp.Compare(t.condition, best.condition),
		cmp.Compare(t.epoch, best.epoch)) < 0
}

// confidence returns the confidence of the deciding model in the scored turn, in percent; −1 if
// there is none.
func confidence(r eval.Result) int {
	turn := len(r.Turns)
	if d, ok := r.Decision(); ok {
		turn = d.Turn
	}
	if turn < 1 || turn > len(r.Turns) {
		return -1
	}
	if o := r.Turns[turn-1].ModelDecision; o != nil && o.Confidence != nil {
		return int(math.Round(*o.Confidence * 100))
	}
	return -1
}

func knownVerdict(v eval.Verdict) eval.Verdict {
	switch v {
	case eval.Pass:
		return eval.Pass
	case eval.Fail:
		return eval.Fail
	}
	return eval.Unscored
}
