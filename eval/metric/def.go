package metric

import (
	"slices"
	"strings"
)

// Def is the definition of a metric, or of a family of metrics such as route.f1.{label}.
type Def struct {
	// name of the metric, such as oos.recall; the key of a family contains one placeholder:
	// route.f1.{label}
	Key     string
	Label   string // name of the metric in sentences
	Heading string // heading of a table column, at most 14 characters wide
	Meaning string // definition in one sentence; for a proportion it ends with the denominator

	Unit         Unit
	Kind         Kind
	Direction    Direction
	Missing      MissingEffect
	Requirements Requirements // what a suite must have so that the metric exists
	Group        Group
	// priority of the column on the first screen of a report; the lowest is dropped first; 0: never
	// shown there. From 8 on, names are shortened before the column is dropped, and a note names it
	// then. The columns of reports/variants.go that are no metrics use the same scale.
	Priority   int
	Visibility Visibility
	Comparison ComparisonMode

	Statistic string // p50, p90, p95, p99 or mean, for a time that has all five; otherwise ""
}

// Unit is the unit of a metric's value. It determines the range and the format.
type Unit int

// The units of metrics. A share and a score are between 0 and 1; a share is written as a
// percentage.
const (
	Share       Unit = iota + 1 // 0..1, written as a percentage
	Score                       // such as F1, a calibration error or a reciprocal rank
	Points                      // difference of two shares, from -1 to 1
	SignedScore                 // score from -1 to 1
	PartOfWhole                 // ratio to a whole; may exceed 1
	Number                      // mean of counts
	Time                        // in milliseconds
	USD                         // US dollars
	Count                       // integer
	Tokens                      // number of tokens
	UnknownUnit                 // the metric is not in the catalog
)

// Kind is the statistical type of a metric's value. It determines how the interval is computed.
type Kind int

// The kinds of metrics.
const (
	Proportion Kind = iota + 1 // share of trials, turns, decisions or calls
	Quotient                   // share whose denominator depends on the answers
	Mean                       // mean over trials, turns or calls
	Quantile                   // quantile of a time, such as p95
	Resampled                  // function of all cases together, such as F1; the interval comes from resampling
	Total                      // sum over all trials, which grows with their number
	Maximum                    // largest value of all trials
)

// Direction is the direction in which a metric improves.
type Direction int

// The directions in which metrics improve.
const (
	neither Direction = iota
	higher
	lower
)

// MissingEffect is the effect of missing data on a metric: whether a gate can still decide.
type MissingEffect int

const (
	NeverMissing MissingEffect = iota // the metric's data cannot be missing
	Bounded                           // each missing item counts for or against, so the value has known bounds
	Unbounded                         // missing data could make the value arbitrarily high or low
)

// Requirements is a set of properties that a suite must have so that a metric exists.
type Requirements int

// The properties that metrics need. 0 means that the metric exists in every suite.
const (
	FaultMatrix      Requirements = 1 << iota // the suite is a fault matrix
	Epochs                                    // cases run in several epochs
	OOSLabel                                  // the suite has an out-of-scope label
	Retrieval                                 // cases list items to retrieve
	AllRequired                               // all listed items must be retrieved
	Facts                                     // cases list facts that answers must state
	Grader                                    // a model grades whether answers state the facts
	Sessions                                  // cases list facts that a session must retain
	Caching                                   // a component is a cache
	RequiredForm                              // a component writes answers in a required form
	Critic                                    // a component is a critic
	DecisionSequence                          // cases list the sequence of decisions in a turn
	DecidingModel                             // a model makes the decisions
)

// Group is the table of a report in which metrics appear together. Its value gives the order of the
// tables.
type Group int

const (
	decisionsGroup Group = iota + 1
	classesGroup
	outOfScopeGroup
	fallbacksGroup
	answersGroup
	RetrievalGroup
	FactsGroup
	cachesGroup
	SupervisorGroup
	CriticGroup
	faultsGroup
	latenciesGroup
	waitsGroup
	costsGroup
	confidencesGroup
	errorsGroup
	nodesGroup
	customGroup // scores of custom scorers
)

// String returns the heading of the group's table.
func (g Group) String() string {
	return [...]string{"", "Decisions", "Classes", "Out of scope", "Fallbacks and error replies", "Answers",
		"Retrieval", "Facts", "Cache and sessions",
		"Supervisor", "Critic", "Fault matrix", "Latency", "Waits", "Calls, tokens and cost", "Confidence", "Errors",
		"Nodes", "Custom scorers"}[g]
}

// HasOwnTable reports whether reports show the group in another form than one row for each
// condition: with a row for each label, node or fault.
func (g Group) HasOwnTable() bool { return g == classesGroup || g == nodesGroup || g == faultsGroup }

// Visibility is the condition under which a report shows a metric.
type Visibility int

const (
	measured Visibility = iota // if it has a value
	always
	positive // if a value is above 0
	aboveOne
	hidden // never; formats for programs contain it
)

// ComparisonMode is the function with which a gate can compare a metric with a baseline.
type ComparisonMode int

const (
	NotComparable ComparisonMode = iota // no comparison is possible
	ByDrop                              // drop(METRIC), in percentage points
	ByRatio                             // ratio(METRIC)
)

func def(u Unit, k Kind, b Direction, m MissingEffect, key, label, meaning string) Def {
	return Def{
		Key:       key,
		Label:     label,
		Heading:   label,
		Meaning:   meaning,
		Unit:      u,
		Kind:      k,
		Direction: b,
		Missing:   m,
	}
}

// shareOf returns the definition of a proportion for which higher is better. meaning must end with
// the denominator.
func shareOf(key, label, meaning string) Def {
	return def(Share, Proportion, higher, Bounded, key, label, meaning)
}

// precisionOf returns the definition of a precision: a share of what was predicted.
func precisionOf(key, label, meaning string) Def {
	return def(Share, Quotient, higher, Unbounded, key, label, meaning)
}

// meanShare returns the definition of a mean over trials of a share within each trial.
func meanShare(key, label, meaning string) Def {
	return def(Share, Mean, higher, Unbounded, key, label, meaning)
}

// resampled returns the definition of a score that is computed from all cases at once, such as F1.
func resampled(key, label, meaning string) Def {
	return def(Score, Resampled, higher, Unbounded, key, label, meaning)
}

// averageOf returns the definition of a mean count for which lower is better.
func averageOf(key, label, meaning string) Def {
	return def(Number, Mean, lower, Unbounded, key, label, meaning)
}

// totalOf returns the definition of a sum over all trials.
func totalOf(u Unit, key, label, meaning string) Def {
	return def(u, Total, lower, Unbounded, key, label, meaning)
}

// countOf returns the definition of a number of events over all trials. Its data cannot be missing.
func countOf(key, label, meaning string) Def {
	d := totalOf(Count, key, label, meaning)
	d.Missing = NeverMissing
	return d
}

// timesOf returns the definitions of the quantiles and the mean of a time. Each replaces {stat} in
// key and label.
func timesOf(key, label, meaning string) (list []Def) {
	for _, stat := range []string{"p50", "p90", "p95", "p99", "mean"} {
		kind := Quantile
		if stat == "mean" {
			kind = Mean
		}
		d := def(Time, kind, lower, Unbounded, strings.ReplaceAll(key, "{stat}", stat),
			strings.ReplaceAll(label, "{stat}", stat), meaning)
		d.Statistic = stat
		if kind == Mean || stat == "p90" || stat == "p99" {
			d.Visibility = hidden
		}
		list = append(list, d)
	}
	return list
}

func (d Def) head(text string) Def        { d.Heading = text; return d }
func (d Def) rank(n int) Def              { d.Priority = n; return d }
func (d Def) show(when Visibility) Def    { d.Visibility = when; return d }
func (d Def) lower() Def                  { d.Direction = lower; return d }
func (d Def) neither() Def                { d.Direction = neither; return d }
func (d Def) higher() Def                 { d.Direction = higher; return d }
func (d Def) drop() Def                   { d.Comparison = ByDrop; return d }
func (d Def) ratio() Def                  { d.Comparison = ByRatio; return d }
func (d Def) kind(k Kind) Def             { d.Kind = k; return d }
func (d Def) missing(m MissingEffect) Def { d.Missing = m; return d }
func (d Def) needs(n Requirements) Def    { d.Requirements |= n; return d }
func (d Def) in(g Group) Def              { d.Group = g; return d }
func each(list []Def, f func(Def) Def) []Def {
	list = slices.Clone(list)
	for i, d := range list {
		list[i] = f(d)
	}
	return list
}

// group sets the group of the definitions, and adds the properties that all metrics of the group
// need.
func group(g Group, n Requirements, list ...[]Def) []Def {
	return each(slices.Concat(list...), func(d Def) Def { return d.in(g).needs(n) })
}

// Denominator returns the denominator of a share, taken from the end of its Meaning; "" if there is
// none.
func (d Def) Denominator() string {
	at := strings.LastIndex(d.Meaning, ", of ")
	if at < 0 {
		return ""
	}
	of, _, _ := strings.Cut(strings.TrimSuffix(d.Meaning[at+len(", of "):], "."), ";")
	return of
}

// Placeholder returns the placeholder in the key of a family, such as label; "" for a single
// metric.
func (d Def) Placeholder() string {
	_, after, _ := strings.Cut(d.Key, "{")
	set, _, _ := strings.Cut(after, "}")
	return set
}

// cut returns the fixed text before and after the placeholder in the key of a family.
func (d Def) cut() (before, after string) {
	before, rest, _ := strings.Cut(d.Key, "{")
	_, after, _ = strings.Cut(rest, "}")
	return before, after
}

// member returns the text in place of the placeholder, if key is a member of this family. ok is
// false if it is not.
func (d Def) member(key string) (text string, ok bool) {
	before, after := d.cut()
	if len(key) <= len(before)+len(after) || !strings.HasPrefix(key, before) || !strings.HasSuffix(key, after) {
		return "", false
	}
	text = key[len(before) : len(key)-len(after)]
	return text, before != "" || !strings.Contains(text, ".")
}

// CustomScoreDef returns the definition of the score of a custom scorer: the share of trials that
// pass.
func CustomScoreDef(key, label, meaning string) Def {
	return shareOf(key, label, meaning).in(customGroup).drop()
}
