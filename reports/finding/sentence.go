package finding

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/eval/number"
)

// Sentence is a finding as text. Its parts have roles, so that reports can emphasize names and add
// links.
type Sentence struct {
	Kind  Kind // topic
	Parts []Part
}

// Kind is the topic of a sentence, such as the most accurate variant or the worst fault.
type Kind string

// Topics, in the order in which [Findings] returns the sentences.
const (
	BaselineChange    Kind = "before"     // changes since the baseline run
	Unscored          Kind = "unscored"   // too many unscored trials
	ContractViolation Kind = "breach"     // invalid event streams or user interface components
	CachedAnswers     Kind = "cached"     // calls that were answered from the response cache
	Replaced          Kind = "replaced"   // something else decided, because model answers were invalid or missing
	Winner            Kind = "winner"     // the most accurate variant
	Prompts           Kind = "prompts"    // prompts that no simulated model reads
	Tags              Kind = "tags"       // significant differences in a tag, but not overall
	Deferred          Kind = "deferred"   // something else decided, although the model answers were valid
	BaselineModel     Kind = "baseline"   // variants that are not better than a baseline model
	Retrieval         Kind = "retrieval"  // the variant with the highest recall
	TopConfusion      Kind = "mistake"    // the most frequent confusion
	Support           Kind = "support"    // labels that macro-F1 leaves out because no case expects them
	NoLabel           Kind = "no_label"   // invalid labels among the wrong answers
	Episode           Kind = "episode"    // episodes with several decisions
	Correction        Kind = "correction" // corrected decisions of a supervisor
	Delivered         Kind = "delivered"  // share of good images, from the first attempts to the delivered ones
	Critic            Kind = "critic"     // bad images that critics accept
	Fault             Kind = "fault"      // the most harmful fault
	Batch             Kind = "batch"      // replies that answer several messages
	Cost              Kind = "cost"       // the most expensive variant
	Slow              Kind = "slow"       // the slowest fault
	Overconfident     Kind = "too_sure"   // models whose confidence is higher than their accuracy
)

// byImportance lists the topics by importance: warnings, then results, then details.
var byImportance = []Kind{BaselineChange, Unscored, ContractViolation, Replaced, Prompts, BaselineModel, CachedAnswers,
	Winner, Fault, TopConfusion, Tags, Delivered, Critic, Deferred,
	Retrieval, Episode, Correction, Cost, Slow, Overconfident, NoLabel, Support, Batch}

// Compare compares two topics by importance, for sorting with the most important first.
func Compare(a, b Kind) int {
	return cmp.Compare(slices.Index(byImportance, a), slices.Index(byImportance, b))
}

// In returns the sentence with the names of the suites in front, for a report of several suites.
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

// IsWarning reports whether the sentence warns of unreliable metrics or of a problem of a variant.
func (s Sentence) IsWarning() bool {
	return s.Kind == Unscored || s.Kind == ContractViolation || s.Kind == Replaced || s.Kind == Prompts ||
		s.Kind == BaselineModel
}

// Part is a piece of a sentence: words or a name.
type Part struct {
	Text  string
	Role  Role
	Cases *Cases // link target; nil: none. Adjacent parts with the same target form one link
}

// Role is what a part of a sentence contains, which decides how and where it is shown.
type Role int

const (
	Words   Role = iota // words of the sentence
	Variant             // name of a variant, which can contain any characters
	Name                // name of a label, fault or component, which can contain any characters
	Detail              // words that are shown only if the sentence is not next to a table with the same numbers
	Brief               // words that are shown only if the sentence is next to a table with the same numbers
)

// Shown returns the parts of the sentence to show. With nextToTable, it omits details that the
// table contains.
func (s Sentence) Shown(nextToTable bool) []Part {
	out := Brief
	if nextToTable {
		out = Detail
	}
	return slices.DeleteFunc(slices.Clone(s.Parts), func(p Part) bool { return p.Role == out })
}

// add adds words to the sentence. Names must be added with addName or addVariants.
func (s *Sentence) add(text string)       { s.Parts = append(s.Parts, Part{Text: text}) }
func (s *Sentence) addDetail(text string) { s.Parts = append(s.Parts, Part{Text: text, Role: Detail}) }
func (s *Sentence) addBrief(text string)  { s.Parts = append(s.Parts, Part{Text: text, Role: Brief}) }
func (s *Sentence) addName(text string)   { s.Parts = append(s.Parts, Part{Text: text, Role: Name}) }

// addVariants adds the names of variants in the form "a, b and c".
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

// String returns the text of the sentence, with all details.
func (s Sentence) String() string {
	var b strings.Builder
	for _, p := range s.Shown(false) {
		b.WriteString(p.Text)
	}
	return b.String()
}
