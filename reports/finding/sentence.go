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

// The topics. The table [rules] has the order in which reports show the sentences.
const (
	KindBaselineChange     Kind = "baseline_change"      // changes since the baseline run
	KindUnscored           Kind = "unscored"             // too many unscored trials
	KindContractViolation  Kind = "contract_violation"   // invalid event streams or user interface components
	KindCachedAnswers      Kind = "cached_answers"       // calls that were answered from the response cache
	KindAnswersInvalid     Kind = "answers_invalid"      // something else decided, because model answers were invalid or missing
	KindMostAccurate       Kind = "most_accurate"        // the most accurate variant
	KindPromptsNotRead     Kind = "prompts_not_read"     // prompts that no simulated model reads
	KindTagDifference      Kind = "tag_difference"       // significant differences in a tag, but not overall
	KindAnswersNotUsed     Kind = "answers_not_used"     // something else decided, although the model answers were valid
	KindBaselineModel      Kind = "baseline_model"       // variants that are not better than a baseline model
	KindRetrieval          Kind = "retrieval"            // the variant with the highest recall
	KindTopConfusion       Kind = "top_confusion"        // the most frequent confusion
	KindLabelsWithoutCases Kind = "labels_without_cases" // labels that macro-F1 leaves out because no case expects them
	KindInvalidLabels      Kind = "invalid_labels"       // invalid labels among the wrong answers
	KindEpisode            Kind = "episode"              // episodes with several decisions
	KindCorrection         Kind = "correction"           // corrected decisions of a supervisor
	KindDeliveredImages    Kind = "delivered_images"     // share of good images, from the first attempts to the delivered ones
	KindCritic             Kind = "critic"               // bad images that critics accept
	KindWorstFault         Kind = "worst_fault"          // the most harmful fault
	KindBatch              Kind = "batch"                // replies that answer several messages
	KindCost               Kind = "cost"                 // the most expensive variant
	KindSlowestFault       Kind = "slowest_fault"        // the slowest fault
	KindOverconfident      Kind = "overconfident"        // models whose confidence is higher than their accuracy
)

// WithSuites returns the sentence with the names of the suites in front, for a report of several
// suites.
func (s Sentence) WithSuites(suites []string) Sentence {
	shown := suites[:min(len(suites), 3)]
	return Sentence{s.Kind, fill("{suites}{more}: {sentence}", values{
		"suites":   join(eachName(OtherName, shown), ", "),
		"more":     more(len(suites) - len(shown)),
		"sentence": clause(s.Parts),
	})}
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
	degradedCases   = "degraded"
	nowWrong        = "now_wrong"
	nowErrorReply   = "now_error_reply"
	nowUnscored     = "now_unscored"
	fixedByVariant  = "fixed"
	brokenByVariant = "broken"
	newPassCases    = "new_pass"
	newFailureCases = "new_failure"
)

// clause is a piece of a sentence in which all placeholders are filled. An empty clause adds nothing
// to a sentence.
type clause []SentencePart

// String returns the text of the clause, with all details.
func (c clause) String() string { return Sentence{Parts: c}.String() }

// values are the values of the placeholders in a template, by name: a string, int, int64, names or
// clause.
type values map[string]any

// names are names of variants, or of labels, faults or components. A sentence lists them in the form
// "a, b and c".
type names struct {
	role PartRole
	list []string
}

func variants(list ...string) names   { return names{VariantName, list} }
func otherNames(list ...string) names { return names{OtherName, list} }

// fill replaces the placeholders of a template: {name} by the value with this name, and
// {name:is|are} by the form for the singular or plural. Text in < > is omitted if a placeholder in it
// has no value, or an empty clause. Text in [ ] is shown only without a table next to the sentence.
func fill(template string, v values) clause {
	c, _ := fillAll(template, v)
	return c
}

// fillAll fills a template and reports whether all its placeholders have a value.
func fillAll(template string, v values) (out clause, isComplete bool) {
	role := PlainWords
	add := func(parts clause) {
		for _, p := range parts {
			if role != PlainWords {
				p.Role = role
			}
			out = append(out, p)
		}
	}
	isComplete = true
	for template != "" {
		text, rest := template, ""
		if at := strings.IndexAny(template, "{<[]"); at >= 0 {
			text, rest = template[:at], template[at:]
		}
		add(toClause(text))
		template = rest
		switch {
		case strings.HasPrefix(rest, "["):
			role, template = WithoutTableOnly, rest[1:]
		case strings.HasPrefix(rest, "]"):
			role, template = PlainWords, rest[1:]
		case strings.HasPrefix(rest, "<"):
			text, template, _ = strings.Cut(rest[1:], ">")
			if optional, ok := fillAll(text, v); ok {
				add(optional)
			}
		case strings.HasPrefix(rest, "{"):
			text, template, _ = strings.Cut(rest[1:], "}")
			name, forms, isChoice := strings.Cut(text, ":")
			value := v[name]
			if c, isClause := value.(clause); value == nil || isClause && len(c) == 0 {
				isComplete = false
			}
			if one, several, _ := strings.Cut(forms, "|"); isChoice && isSingular(value) {
				value = one
			} else if isChoice {
				value = several
			}
			add(toClause(value))
		}
	}
	return out, isComplete
}

func isSingular(value any) bool {
	if n, ok := value.(names); ok {
		return len(n.list) == 1
	}
	return value == 1 || value == int64(1)
}

func toClause(value any) clause {
	switch v := value.(type) {
	case clause:
		return v
	case names:
		return enumerate(eachName(v.role, v.list))
	case int64:
		return clause{{Text: metric.FormatInteger(v)}}
	case int:
		return clause{{Text: metric.FormatInteger(int64(v))}}
	case string:
		if v != "" {
			return clause{{Text: v}}
		}
	}
	return nil
}

func eachName(role PartRole, names []string) (list []clause) {
	for _, n := range names {
		list = append(list, clause{{Text: n, Role: role}})
	}
	return list
}

// enumerate joins clauses in the form "a, b and c".
func enumerate(list []clause) clause {
	last := len(list) - 1
	if last < 1 {
		return join(list, "")
	}
	return join([]clause{join(list[:last], ", "), list[last]}, " and ")
}

func join(list []clause, separator string) (out clause) {
	for i, c := range list {
		if i > 0 {
			out = append(out, toClause(separator)...)
		}
		out = append(out, c...)
	}
	return out
}

// linked returns the value as a link to the cases that it is about.
func linked(value any, cases CaseFilter) clause {
	if cases.Fault == eval.NoFault {
		cases.Fault = ""
	}
	c := slices.Clone(toClause(value))
	for i := range c {
		c[i].Link = &cases
	}
	return c
}

// when returns the text if the condition is true, otherwise "".
func when(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}

// more returns " and 3 more", or "" if n is 0.
func more(n int) string { return when(n > 0, " and "+metric.FormatInteger(int64(n))+" more") }
