package pack

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"evalctl/eval"
	"evalctl/eval/compare"
)

// DefaultBudget is how many bytes the file may have.
const DefaultBudget = 3_000_000

// Options say what stands around the data.
type Options struct {
	Dir     string // of the run, for commands; "": nowhere
	Earlier string // the run that it is held against; "": none
	Live    string // where a server has what the file has not; "": nowhere
	Budget  int64  // bytes of the file; 0: DefaultBudget
}

// Source has single trials with what happened in them. An error is told and leaves the
// trial without its trace.
type Source interface {
	Trial(key string) (eval.Result, error)
}

// Packer collects the results of a run. What it keeps of each are a few numbers.
type Packer struct {
	options Options
	suites  []*suite
	places  map[string]int
	trials  int64
	many    int64 // more trials have brief columns
}

// New makes ready for the results of a run. Of the summary it takes the cells.
func New(sum eval.Summary, o Options) *Packer {
	o.Budget = cmp.Or(o.Budget, DefaultBudget)
	p := &Packer{options: o, places: map[string]int{}, many: manyTrials}
	for _, s := range sum.Suites {
		p.places[s.Name] = len(p.suites)
		p.suites = append(p.suites, newSuite(s))
	}
	return p
}

// Add takes a result of the run, each trial's once, in any order.
func (p *Packer) Add(r eval.Result) error {
	at, ok := p.places[r.Suite]
	if !ok {
		return fmt.Errorf("pack the cases: suite %.60q is not in the summary", r.Suite)
	}
	p.trials++
	return p.suites[at].add(r)
}

// AddBaseline takes a result of the run that this one is held against.
func (p *Packer) AddBaseline(r eval.Result) {
	if at, ok := p.places[r.Suite]; ok {
		p.suites[at].addEarlier(r)
	}
}

// suite collects one.
type suite struct {
	head       Suite
	conditions map[Condition]int
	trials     []trial
	cases      names // in the order in which they come; so all others
	labels     names
	expect     names   // sets of labels
	wants      [][]int // those sets, in labels
	source     names
	codes      names // of apologies
	errors     names // kinds
	tags       names
	of         []about             // each case
	grid       []int32             // trials by cell, case and epoch, once all are known; −1: not played
	before     map[place][]verdict // of the earlier run
}

// about is what is known of a case.
type about struct {
	turns    int
	tags     []int
	text     string // of one turn
	whole    bool   // the text is all that is said
	best     int    // trial of the most answered turns
	key      string // of that, once all are known
	answered int
}

// trial is what lists and tiers need of a result; −1 is not known.
type trial struct {
	of, condition, epoch int
	key                  string
	got, served, source  int
	want                 int
	failure, error       int
	confidence, duration int
	fate, tier           int // once all are known
	failing              bool
	turns                []int // of several labelled ones, as in Columns
	ending               compare.Outcome
}

// turnFields are how many numbers a turn has among those of a trial.
const turnFields = 3

func newSuite(s eval.SuiteSummary) *suite {
	n := &suite{conditions: map[Condition]int{}, before: map[place][]verdict{}}
	n.head = Suite{Name: s.Name, Target: s.Target, Against: s.BaselineVariant, Epochs: max(1, s.Epochs)}
	for _, c := range s.Conditions {
		condition := Condition{Variant: c.Name, Fault: cmp.Or(c.Fault, eval.NoFault)}
		n.conditions[condition] = len(n.head.Conditions)
		condition.BaselineModel = c.BaselineModel
		n.head.Conditions = append(n.head.Conditions, condition)
	}
	if n.head.Against == "" && len(n.head.Conditions) > 0 {
		n.head.Against = n.head.Conditions[0].Variant
	}
	return n
}

func conditionOf(r eval.Result) Condition {
	return Condition{Variant: r.Variant, Fault: cmp.Or(r.Fault, eval.NoFault)}
}

func (s *suite) add(r eval.Result) error {
	condition, ok := s.conditions[conditionOf(r)]
	if !ok || r.Epoch < 1 || r.Epoch > s.head.Epochs {
		return fmt.Errorf("pack the cases: suite %.60q has no variant %.60q with fault %.60q in epoch %d", r.Suite, r.Variant, r.Fault, r.Epoch)
	}
	if r.Case == "" {
		return fmt.Errorf("pack the cases: a result of suite %.60q names no case", r.Suite)
	}
	t := trial{of: s.cases.number(r.Case), condition: condition, epoch: r.Epoch, key: r.Key, ending: compare.EndingOf(r), failing: r.IsFailing(),
		served: s.labels.number(r.AnsweredBy), source: s.source.number(r.DecidedBy), failure: s.codes.number(r.ErrorReply), error: -1,
		confidence: confidence(r), duration: int(time.Duration(r.Duration).Microseconds())}
	want, got := r.Expected, r.Predicted
	if d, labeled := r.Decision(); labeled {
		want, got = d.Expected, d.Actual
	}
	t.got, t.want = s.labels.number(got), s.wanted(want)
	if list := r.Decisions(); len(list) > 1 {
		for _, j := range list {
			t.turns = append(t.turns, s.labels.number(j.Expected.Primary()), s.labels.number(j.Actual), codeOf(j.Verdict))
		}
	}
	t.ending.Predicted = s.labels.kept(r.Predicted)
	t.ending.Verdict = kept(t.ending.Verdict)
	if r.Error != nil {
		t.error = s.errors.number(string(r.Error.Kind))
	}
	s.describe(t, r)
	s.trials = append(s.trials, t)
	return nil
}

// describe keeps of the case what this trial knows best, whatever the order.
func (s *suite) describe(t trial, r eval.Result) {
	if t.of == len(s.of) {
		s.of = append(s.of, about{best: -1})
	}
	a := &s.of[t.of]
	answered := 0
	for _, turn := range r.Turns {
		if turn.Answered {
			answered++
		}
	}
	if a.best < 0 {
		for _, tag := range r.Tags {
			a.tags = append(a.tags, s.tags.number(tag))
		}
	}
	a.turns = max(a.turns, len(r.Turns))
	if a.best >= 0 && !s.isBetter(t, answered, *a) {
		return
	}
	a.best, a.answered = len(s.trials), answered
	a.text, a.whole = r.Text, len(r.Turns) <= 1 && len([]rune(r.Text)) < eval.MaxText
}

// isBetter tells a trial that shows more of its case than the best so far: the first
// of those that answer the most turns.
func (s *suite) isBetter(t trial, answered int, a about) bool {
	best := s.trials[a.best]
	return cmp.Or(cmp.Compare(a.answered, answered), cmp.Compare(t.condition, best.condition), cmp.Compare(t.epoch, best.epoch)) < 0
}

// confidence is what the deciding model of the judged turn stated, in percent.
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

func kept(v eval.Verdict) eval.Verdict {
	switch v {
	case eval.Pass:
		return eval.Pass
	case eval.Fail:
		return eval.Fail
	}
	return eval.Unscored
}
