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

// Kind is what a sentence is about.
type Kind string

// In the order in which sentences come.
const (
	BaselineChange    Kind = "before"   // what changed since an earlier run
	Unscored          Kind = "unscored" // too much lacks a verdict
	ContractViolation Kind = "breach"   // of what an agent owes to every user interface
	CachedAnswers     Kind = "cached"   // of the answers of an earlier run
	Replaced          Kind = "replaced" // models whose answers were none: who decided
	Winner            Kind = "winner"
	Prompts           Kind = "prompts"  // that no model reads
	Tags              Kind = "tags"     // in which variants differ, and do not overall
	Deferred          Kind = "deferred" // models whose answers were not used: who decided
	BaselineModel     Kind = "baseline" // that somebody does not beat
	Retrieval         Kind = "retrieval"
	TopConfusion      Kind = "mistake"
	Support           Kind = "support"    // labels that macro-F1 leaves out
	NoLabel           Kind = "no_label"   // among the wrong answers
	Episode           Kind = "episode"    // of what is decided again and again
	Correction        Kind = "correction" // of such decisions
	Delivered         Kind = "delivered"  // good attempts, against first attempts
	Critic            Kind = "critic"
	Fault             Kind = "fault"
	Batch             Kind = "batch" // of messages
	Cost              Kind = "cost"
	Slow              Kind = "slow"
	Overconfident     Kind = "too_sure" // of itself
)

// byImportance lists warnings before results, and results before details.
var byImportance = []Kind{BaselineChange, Unscored, ContractViolation, Replaced, Prompts, BaselineModel, CachedAnswers, Winner, Fault, TopConfusion, Tags, Delivered, Critic, Deferred,
	Retrieval, Episode, Correction, Cost, Slow, Overconfident, NoLabel, Support, Batch}

// Compare orders kinds by importance, the most important first.
func Compare(a, b Kind) int {
	return cmp.Compare(slices.Index(byImportance, a), slices.Index(byImportance, b))
}

// In is the sentence with the names of the suites to which it applies in front.
func (s Sentence) In(suites []string) Sentence {
	var out Sentence
	out.Kind = s.Kind
	shown := suites[:min(len(suites), 3)]
	for i, name := range shown {
		if i > 0 {
			out.say(", ")
		}
		out.name(name)
	}
	if more := int64(len(suites) - len(shown)); more > 0 {
		out.say(" and " + number.Thousands(more) + " more")
	}
	out.say(": ")
	out.Parts = append(out.Parts, s.Parts...)
	return out
}

// IsWarning tells a sentence that says not to trust numbers, or a variant.
func (s Sentence) IsWarning() bool {
	return s.Kind == Unscored || s.Kind == ContractViolation || s.Kind == Replaced || s.Kind == Prompts || s.Kind == BaselineModel
}

// Part is a piece of a sentence.
type Part struct {
	Text  string
	Role  Role
	Cases *Cases // that it stands for; nil: none. Neighbours that share them are one link
}

// Role says what a part is.
type Role int

const (
	Words   Role = iota
	Variant      // the name of one, from outside
	Name         // of a label, a fault or a component, from outside
	Detail       // words that are left out beside a table that has their numbers
	Brief        // words that stand there in their place
)

// Shown are the parts of a sentence that stands alone, or beside the tables.
func (s Sentence) Shown(beside bool) []Part {
	out := Brief
	if beside {
		out = Detail
	}
	return slices.DeleteFunc(slices.Clone(s.Parts), func(p Part) bool { return p.Role == out })
}

// say adds words; names come in by name.
func (s *Sentence) say(text string)   { s.Parts = append(s.Parts, Part{Text: text}) }
func (s *Sentence) aside(text string) { s.Parts = append(s.Parts, Part{Text: text, Role: Detail}) }
func (s *Sentence) brief(text string) { s.Parts = append(s.Parts, Part{Text: text, Role: Brief}) }
func (s *Sentence) name(text string)  { s.Parts = append(s.Parts, Part{Text: text, Role: Name}) }

// variants lists them as a, b and c.
func (s *Sentence) variants(names ...string) { s.list(Variant, names, " and ") }

func (s *Sentence) list(role Role, names []string, last string) {
	for i, n := range names {
		switch {
		case i > 0 && i == len(names)-1:
			s.say(last)
		case i > 0:
			s.say(", ")
		}
		s.Parts = append(s.Parts, Part{Text: n, Role: role})
	}
}

// String is the sentence that stands alone.
func (s Sentence) String() string {
	var b strings.Builder
	for _, p := range s.Shown(false) {
		b.WriteString(p.Text)
	}
	return b.String()
}
