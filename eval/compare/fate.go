package compare

import "evalctl/eval"

// Outcome is of a trial all that its fate under a fault is told by.
type Outcome struct {
	Errs       bool // it has no answer
	ErrorReply bool
	Verdict    eval.Verdict // of the decision; not of what was correct under the fault, which may speak of who served
	Predicted  string
	Fallbacks  int
}

// EndingOf is how a trial ended.
func EndingOf(r eval.Result) Outcome {
	d, _ := r.Decision()
	return Outcome{Errs: r.Error != nil, ErrorReply: r.ErrorReply != "", Verdict: d.Verdict, Predicted: r.Predicted, Fallbacks: len(r.Fallbacks)}
}

// Change is what became of a trial under a fault.
type Change int

// What becomes of a trial, the first that fits from the last to the first.
const (
	Unchanged     Change = iota
	MoreFallbacks        // down to a fallback more
	LabelChanged         // another label, that is no worse
	NowWrong             // that was right
	NowErrorReply        // in place of an answer
	NowUnscored          // and was not so
)

// ChangeUnder is what becomes of a trial that ends so without a fault, and as now with one.
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

// count adds what became of a trial under a fault: before is the same case and
// epoch without it.
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
