package compare

import "evalctl/eval"

// Ending is of a trial all that its fate under a fault is told by.
type Ending struct {
	Errs      bool // it has no answer
	Apology   bool
	Verdict   eval.Verdict // of the decision; not of what was correct under the fault, which may speak of who served
	Predicted string
	Fallbacks int
}

// EndingOf is how a trial ended.
func EndingOf(r eval.Result) Ending {
	d, _ := r.Decision()
	return Ending{Errs: r.Error != nil, Apology: r.Failure != "", Verdict: d.Verdict, Predicted: r.Predicted, Fallbacks: len(r.Fallbacks)}
}

// Became is what became of a trial under a fault.
type Became int

// What becomes of a trial, the first that fits from the last to the first.
const (
	Same     Became = iota
	Stepped         // down to a fallback more
	Changed         // another label, that is no worse
	Wrong           // that was right
	Apology         // in place of an answer
	Unjudged        // and was not so
)

// Under is what becomes of a trial that ends so without a fault, and as now with one.
func (before Ending) Under(now Ending) Became {
	switch {
	case now.Errs:
		return Unjudged
	case now.Apology && !before.Apology:
		return Apology
	case now.Verdict == eval.Unjudged && before.Verdict != eval.Unjudged:
		return Unjudged
	case before.Verdict == eval.Pass && now.Verdict == eval.Fail:
		return Wrong
	case now.Predicted != before.Predicted:
		return Changed
	case now.Fallbacks > before.Fallbacks:
		return Stepped
	}
	return Same
}

// count adds what became of a trial under a fault: before is the same case and
// epoch without it.
func count(f *eval.Fate, before, now Ending) {
	f.Trials++
	if before.Verdict != eval.Unjudged && now.Verdict != eval.Unjudged {
		f.Judged++
	}
	if before.Verdict == eval.Fail && now.Verdict == eval.Pass {
		f.Mended++
	}
	if before.Verdict == eval.Pass && now.Verdict == eval.Fail {
		f.Lost++
	}
	switch before.Under(now) {
	case Unjudged:
		f.Unjudged++
	case Apology:
		f.Apology++
	case Wrong:
		f.Wrong++
	case Changed:
		f.Changed++
	case Stepped:
		f.Stepped++
	default:
		f.Same++
	}
}
