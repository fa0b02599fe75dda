package page

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"evalctl/eval"
	"evalctl/eval/compare"
)

// DefaultMaxBytes is the default maximum size of a page, in bytes.
const DefaultMaxBytes = 3_000_000

// EncodeOptions contains the settings for the data of a page.
type EncodeOptions struct {
	Dir          string // directory of the run, for the commands that the page shows; "": none
	BaselinePath string // path of the baseline run; "": none
	TraceURL     string // URL from which the page requests traces that it does not contain; "": none
	MaxBytes     int64  // maximum size of the whole page in bytes; 0: DefaultMaxBytes
}

// TrialSource reads single trials with their traces, by the key of the trial. If it returns an
// error, the page contains the trial without its trace, and a note.
type TrialSource interface {
	Trial(key string) (eval.Result, error)
}

// Packer collects the results of a run and packs them as the data of a page. It stores only a few
// numbers for each result.
type Packer struct {
	options    EncodeOptions
	suites     []*suite
	places     map[string]int
	trials     int64
	briefAbove int64 // with more trials than this, the columns are brief
}

// NewPacker returns an empty Packer. It accepts only results of conditions that the summary
// contains.
func NewPacker(sum eval.Summary, o EncodeOptions) *Packer {
	o.MaxBytes = cmp.Or(o.MaxBytes, DefaultMaxBytes)
	p := &Packer{options: o, places: map[string]int{}, briefAbove: briefColumnsAbove}
	for _, s := range sum.Suites {
		p.places[s.Name] = len(p.suites)
		p.suites = append(p.suites, newSuite(s))
	}
	return p
}

// Add adds the result of a trial. The order does not matter, but each trial must be added only
// once.
func (p *Packer) Add(r eval.Result) error {
	at, ok := p.places[r.Suite]
	if !ok {
		return fmt.Errorf("pack the cases: suite %.60q is not in the summary", r.Suite)
	}
	p.trials++
	return p.suites[at].add(r)
}

// AddBaseline adds the result of a trial of the baseline run.
func (p *Packer) AddBaseline(r eval.Result) {
	if at, ok := p.places[r.Suite]; ok {
		p.suites[at].addBaseline(r)
	}
}

// suite collects the results of one suite.
type suite struct {
	head         Suite
	conditions   map[Condition]int
	trials       []trial
	cases        names // case ids, numbered in the order of the results
	labels       names
	expect       names   // sets of expected labels
	expectedSets [][]int // labels of each set in expect, as numbers in labels
	source       names
	codes        names // codes of error replies
	errors       names // kinds of errors
	tags         names
	caseInfos    []caseInfo // one for each case
	// index of the trial for each condition, case and epoch, set by finish; −1: not run
	grid             []int32
	baselineVerdicts map[caseKey][]verdict // verdicts of the baseline run
}

// caseInfo contains data about a case that do not depend on the condition.
type caseInfo struct {
	turns    int
	tags     []int
	text     string // text of the user in the best trial
	whole    bool   // text is complete, so the trace is not needed to read it
	best     int    // index of the trial with the most answered turns, from which text is taken; −1: none yet
	key      string // key of the best trial, set by finish
	answered int
}

// trial contains the values of a result that the lists of a page need; −1 means unknown. Names are
// numbers.
type trial struct {
	caseIndex, condition, epoch   int
	key                           string
	predicted, answeredBy, source int
	expected                      int
	failure, error                int
	confidence, duration          int
	faultOutcome, tier            int // set by assignTiers
	failing                       bool
	turns                         []int // as in Columns.Turns; only with several labeled turns
	outcome                       compare.TrialState
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
		condition := Condition{Variant: c.Variant, Fault: cmp.Or(c.Fault, eval.NoFault)}
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
		outcome:    compare.TrialStateOf(r),
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

// updateCase updates the data of a case after a trial was added. The result does not depend on the
// order of the trials.
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
	a.text, a.whole = r.Text, len(r.Turns) <= 1 && len([]rune(r.Text)) < eval.MaxTextChars
}

// isBetter reports whether a trial represents its case better than the best one so far: it has more
// answered turns or, if equal, a lower condition or epoch.
func (s *suite) isBetter(t trial, answered int, a caseInfo) bool {
	best := s.trials[a.best]
	return cmp.Or(cmp.Compare(a.answered, answered), cmp.Compare(t.condition, best.condition),
		cmp.Compare(t.epoch, best.epoch)) < 0
}

// confidence returns the confidence of the model that decided in the scored turn, in percent; −1 if
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
