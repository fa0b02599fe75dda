package finding

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/eval/number"
)

// Sentence is a statement in parts.
type Sentence struct {
	Kind  Kind
	Parts []Part
}

// Kind is the topic of a sentence.
type Kind string

// In the order in which Findings returns them.
const (
	BaselineChange    Kind = "before"   // changes since an earlier run
	Unscored          Kind = "unscored" // too many unscored trials
	ContractViolation Kind = "breach"   // invalid event streams or components
	CachedAnswers     Kind = "cached"   // answers from the response cache
	Replaced          Kind = "replaced" // what decided instead of invalid answers
	Winner            Kind = "winner"
	Prompts           Kind = "prompts"  // prompts that no model reads
	Tags              Kind = "tags"     // tags with a significant difference that is not significant overall
	Deferred          Kind = "deferred" // what decided instead of valid answers that were not used
	BaselineModel     Kind = "baseline" // variants that do not beat a baseline model
	Retrieval         Kind = "retrieval"
	TopConfusion      Kind = "mistake"
	Support           Kind = "support"    // labels that macro-F1 leaves out
	NoLabel           Kind = "no_label"   // invalid labels among the wrong answers
	Episode           Kind = "episode"    // episodes with several decisions
	Correction        Kind = "correction" // corrected decisions of a supervisor
	Delivered         Kind = "delivered"  // good images, first attempt to delivered
	Critic            Kind = "critic"
	Fault             Kind = "fault"
	Batch             Kind = "batch" // replies to several messages
	Cost              Kind = "cost"
	Slow              Kind = "slow"
	Overconfident     Kind = "too_sure" // overconfident models
)

// byImportance lists warnings before results, and results before details.
var byImportance = []Kind{BaselineChange, Unscored, ContractViolation, Replaced, Prompts, BaselineModel, CachedAnswers,
	Winner, Fault, TopConfusion, Tags, Delivered, Critic, Deferred,
	Retrieval, Episode, Correction, Cost, Slow, Overconfident, NoLabel, Support, Batch}

// Compare orders kinds by importance, most important first.
func Compare(a, b Kind) int {
	return cmp.Compare(slices.Index(byImportance, a), slices.Index(byImportance, b))
}

// In returns the sentence with the names of the suites that it applies to in front.
func (s Sentence) In(suites []string) Sentence {
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
		out.add(" and " + number.Thousands(more) + " more")
	}
	out.add(": ")
	out.Parts = append(out.Parts, s.Parts...)
	return out
}

// IsWarning reports whether the sentence warns of unreliable metrics or of a variant.
func (s Sentence) IsWarning() bool {
	return s.Kind == Unscored || s.Kind == ContractViolation || s.Kind == Replaced || s.Kind == Prompts ||
		s.Kind == BaselineModel
}

// Part is a piece of a sentence.
type Part struct {
	Text  string
	Role  Role
	Cases *Cases // the cases behind it; nil: none. Adjacent parts with the same cases are one link
}

// Role is the kind of a part.
type Role int

const (
	Words   Role = iota
	Variant      // name of a variant, untrusted text
	Name         // name of a label, a fault or a component, untrusted text
	Detail       // words that are omitted next to a table with the same numbers
	Brief        // words that replace them there
)

// Shown returns the parts of a standalone sentence, or of one next to the tables.
func (s Sentence) Shown(nextToTable bool) []Part {
	out := Brief
	if nextToTable {
		out = Detail
	}
	return slices.DeleteFunc(slices.Clone(s.Parts), func(p Part) bool { return p.Role == out })
}

// add adds words. Names are added by name.
func (s *Sentence) add(text string)       { s.Parts = append(s.Parts, Part{Text: text}) }
func (s *Sentence) addDetail(text string) { s.Parts = append(s.Parts, Part{Text: text, Role: Detail}) }
func (s *Sentence) addBrief(text string)  { s.Parts = append(s.Parts, Part{Text: text, Role: Brief}) }
func (s *Sentence) addName(text string)   { s.Parts = append(s.Parts, Part{Text: text, Role: Name}) }

// addVariants adds names in the form "a, b and c".
func (s *Sentence) addVariants(names ...string) { s.addList(Variant, names, " and ") }

func (s *Sentence) addList(role Role, names []string, last string) {
	for i, n := range names {
		switch {
		case i > 0 && i == len(names)-1:
			s.add(last)
		case i > 0:
			s.add(", ")
		}
		s.Parts = append(s.Parts, Part{Text: n, Role: role})
	}
}

// String is the text of the standalone sentence.
func (s Sentence) String() string {
	var b strings.Builder
	for _, p := range s.Shown(false) {
		b.WriteString(p.Text)
	}
	return b.String()
}
