package metric

import (
	"slices"
	"strings"
)

// Def is the catalogue entry of a metric, or of a family of metrics. It is comparable.
type Def struct {
	Key     string // such as oos.recall; a family has one placeholder: route.f1.{label}
	Label   string // used in sentences
	Head    string // column heading, at most 14 columns wide
	Meaning string // one sentence; for a proportion it ends with the denominator

	Unit    Unit
	Kind    Kind
	Better  Better
	Missing Missing
	Needs   Needs // what a suite must have for this metric
	Group   Group
	Rank    int // on the first screen: the lowest is dropped first; 0: not shown
	Show    Show
	Compare Compare

	Stat string // p50, p90, p95, p99 or mean, for a time that has all five; otherwise ""
}

// Unit is the format and range of a value.
type Unit int

// The units. A share and a score are between 0 and 1. A share is written as a percentage.
const (
	Share  Unit = iota + 1
	Score       // F1, calibration errors, reciprocal rank
	Points      // difference of two shares, from -1 to 1
	Signed      // from -1 to 1
	Part        // ratio to a whole; may exceed 1
	Number      // mean of counts
	Time        // milliseconds
	USD
	Count   // integer
	Tokens  // number of tokens
	Unknown // not in the catalogue
)

// Kind is the way a value is estimated.
type Kind int

// The kinds.
const (
	Proportion Kind = iota + 1 // share of trials, turns, decisions or calls
	Quotient                   // share whose denominator depends on the answers
	Mean
	Quantile
	Resampled // function of all cases, such as F1
	Total     // sum over all trials; grows with their number
	Maximum
)

// Better is the direction in which a metric improves.
type Better int

// The directions.
const (
	neither Better = iota
	higher
	lower
)

// Missing is the effect of missing data on a value.
type Missing int

const (
	Never     Missing = iota // no data can be missing
	Bounded                  // each missing item counts for or against: the value has bounds
	Unbounded                // the value is unbounded
)

// Needs is the set of things that a suite must have for a metric to exist.
type Needs int

// The conditions; 0: every suite has the metric.
const (
	Matrix      Needs = 1 << iota // the suite is a fault matrix
	Epochs                        // cases run more than once
	OOSLabel                      // the suite has an out-of-scope label
	Retrieval                     // cases list items to retrieve
	AllRequired                   // all listed items must be retrieved
	Facts                         // cases list facts that answers must state
	Grader                        // a model grades these facts
	Sessions                      // cases list what a session must retain
	Caching                       // a component is a cache
	Writing                       // a component writes in a required form
	Critic                        // a component reviews attempts
	Path                          // cases list the decisions of a turn
	Decider                       // a model decides
)

// Group is a table of metrics. Its value gives the order.
type Group int

const (
	decisionsGroup Group = iota + 1
	classesGroup
	outOfScopeGroup
	fallbacksGroup
	answersGroup
	retrievedGroup
	factsGroup
	cachesGroup
	supervisorGroup
	criticsGroup
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

// Show is the condition under which a screen shows a metric.
type Show int

const (
	measured Show = iota // if it has a value
	always
	positive // if a value is above 0
	aboveOne
)

// Compare is the way gates compare a metric with a baseline.
type Compare int

const (
	Uncompared Compare = iota
	ByDrop             // drop(METRIC), in percentage points
	ByRatio            // ratio(METRIC)
)

func def(u Unit, k Kind, b Better, m Missing, key, label, meaning string) Def {
	return Def{
		Key:     key,
		Label:   label,
		Head:    label,
		Meaning: meaning,
		Unit:    u,
		Kind:    k,
		Better:  b,
		Missing: m,
	}
}

// shareOf defines a proportion for which higher is better. Its meaning ends with its denominator.
func shareOf(key, label, meaning string) Def {
	return def(Share, Proportion, higher, Bounded, key, label, meaning)
}

// precisionOf defines a share of what was predicted.
func precisionOf(key, label, meaning string) Def {
	return def(Share, Quotient, higher, Unbounded, key, label, meaning)
}

// meanShare defines the mean of one share per trial.
func meanShare(key, label, meaning string) Def {
	return def(Share, Mean, higher, Unbounded, key, label, meaning)
}

// resampled defines a score that is computed from all cases at once.
func resampled(key, label, meaning string) Def {
	return def(Score, Resampled, higher, Unbounded, key, label, meaning)
}

// averageOf defines a mean count for which lower is better.
func averageOf(key, label, meaning string) Def {
	return def(Number, Mean, lower, Unbounded, key, label, meaning)
}

// totalOf defines a sum over all trials.
func totalOf(u Unit, key, label, meaning string) Def {
	return def(u, Total, lower, Unbounded, key, label, meaning)
}

// countOf defines a total that cannot have missing data.
func countOf(key, label, meaning string) Def {
	d := totalOf(Count, key, label, meaning)
	d.Missing = Never
	return d
}

// timesOf defines the quantiles and the mean of a time; {stat} is replaced by each.
func timesOf(key, label, meaning string) (list []Def) {
	for _, stat := range []string{"p50", "p90", "p95", "p99", "mean"} {
		kind := Quantile
		if stat == "mean" {
			kind = Mean
		}
		d := def(Time, kind, lower, Unbounded, strings.ReplaceAll(key, "{stat}", stat),
			strings.ReplaceAll(label, "{stat}", stat), meaning)
		d.Stat = stat
		list = append(list, d)
	}
	return list
}

func (d Def) head(text string) Def  { d.Head = text; return d }
func (d Def) rank(n int) Def        { d.Rank = n; return d }
func (d Def) show(when Show) Def    { d.Show = when; return d }
func (d Def) lower() Def            { d.Better = lower; return d }
func (d Def) neither() Def          { d.Better = neither; return d }
func (d Def) higher() Def           { d.Better = higher; return d }
func (d Def) drop() Def             { d.Compare = ByDrop; return d }
func (d Def) ratio() Def            { d.Compare = ByRatio; return d }
func (d Def) kind(k Kind) Def       { d.Kind = k; return d }
func (d Def) missing(m Missing) Def { d.Missing = m; return d }
func (d Def) needs(n Needs) Def     { d.Needs |= n; return d }
func (d Def) in(g Group) Def        { d.Group = g; return d }
func each(list []Def, f func(Def) Def) []Def {
	list = slices.Clone(list)
	for i, d := range list {
		list[i] = f(d)
	}
	return list
}

// group sets the group of entries and adds the group's needs to theirs.
func group(g Group, n Needs, list ...[]Def) []Def {
	return each(slices.Concat(list...), func(d Def) Def { return d.in(g).needs(n) })
}

// Denominator returns the denominator of a share, taken from its meaning; "" if there is none.
func (d Def) Denominator() string {
	at := strings.LastIndex(d.Meaning, ", of ")
	if at < 0 {
		return ""
	}
	of, _, _ := strings.Cut(strings.TrimSuffix(d.Meaning[at+len(", of "):], "."), ";")
	return of
}

// Placeholder returns the set whose members complete the key of a family, such as label; "" for a
// single metric.
func (d Def) Placeholder() string {
	_, after, _ := strings.Cut(d.Key, "{")
	set, _, _ := strings.Cut(after, "}")
	return set
}

// cut returns the text before and after the placeholder of a family.
func (d Def) cut() (before, after string) {
	before, rest, _ := strings.Cut(d.Key, "{")
	_, after, _ = strings.Cut(rest, "}")
	return before, after
}

// member returns the placeholder's text for which the family's key equals key; false if key is not
// of this family.
func (d Def) member(key string) (text string, ok bool) {
	before, after := d.cut()
	if len(key) <= len(before)+len(after) || !strings.HasPrefix(key, before) || !strings.HasSuffix(key, after) {
		return "", false
	}
	text = key[len(before) : len(key)-len(after)]
	return text, before != "" || !strings.Contains(text, ".")
}

// CustomScore returns the entry of a custom scorer's score: the proportion of trials that pass.
func CustomScore(key, label, meaning string) Def {
	return shareOf(key, label, meaning).in(customGroup).drop()
}
