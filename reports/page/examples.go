package page

import (
	"cmp"
	"hash/fnv"
	"maps"
	"slices"

	"evalctl/agent/text"
	"evalctl/eval"
)

// Limits for the examples of a suite, and for the length of their texts in columns of a terminal. If
// there are more confusions, some have no example.
const (
	maxExamples       = 4000
	maxExampleLength  = 120
	bestExampleLength = 32 // an example of this length is readable in one line of a table
)

// Example is a case with a wrong decision. Text is the message that was decided; "": unknown.
type Example struct{ Case, Text string }

// examples contains one example for each confusion of a suite. It does not depend on the order of
// the results.
type examples map[confusedLabels]Example

// confusedLabels identifies a confusion of a variant.
type confusedLabels struct{ variant, expected, predicted string }

func (e examples) add(r eval.Result) {
	scored, _ := r.Decision()
	for _, d := range r.Decisions() {
		if d.Verdict != eval.Fail {
			continue
		}
		one := Example{Case: r.Case}
		if d.Turn == scored.Turn { // the result contains the message of this turn only
			one.Text = text.Truncate(text.EscapeLine(r.Text), maxExampleLength)
		}
		key := confusedLabels{variant: r.Variant, expected: d.Expected.Primary(), predicted: d.Actual}
		if known, ok := e[key]; !ok || one.isBetter(known) {
			e[key] = one
		}
	}
	if len(e) >= 2*maxExamples {
		e.limit()
	}
}

// isBetter reports whether the text of the example is more suitable for a table than that of another.
func (e Example) isBetter(than Example) bool {
	return cmp.Or(cmp.Compare(e.excess(), than.excess()), cmp.Compare(e.Case, than.Case)) < 0
}

// excess returns how much the length of the text differs from the best one.
func (e Example) excess() int {
	if e.Text == "" {
		return maxExampleLength
	}
	n := text.DisplayWidth(e.Text) - bestExampleLength
	return max(n, -n)
}

// limit removes examples until maxExamples remain. Those with the lowest hash remain, so that the
// selection does not depend on the order in which they were added.
func (e examples) limit() {
	if len(e) <= maxExamples {
		return
	}
	keys := slices.SortedFunc(maps.Keys(e), func(a, b confusedLabels) int { return cmp.Compare(a.hash(), b.hash()) })
	for _, k := range keys[maxExamples:] {
		delete(e, k)
	}
}

func (k confusedLabels) hash() uint64 {
	h := fnv.New64a()
	for _, part := range []string{k.variant, k.expected, k.predicted} {
		h.Write([]byte(part + "\x00")) //nolint:errcheck // never fails
	}
	return h.Sum64()
}

// Example returns an example of a confusion of a variant. ok is false if there is none.
func (s *SuiteDistribution) Example(variant, expected, predicted string) (one Example, ok bool) {
	if s == nil {
		return Example{}, false
	}
	one, ok = s.examples[confusedLabels{variant: variant, expected: expected, predicted: predicted}]
	return one, ok
}
