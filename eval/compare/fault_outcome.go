package compare

import "evalctl/eval"

// TrialState contains the properties of a trial that show what a fault changed.
type TrialState struct {
	HasError   bool // the trial has no answer because of an error
	ErrorReply bool // the answer of some turn is an error reply
	// verdict on the decision, which is the first decision score; the score fault.correct is
	// ignored
	Verdict   eval.Verdict
	Predicted string // label that was predicted
	Fallbacks int    // number of fallbacks
}

// TrialStateOf returns the [TrialState] of a trial.
func TrialStateOf(r eval.Result) TrialState {
	d, _ := r.Decision()
	return TrialState{
		HasError:   r.Error != nil,
		ErrorReply: r.HasErrorReply(),
		Verdict:    d.Verdict,
		Predicted:  r.Predicted,
		Fallbacks:  len(r.Fallbacks),
	}
}

// FaultEffect is the effect of a fault on a trial, compared with the same trial without the fault.
type FaultEffect int

// The effects of a fault, the mildest first. A trial with several effects counts under one of them:
// see [Outcome.EffectUnder].
const (
	Unchanged     FaultEffect = iota // the fault had none of the effects below
	MoreFallbacks                    // the trial has more fallbacks than without the fault
	LabelChanged                     // the predicted label differs, but no correct decision became wrong
	NowWrong                         // the decision was correct without the fault and is wrong with it
	NowErrorReply                    // an answer became an error reply
	NowUnscored                      // the trial has no answer because of an error, or is unscored only with the fault
)

// FaultEffect returns the effect of a fault on a trial. before is the outcome without the fault,
// now the outcome with it.
func (before TrialState) FaultEffect(now TrialState) FaultEffect {
	switch {
	case now.HasError:
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

// count adds the effect on one trial to f. before is the outcome of the same case and epoch without
// the fault.
func count(f *eval.FaultOutcome, before, now TrialState) {
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
	switch before.FaultEffect(now) {
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
