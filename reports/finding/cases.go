package finding

import "evalctl/eval"

// CaseFilter is a filter that selects the cases which a part of a sentence is about. An HTML page
// uses it as the target of a link. An empty field selects all cases.
type CaseFilter struct {
	Variant, Fault      string // Fault "": only trials without a fault
	Expected, Predicted string // expected and predicted label
	Result, Change, Tag string // result of a trial, change of its result, tag of the case
}

// Values of the fields Result and Change of [CaseFilter].
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

// linkCases links the last parts of the sentence to the cases that they are about; latest is the
// number of these parts.
func (s *Sentence) linkCases(cases CaseFilter, latest int) {
	if cases.Fault == eval.NoFault {
		cases.Fault = ""
	}
	for i := range s.Parts[len(s.Parts)-latest:] {
		s.Parts[len(s.Parts)-1-i].Link = &cases
	}
}
