package finding

import "evalctl/eval"

// Cases selects the cases behind a part of a sentence, with the parameters of a report's URLs.
// Empty fields select nothing.
type Cases struct {
	Variant, Fault      string // Fault "": without a fault
	Expected, Got       string // labels
	Result, Change, Tag string
}

// The values of Result and Change.
const (
	wrongCases      = "wrong"
	unscoredCases   = "unscored"
	errorReplies    = "error_reply"
	degradedCases   = "degraded"
	fixedByVariant  = "fixed"
	brokenByVariant = "broken"
	newPassCases    = "new_pass"
	newFailureCases = "new_failure"
)

// linkCases links the last parts to cases.
func (s *Sentence) linkCases(cases Cases, latest int) {
	if cases.Fault == eval.NoFault {
		cases.Fault = ""
	}
	for i := range s.Parts[len(s.Parts)-latest:] {
		s.Parts[len(s.Parts)-1-i].Cases = &cases
	}
}
