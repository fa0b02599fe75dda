package finding

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// Sentence is a finding as text. Its parts have roles, so that reports can emphasize names and add
// links.
type Sentence struct {
	Kind  Kind // topic
	Parts []SentencePart
}

// Kind is the topic of a sentence, such as the most accurate variant or the worst fault.
type Kind string

// Topics, in the order in which [Findings] returns the sentences.
const (
	KindBaselineChange     Kind = "before"     // changes since the baseline run
	KindUnscored           Kind = "unscored"   // too many unscored trials
	KindContractViolation  Kind = "breach"     // invalid event streams or user interface components
	KindCachedAnswers      Kind = "cached"     // calls that were answered from the response cache
	KindAnswersInvalid     Kind = "replaced"   // something else decided, because model answers were invalid or missing
	KindMostAccurate       Kind = "winner"     // the most accurate variant
	KindPromptsNotRead     Kind = "prompts"    // prompts that no simulated model reads
	KindTagDifference      Kind = "tags"       // significant differences in a tag, but not overall
	KindAnswersNotUsed     Kind = "deferred"   // something else decided, although the model answers were valid
	KindBaselineModel      Kind = "baseline"   // variants that are not better than a baseline model
	KindRetrieval          Kind = "retrieval"  // the variant with the highest recall
	KindTopConfusion       Kind = "mistake"    // the most frequent confusion
	KindLabelsWithoutCases Kind = "support"    // labels that macro-F1 leaves out because no case expects them
	KindInvalidLabels      Kind = "no_label"   // invalid labels among the wrong answers
	KindEpisode            Kind = "episode"    // episodes with several decisions
	KindCorrection         Kind = "correction" // corrected decisions of a supervisor
	KindDeliveredImages    Kind = "delivered"  // share of good images, from the first attempts to the delivered ones
	KindCritic             Kind = "critic"     // bad images that critics accept
	KindWorstFault         Kind = "fault"      // the most harmful fault
	KindBatch              Kind = "batch"      // replies that answer several messages
	KindCost               Kind = "cost"       // the most expensive variant
	KindSlowestFault       Kind = "slow"       // the slowest fault
	KindOverconfident      Kind = "too_sure"   // models whose confidence is higher than their accuracy
)

// WithSuites returns the sentence with the names of the suites in front, for a report of several
// suites.
func (s Sentence) WithSuites(suites []string) Sentence {
	var out Sentence
	out.Kind = s.Kind
	shown := suites[:min(len(suites), 3)]
	for i, name := range shown {
		if i > 0 {
			out.add(", ")
		}
		out.addName(name)
	}
	if more := int64(len(suites) - len(shown)); more > 0 {
		out.add(" and " + metric.FormatInteger(more) + " more")
	}
	out.add(": ")
	out.Parts = append(out.Parts, s.Parts...)
	return out
}

// SentencePart is a piece of a sentence: words or a name.
type SentencePart struct {
	Text string
	Role PartRole
	Link *CaseFilter // link target; nil: none. Adjacent parts with the same target form one link
}

// PartRole is the kind of text in a part of a sentence. It decides how and where reports show the
// part.
type PartRole int

const (
	PlainWords  PartRole = iota // words of the sentence
	VariantName                 // name of a variant, which can contain any characters
	OtherName                   // name of a label, fault or component, which can contain any characters
	// words that are shown only if the sentence is not next to a table with the same numbers
	WithoutTableOnly
	// words that are shown only if the sentence is next to a table with the same numbers
	WithTableOnly
)

// ShownParts returns the parts of the sentence to show. With nextToTable, it omits details that the
// table contains.
func (s Sentence) ShownParts(nextToTable bool) []SentencePart {
	out := WithTableOnly
	if nextToTable {
		out = WithoutTableOnly
	}
	return slices.DeleteFunc(slices.Clone(s.Parts), func(p SentencePart) bool { return p.Role == out })
}

// add adds words to the sentence. Names must be added with addName or addVariants.
func (s *Sentence) add(text string) { s.Parts = append(s.Parts, SentencePart{Text: text}) }
func (s *Sentence) addDetail(text string) {
	s.Parts = append(s.Parts, SentencePart{Text: text, Role: WithoutTableOnly})
}
func (s *Sentence) addBrief(text string) {
	s.Parts = append(s.Parts, SentencePart{Text: text, Role: WithTableOnly})
}
func (s *Sentence) addName(text string) {
	s.Parts = append(s.Parts, SentencePart{Text: text, Role: OtherName})
}

// addVariants adds the names of variants in the form "a, b and c".
func (s *Sentence) addVariants(names ...string) { s.addList(VariantName, names, " and ") }

func (s *Sentence) addList(role PartRole, names []string, last string) {
	for i, n := range names {
		switch {
		case i > 0 && i == len(names)-1:
			s.add(last)
		case i > 0:
			s.add(", ")
		}
		s.Parts = append(s.Parts, SentencePart{Text: n, Role: role})
	}
}

// String returns the text of the sentence, with all details.
func (s Sentence) String() string {
	var b strings.Builder
	for _, p := range s.ShownParts(false) {
		b.WriteString(p.Text)
	}
	return b.String()
}

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
