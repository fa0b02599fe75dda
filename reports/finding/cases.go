package finding

import "evalctl/eval"

// Cases say which of a suite's cases a part of a sentence stands for, in the words
// of a report's addresses. What is empty does not choose.
type Cases struct {
	Variant, Fault      string // Fault "": without
	Expected, Got       string // labels
	Result, Change, Tag string
}

// The results and changes that sentences speak of.
const (
	wrongCases    = "wrong"
	unscoredCases = "unscored"
	errorReplies  = "error_reply"
	hurtCases     = "degraded"
	gainedCases   = "fixed"
	lostCases     = "broken"
	fixedCases    = "new_pass"
	brokenCases   = "new_failure"
)

// of says which cases the latest parts stand for.
func (s *Sentence) of(cases Cases, latest int) {
	if cases.Fault == eval.NoFault {
		cases.Fault = ""
	}
	for i := range s.Parts[len(s.Parts)-latest:] {
		s.Parts[len(s.Parts)-1-i].Cases = &cases
	}
}
