package compare

import "evalctl/eval"

// count adds what became of a trial under a fault: before is the same case and
// epoch without it.
func count(f *eval.Fate, before, now eval.Result) {
	f.Trials++
	was, is := verdict(before), verdict(now)
	if was == eval.Fail && is == eval.Pass {
		f.Mended++
	}
	if was == eval.Pass && is == eval.Fail {
		f.Lost++
	}
	switch {
	case now.Error != nil:
		f.Unjudged++
	case now.Failure != "" && before.Failure == "":
		f.Apology++
	case is == eval.Unjudged && was != eval.Unjudged:
		f.Unjudged++
	case was == eval.Pass && is == eval.Fail:
		f.Wrong++
	case now.Predicted != before.Predicted:
		f.Changed++
	case len(now.Fallbacks) > len(before.Fallbacks):
		f.Stepped++
	default:
		f.Same++
	}
}

// verdict is of the decision; not of what was correct under the fault, which may
// speak of who served.
func verdict(r eval.Result) eval.Verdict {
	d, _ := r.Decision()
	return d.Verdict
}
