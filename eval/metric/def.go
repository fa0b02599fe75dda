package metric

import (
	"slices"
	"strings"
)

// Def is the entry of a metric, or of a family of metrics, in the catalogue. It is
// comparable.
type Def struct {
	Key     string // such as oos.recall; of a family with one placeholder: route.f1.{label}
	Label   string // in sentences
	Head    string // of a column: at most 14 columns wide
	Meaning string // one sentence; a proportion's ends with what it is a share of

	Unit    Unit
	Kind    Kind
	Better  Better
	Missing Missing
	Needs   Needs // without them a suite does not have the metric
	Group   Group
	Rank    int // on the first screen: the lowest is dropped first; 0: not there
	Show    Show
	Compare Compare

	Stat string // p50, p90, p95, p99 or mean, of a time that has all five; "": another
}

// Unit says how a value is written, and what it can be.
type Unit int

// The units. A share is written as a percentage and lies between 0 and 1. So does a
// score, which is written as it is.
const (
	Share   Unit = iota + 1
	Score        // F1, errors of confidences, one over a rank
	Points       // the difference of two shares, from -1 to 1
	Signed       // from -1 to 1
	Part         // of a whole that it may exceed
	Number       // a mean of counts
	Time         // in milliseconds
	USD          // US dollars
	Count        // a whole number
	Tokens       // a number of tokens
	Unknown      // of a metric that is not in the catalogue
)

// Kind is how a value is estimated.
type Kind int

// The kinds.
const (
	Proportion Kind = iota + 1 // each trial, turn, decision or call counts for or against it
	Quotient                   // a share whose denominator depends on the answers
	Mean
	Quantile
	Resampled // a function of all cases, such as F1
	Total     // a sum over all trials, which grows with their number
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

// Missing is what missing data can do to a value.
type Missing int

// The treatments of missing data.
const (
	Never     Missing = iota // nothing can be missing
	Bounded                  // each missing one would count for or against: the value has bounds
	Unbounded                // the value may be anything
)

// Needs are what a suite must have for a metric to exist.
type Needs int

// The conditions; 0: every suite has the metric.
const (
	Matrix      Needs = 1 << iota // it is a fault matrix
	Epochs                        // cases run more than once
	OOSLabel                      // a label stands for everything out of scope
	Retrieval                     // cases list what is to be found
	AllRequired                   // all of that is to be found
	Facts                         // cases list what answers must state
	Grader                        // a model grades these facts
	Sessions                      // cases list what a session must still hold
	Caching                       // a part is a cache
	Writing                       // a part writes in a form
	Critic                        // a part judges attempts
	Path                          // cases list the decisions of a turn
	Decider                       // a model decides
)

// Group is a table of metrics, in the order of the tables.
type Group int

// The groups.
const (
	Decisions Group = iota + 1
	Classes
	OutsideScope
	Fallbacks
	Answers
	Retrieved
	Stated
	Caches
	Supervisor
	Critics
	FaultMatrix
	Latencies
	Waits
	Costs
	Confidences
	Errors
	Nodes
	custom // scores of a custom scorer
)

// String is the heading of the group's table.
func (g Group) String() string {
	return [...]string{"", "Decisions", "Classes", "Out of scope", "Fallbacks and error replies", "Answers", "Retrieval", "Facts", "Cache and sessions",
		"Supervisor", "Critic", "Fault matrix", "Latency", "Waits", "Calls, tokens and cost", "Confidence", "Errors", "Nodes", "Custom scorers"}[g]
}

// Show is when a screen shows a metric.
type Show int

// The conditions.
const (
	measured Show = iota // where it has a value
	always
	positive // where a value is above 0
	aboveOne
)

// Compare is how gates compare a metric with a baseline.
type Compare int

// The comparisons.
const (
	Uncompared Compare = iota
	ByDrop             // drop(METRIC), in points
	ByRatio            // ratio(METRIC)
)

func def(u Unit, k Kind, b Better, m Missing, key, label, meaning string) Def {
	return Def{Key: key, Label: label, Head: label, Meaning: meaning, Unit: u, Kind: k, Better: b, Missing: m}
}

// shareOf is a proportion of which more is better. Its meaning ends with its denominator.
func shareOf(key, label, meaning string) Def {
	return def(Share, Proportion, higher, Bounded, key, label, meaning)
}

// precisionOf is a share of what was predicted.
func precisionOf(key, label, meaning string) Def {
	return def(Share, Quotient, higher, Unbounded, key, label, meaning)
}

// meanShare is the mean of shares, one for each trial.
func meanShare(key, label, meaning string) Def {
	return def(Share, Mean, higher, Unbounded, key, label, meaning)
}

// resampled is computed from all cases at once.
func resampled(key, label, meaning string) Def {
	return def(Score, Resampled, higher, Unbounded, key, label, meaning)
}

// averageOf is a mean number of something of which less is better.
func averageOf(key, label, meaning string) Def {
	return def(Number, Mean, lower, Unbounded, key, label, meaning)
}

// totalOf is the sum of something over all trials.
func totalOf(u Unit, key, label, meaning string) Def {
	return def(u, Total, lower, Unbounded, key, label, meaning)
}

// countOf is a total of which nothing can be missing.
func countOf(key, label, meaning string) Def {
	d := totalOf(Count, key, label, meaning)
	d.Missing = Never
	return d
}

// timesOf are the quantiles and the mean of a time; {stat} stands for each.
func timesOf(key, label, meaning string) (list []Def) {
	for _, stat := range []string{"p50", "p90", "p95", "p99", "mean"} {
		kind := Quantile
		if stat == "mean" {
			kind = Mean
		}
		d := def(Time, kind, lower, Unbounded, strings.ReplaceAll(key, "{stat}", stat), strings.ReplaceAll(label, "{stat}", stat), meaning)
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

// group puts entries in a group; those that need more than it says say so themselves.
func group(g Group, n Needs, list ...[]Def) []Def {
	return each(slices.Concat(list...), func(d Def) Def { return d.in(g).needs(n) })
}

// Denominator is what a share is a share of, "" where the meaning names nothing.
func (d Def) Denominator() string {
	at := strings.LastIndex(d.Meaning, ", of ")
	if at < 0 {
		return ""
	}
	of, _, _ := strings.Cut(strings.TrimSuffix(d.Meaning[at+len(", of "):], "."), ";")
	return of
}

// Placeholder is the set whose members complete the key of a family, such as label; "":
// the entry is a single metric.
func (d Def) Placeholder() string {
	_, after, _ := strings.Cut(d.Key, "{")
	set, _, _ := strings.Cut(after, "}")
	return set
}

// cut gives what stands before and after the placeholder of a family.
func (d Def) cut() (before, after string) {
	before, rest, _ := strings.Cut(d.Key, "{")
	_, after, _ = strings.Cut(rest, "}")
	return before, after
}

// member is the text for which a family's key is the given one; false: it is of another.
func (d Def) member(key string) (text string, ok bool) {
	before, after := d.cut()
	if len(key) <= len(before)+len(after) || !strings.HasPrefix(key, before) || !strings.HasSuffix(key, after) {
		return "", false
	}
	text = key[len(before) : len(key)-len(after)]
	return text, before != "" || !strings.Contains(text, ".")
}

// CustomScore declares the score of a custom scorer: the proportion of trials that pass.
func CustomScore(key, label, meaning string) Def {
	return shareOf(key, label, meaning).in(custom).drop()
}
