package eval

// Difference compares variant B with variant A under the same fault, over the cases that have a
// score in both. The epochs of a case count as one.
type Difference struct {
	Variant      string `json:"variant"`       // B
	ComparedWith string `json:"compared_with"` // A
	Fault        string `json:"fault"`
	State        State  `json:"state"`
	Cases        int64  `json:"cases"`    // scored in both
	Unpaired     int64  `json:"unpaired"` // cases that only one of them has scored

	BothCorrect int64 `json:"both_correct"` // cases correct in both, in every epoch
	Fixed       int64 `json:"fixed"`        // cases that B has correct in more epochs
	Broken      int64 `json:"broken"`       // cases that A has correct in more epochs
	BothWrong   int64 `json:"both_wrong"`   // cases correct in equally many epochs, but not in all

	// mean square of the per-case differences, with several epochs; nil: it is the share of
	// differing cases
	MeanSquaredDifference *float64 `json:"mean_squared_difference,omitempty"`

	// Independent is the expected spread between the cases for independent errors of A and B with
	// the same accuracy difference. It is computed from the results and not stored. nil: no case
	// was scored in both.
	Independent *Spread `json:"-"`

	FixedCases  []string `json:"fixed_cases,omitempty"` // some of them: the largest changes first, then by ID
	BrokenCases []string `json:"broken_cases,omitempty"`

	// tags whose cases are significantly better or worse (Holm over all tags), if the difference
	// over all cases is not significant
	SignificantTags []TagDifference `json:"significant_tags,omitempty"`

	Accuracy Contrast `json:"accuracy"` // B − A, a fraction
	MacroF1  Contrast `json:"macro_f1"` // B − A
	// B / A, by metric: cost.total_usd, latency.p50, latency.p95
	Ratios map[string]Contrast `json:"ratios,omitempty"`
	// B − A, by retrieval metric: retrieval.recall_at_5, retrieval.mrr
	Metrics map[string]Contrast `json:"metrics,omitempty"`
	// number of comparisons in the Holm family, including this one
	FamilySize int64 `json:"family_size,omitempty"`
	// accuracy difference that these cases detect with 80 % power, at the first Holm step
	MinDetectableDifference *float64 `json:"min_detectable_difference,omitempty"`

	// the same if few cases fail in all of their epochs; nil with one epoch, which
	// MinDetectableDifference covers
	MinDetectableDifferenceAllEpochs *float64 `json:"min_detectable_difference_all_epochs,omitempty"`
}

// TagDifference compares B with A over the cases with one tag.
type TagDifference struct {
	Tag        string   `json:"tag"`
	State      State    `json:"state"` // Better or Worse
	Cases      int64    `json:"cases"`
	Accuracy   Contrast `json:"accuracy"`
	FamilySize int64    `json:"family_size"` // number of tags tested together
}

// Spread measures how much the cases of two variants differ.
type Spread struct {
	Differing int64
	Square    float64 // mean square of the per-case differences
}

// Contrast is a difference or a ratio of two values, with its 95 % interval.
type Contrast struct {
	Value *float64 `json:"value"`
	Lo    *float64 `json:"lo,omitempty"`
	Hi    *float64 `json:"hi,omitempty"`
	P     *float64 `json:"p,omitempty"`      // two-sided mid-p value of no difference
	HolmP *float64 `json:"p_holm,omitempty"` // p-value with the Holm adjustment for its family
	N     int64    `json:"n"`                // cases
}

// State is the result of a comparison.
type State string

const (
	InsufficientData State = "" // more than half of the cases are unscored
	// same predicted label in every case; between two runs, in every case that both scored
	Identical      State = "identical"
	NotSignificant State = "not_significant" // no significant difference
	Better         State = "better"          // the Holm-adjusted p-value is at most 0.05
	Worse          State = "worse"
)

// FaultOutcome counts the effects of a fault on a variant's trials. Each trial is compared with the
// same case and epoch without the fault. It is counted under the first effect that applies.
type FaultOutcome struct {
	Variant       string `json:"variant"`
	Fault         string `json:"fault"`
	Trials        int64  `json:"trials"`          // trials that both conditions have
	Scored        int64  `json:"scored"`          // trials that both conditions have scored
	NowUnscored   int64  `json:"now_unscored"`    // no answer now; or unscored now and scored before
	NowErrorReply int64  `json:"now_error_reply"` // error reply now, none before
	NowWrong      int64  `json:"now_wrong"`       // correct before, wrong now
	LabelChanged  int64  `json:"label_changed"`   // another label
	MoreFallbacks int64  `json:"more_fallbacks"`  // more fallbacks
	Unchanged     int64  `json:"unchanged"`
	Fixed         int64  `json:"fixed"` // over all of Trials: wrong before, correct now
	// over all of Trials: correct before, wrong now, regardless of the effect counted above
	Broken int64 `json:"broken"`
}

// Degraded returns the number of trials that the fault made unscored, wrong, or an error reply.
func (f FaultOutcome) Degraded() int64 { return f.NowUnscored + f.NowErrorReply + f.NowWrong }
