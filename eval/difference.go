package eval

// Difference is how variant B differs from variant A under the same fault,
// over the cases that both judged; the epochs of a case count as one.
type Difference struct {
	Variant      string `json:"variant"`       // B
	ComparedWith string `json:"compared_with"` // A
	Fault        string `json:"fault"`
	State        State  `json:"state"`
	Cases        int64  `json:"cases"`    // judged in both
	Unpaired     int64  `json:"unpaired"` // cases that one of them did not judge

	BothCorrect int64 `json:"both_correct"` // cases that both have right, in every epoch
	Fixed       int64 `json:"fixed"`        // that B has right more often
	Broken      int64 `json:"broken"`       // that A has right more often
	BothWrong   int64 `json:"both_wrong"`   // that both have equally often right, and not always

	MeanSquaredDifference *float64 `json:"mean_squared_difference,omitempty"` // of what cases differ by, where that is not the share of those that differ: of several epochs

	// Independent is how much the cases would differ if the errors of A and B were
	// independent, with the same difference. It is computed from the results and not
	// stored. nil: no case was judged in both.
	Independent *Spread `json:"-"`

	FixedCases  []string `json:"fixed_cases,omitempty"` // some: the largest changes first, equal ones in the order of their ids
	BrokenCases []string `json:"broken_cases,omitempty"`

	SignificantTags []TagDifference `json:"significant_tags,omitempty"` // tags over whose cases B is significantly better or worse (Holm over all tags), where the whole is not

	Accuracy                Contrast            `json:"accuracy"`                            // B − A, a fraction
	MacroF1                 Contrast            `json:"macro_f1"`                            // B − A
	Ratios                  map[string]Contrast `json:"ratios,omitempty"`                    // B / A, by metric: cost.total_usd, latency.p50, latency.p95
	Metrics                 map[string]Contrast `json:"metrics,omitempty"`                   // B − A, of what is found: retrieval.recall_at_5, retrieval.mrr
	FamilySize              int64               `json:"family_size,omitempty"`               // how many comparisons are tested together, this one included: Holm's p allows for them
	MinDetectableDifference *float64            `json:"min_detectable_difference,omitempty"` // the least difference of accuracy that this pair, over so many cases, shows in 80 of 100 runs: at Holm's first step, 5 % shared by the family

	MinDetectableDifferenceAllEpochs *float64 `json:"min_detectable_difference_all_epochs,omitempty"` // the same if few cases lose all of their epochs; nil: with one epoch, Detectable is
}

// TagDifference is how B differs from A over the cases with one tag.
type TagDifference struct {
	Tag        string   `json:"tag"`
	State      State    `json:"state"` // Better or Worse
	Cases      int64    `json:"cases"`
	Accuracy   Contrast `json:"accuracy"`
	FamilySize int64    `json:"family_size"` // tags that were tested together
}

// Spread is how much the cases of two variants differ.
type Spread struct {
	Differing int64
	Square    float64 // mean square of what cases differ by
}

// Contrast is a difference or a ratio of two values, with its 95 % interval.
type Contrast struct {
	Value *float64 `json:"value"`
	Lo    *float64 `json:"lo,omitempty"`
	Hi    *float64 `json:"hi,omitempty"`
	P     *float64 `json:"p,omitempty"`      // two-sided mid-p of no difference
	HolmP *float64 `json:"p_holm,omitempty"` // the same, adjusted for its family
	N     int64    `json:"n"`                // cases
}

// State is what a comparison came to.
type State string

const (
	InsufficientData State = ""                // too little was judged: of more than half of the cases, nothing
	Identical        State = "identical"       // the same labels were predicted in every case; of two runs, in every case that both judged
	NotSignificant   State = "not_significant" // no significant difference
	Better           State = "better"          // proven: Holm's adjusted p is at most 0.05
	Worse            State = "worse"
)

// FaultOutcome counts what a fault does to a variant's trials, each held against the
// same case and epoch without the fault; the first that fits counts.
type FaultOutcome struct {
	Variant       string `json:"variant"`
	Fault         string `json:"fault"`
	Trials        int64  `json:"trials"`          // that both cells have
	Scored        int64  `json:"scored"`          // of those, that have a verdict in both
	NowUnscored   int64  `json:"now_unscored"`    // there is no answer; or no verdict, and there was one
	NowErrorReply int64  `json:"now_error_reply"` // an apology now, and none before
	NowWrong      int64  `json:"now_wrong"`       // right before, wrong now
	LabelChanged  int64  `json:"label_changed"`   // another label
	MoreFallbacks int64  `json:"more_fallbacks"`  // more fallbacks
	Unchanged     int64  `json:"unchanged"`
	Fixed         int64  `json:"fixed"`  // of all of them: wrong before, right now
	Broken        int64  `json:"broken"` // of all of them: right before, wrong now, whatever the answer
}

// Degraded is how many trials the fault cost something.
func (f FaultOutcome) Degraded() int64 { return f.NowUnscored + f.NowErrorReply + f.NowWrong }
