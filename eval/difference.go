package eval

// Difference compares the variant Variant with the variant ComparedWith under the same fault. It
// covers the cases that have a score in both. All epochs of a case count as one case.
type Difference struct {
	Variant      string          `json:"variant"`       // the compared variant
	ComparedWith string          `json:"compared_with"` // the variant that Variant is compared with
	Fault        string          `json:"fault"`         // fault in both variants, or NoFault
	State        ComparisonState `json:"state"`
	Cases        int64           `json:"cases"`    // number of cases that are scored in both variants
	Unpaired     int64           `json:"unpaired"` // number of cases that are scored in only one of the two variants

	BothCorrect int64 `json:"both_correct"` // number of cases that are correct in both variants, in every epoch
	Fixed       int64 `json:"fixed"`        // cases that Variant answers correctly in more epochs than ComparedWith
	Broken      int64 `json:"broken"`       // cases that Variant answers correctly in fewer epochs than ComparedWith
	// cases that both variants answer correctly in equally many epochs, but not in all
	BothWrong int64 `json:"both_wrong"`

	// mean of the squared per-case differences, if the run has several epochs; nil: it equals the
	// share of cases that differ
	MeanSquaredDifference *float64 `json:"mean_squared_difference,omitempty"`

	// IndependentDiscordance is the spread that the per-case differences would have if both
	// variants made independent errors. The accuracy difference stays the same. It is computed from
	// the results and not stored. nil: no case was scored in both variants.
	IndependentDiscordance *Discordance `json:"-"`

	// IDs of some fixed cases: the largest changes first, then by ID
	FixedCases  []string `json:"fixed_cases,omitempty"`
	BrokenCases []string `json:"broken_cases,omitempty"`

	// tags whose cases are significantly better or worse than in ComparedWith (Holm over all tags);
	// filled only if the difference over all cases is not significant
	SignificantTags []TagDifference `json:"significant_tags,omitempty"`

	Accuracy Contrast `json:"accuracy"` // accuracy of Variant minus accuracy of ComparedWith, as a fraction
	MacroF1  Contrast `json:"macro_f1"` // macro-F1 of Variant minus macro-F1 of ComparedWith
	// value of Variant divided by value of ComparedWith, for cost.total_usd, latency.p50,
	// latency.p95
	Ratios map[string]Contrast `json:"ratios,omitempty"`
	// value of Variant minus value of ComparedWith, by metric; contains the retrieval metrics
	Metrics map[string]Contrast `json:"metrics,omitempty"`
	// number of comparisons in the Holm family that adjusts the p-value, including this one
	FamilySize int64 `json:"family_size,omitempty"`
	// accuracy difference that these cases detect with 80 % power, at the first (strictest) step of
	// the Holm procedure
	MinDetectableDifference *float64 `json:"min_detectable_difference,omitempty"`

	// minimum detectable difference if it comes from few cases that change in all epochs; nil with
	// one epoch
	MinDetectableDifferenceAllEpochs *float64 `json:"min_detectable_difference_all_epochs,omitempty"`
}

// TagDifference compares two variants over the cases that have one tag.
type TagDifference struct {
	Tag   string          `json:"tag"`
	State ComparisonState `json:"state"` // Better or Worse; other tags are not listed
	Cases int64           `json:"cases"` // number of compared cases with the tag
	// accuracy difference of the two variants over these cases, as a fraction
	Accuracy   Contrast `json:"accuracy"`
	FamilySize int64    `json:"family_size"` // number of tags that were tested together, for the Holm adjustment
}

// Discordance measures how much the results of two variants differ from case to case. Power
// calculations need it.
type Discordance struct {
	DifferingCases int64   // number of cases with different results
	MeanSquare     float64 // mean of the squared per-case differences
}

// Contrast is the difference or the ratio of two measured values, with its 95 % interval.
type Contrast struct {
	Value *float64 `json:"value"`        // the difference or ratio; nil: unknown
	Lo    *float64 `json:"lo,omitempty"` // lower end of the interval; nil: no interval
	Hi    *float64 `json:"hi,omitempty"` // upper end of the interval; nil: no interval
	P     *float64 `json:"p,omitempty"`  // two-sided mid-p value of the hypothesis that there is no difference
	// the p-value after the Holm adjustment for all comparisons of its family
	AdjustedP *float64 `json:"p_holm,omitempty"`
	N         int64    `json:"n"` // number of cases that were compared
}

// ComparisonState is the conclusion of comparing two variants or two runs: identical, better,
// worse, or no significant difference.
type ComparisonState string

const (
	InsufficientData ComparisonState = "" // no conclusion: more than half of the cases are unscored
	// both predict the same label in every case (of two runs: in every case that both scored)
	Identical      ComparisonState = "identical"
	NotSignificant ComparisonState = "not_significant" // the difference is not statistically significant
	// significantly better: the Holm-adjusted p-value is at most 0.05
	Better ComparisonState = "better"
	Worse  ComparisonState = "worse"
)

// FaultOutcome counts what a fault did to the trials of a variant. Each trial is compared with the
// trial of the same case and epoch without the fault. A trial with several effects counts once,
// under the most severe.
type FaultOutcome struct {
	Variant string `json:"variant"`
	Fault   string `json:"fault"`
	Trials  int64  `json:"trials"` // number of trials that ran both with and without the fault
	Scored  int64  `json:"scored"` // number of trials that are scored both with and without the fault
	// trials without an answer under the fault, or unscored under the fault but scored without it
	NowUnscored   int64 `json:"now_unscored"`
	NowErrorReply int64 `json:"now_error_reply"` // trials with an error reply under the fault, but not without it
	NowWrong      int64 `json:"now_wrong"`       // trials that are wrong under the fault, but correct without it
	// trials whose predicted label differs from the label without the fault
	LabelChanged  int64 `json:"label_changed"`
	MoreFallbacks int64 `json:"more_fallbacks"` // trials with more fallbacks than without the fault
	Unchanged     int64 `json:"unchanged"`      // trials with none of these effects
	Fixed         int64 `json:"fixed"`          // of all Trials: wrong without the fault, correct with it
	// of all Trials: correct without the fault, wrong with it
	Broken int64 `json:"broken"`
}

// Degraded returns how many trials became unscored, wrong, or error replies because of the fault.
func (f FaultOutcome) Degraded() int64 { return f.NowUnscored + f.NowErrorReply + f.NowWrong }
