package compare

import "evalctl/eval"

// Outcome has the parts of a trial that determine its change under a fault.
type Outcome struct {
	Errs       bool // has no answer
	ErrorReply bool
	// of the decision; not the fault.correct score, which may be about the component that answered
	Verdict   eval.Verdict
	Predicted string
	Fallbacks int
}

// OutcomeOf returns how a trial ended.
func OutcomeOf(r eval.Result) Outcome {
	d, _ := r.Decision()
	return Outcome{
		Errs:       r.Error != nil,
		ErrorReply: r.ErrorReply != "",
		Verdict:    d.Verdict,
		Predicted:  r.Predicted,
		Fallbacks:  len(r.Fallbacks),
	}
}

// Change is the effect of a fault on a trial.
type Change int

// The effects. ChangeUnder defines which one counts if several apply.
const (
	Unchanged     Change = iota
	MoreFallbacks        // more fallbacks than before
	LabelChanged         // another label that is not worse
	NowWrong             // was right
	NowErrorReply        // instead of an answer
	NowUnscored          // was scored
)

// ChangeUnder returns the effect of a fault on a trial that ends as before without the fault and as
// now with it.
func (before Outcome) ChangeUnder(now Outcome) Change {
	switch {
	case now.Errs:
		return NowUnscored
	case now.ErrorReply && !before.ErrorReply:
		return NowErrorReply
	case now.Verdict == eval.Unscored && before.Verdict != eval.Unscored:
		return NowUnscored
	case before.Verdict == eval.Pass && now.Verdict == eval.Fail:
		return NowWrong
	case now.Predicted != before.Predicted:
		return LabelChanged
	case now.Fallbacks > before.Fallbacks:
		return MoreFallbacks
	}
	return Unchanged
}

// count adds the effect on a trial; before is the same case and epoch without the fault.
func count(f *eval.FaultOutcome, before, now Outcome) {
	f.Trials++
	if before.Verdict != eval.Unscored && now.Verdict != eval.Unscored {
		f.Scored++
	}
	if before.Verdict == eval.Fail && now.Verdict == eval.Pass {
		f.Fixed++
	}
	if before.Verdict == eval.Pass && now.Verdict == eval.Fail {
		f.Broken++
	}
	switch before.ChangeUnder(now) {
	case NowUnscored:
		f.NowUnscored++
	case NowErrorReply:
		f.NowErrorReply++
	case NowWrong:
		f.NowWrong++
	case LabelChanged:
		f.LabelChanged++
	case MoreFallbacks:
		f.MoreFallbacks++
	default:
		f.Unchanged++
	}
}
