package page_test

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/reports/page"
)

// expectedOrder returns the keys of the trials in the order in which a page must include their
// traces, and the tier of each. It computes both only from the results, as a reference for the
// test.
func expectedOrder(list []eval.Result) (order []string, tier map[string]int) {
	by := map[string]eval.Result{}
	conditions := map[string][]eval.Result{}
	for _, r := range list {
		by[nameOf(r)] = r
		condition := name(r.Suite, "", r.Variant, r.Fault, 0)
		conditions[condition] = append(conditions[condition], r)
	}
	slow := map[string]bool{}
	for _, rows := range conditions {
		slices.SortFunc(rows, func(a, b eval.Result) int { return cmp.Compare(b.Duration, a.Duration) })
		for _, r := range rows[:5] {
			slow[nameOf(r)] = true
		}
	}
	tier = map[string]int{}
	for _, r := range list {
		n := 5
		first := by[name(r.Suite, r.Case, "first", eval.NoFault, r.Epoch)]
		outcome := compare.TrialStateOf(by[name(r.Suite, r.Case, r.Variant, eval.NoFault, r.Epoch)]).
			FaultEffect(compare.TrialStateOf(r))
		switch plain := r.Fault == eval.NoFault; {
		case plain && r.Scores[0].Verdict != eval.Pass:
			n = 0
		case plain && r.Predicted != first.Predicted:
			n = 1
		case plain:
			n = 2
		case outcome == compare.NowWrong || outcome == compare.NowErrorReply || outcome == compare.NowUnscored:
			n = 3
		case slow[nameOf(r)]:
			n = 4
		}
		tier[nameOf(r)] = n
		order = append(order, nameOf(r))
	}
	caseOf := func(n string) string { return strings.Join(strings.SplitN(n, "/", 3)[:2], "/") }
	slices.SortFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(tier[a], tier[b]), cmp.Compare(caseOf(a), caseOf(b)), cmp.Compare(a, b))
	})
	return order, tier
}

var _ = Describe("The traces in a report page", func() {
	It("are added tier by tier, and in the last tier case by case, until the file is full", func() {
		list := small().results()
		order, tier := expectedOrder(list)
		whole := packed(small().summary(), list, page.EncodeOptions{}, 0)
		Expect(whole.Traced).To(BeEquivalentTo(len(list)))
		ended := map[int]bool{}
		bare := packed(small().summary(), list, page.EncodeOptions{MaxBytes: 1}, 0).Size()
		for room := int64(1_500); bare+room < whole.Size(); room += room / 3 {
			budget := bare + room
			const fixed = 5_000
			out := packed(small().summary(), list, page.EncodeOptions{MaxBytes: budget + fixed}, fixed)
			parts := unpacked(out)
			traced := tracedIn(parts)
			Expect(decoded[page.Meta](parts, "meta").Traced).To(BeEquivalentTo(len(traced)))
			Expect(out.BytesOverLimit).To(BeZero())
			Expect(out.Size()).To(BeNumerically("<=", budget))
			Expect(budget-out.Size()).To(BeNumerically("<", 3_000), "room for a case more is left")
			Expect(traced).To(Equal(slices.Sorted(slices.Values(order[:len(traced)]))))
			last := order[len(traced)-1]
			Expect(cmp.Compare(tier[last], tier[order[len(traced)]]) < 0 ||
				strings.Split(last, "/")[1] != strings.Split(order[len(traced)], "/")[1]).
				To(BeTrue(), "a case is cut in two: %s", last)
			ended[tier[last]] = true
		}
		Expect(len(ended)).To(BeNumerically(">=", 4), "tiers in which it ended: %v", ended)
	})

	It("are omitted if the rest of the file already exceeds the maximum size, and the excess is reported", func() {
		list := small().results()
		out := packed(small().summary(), list, page.EncodeOptions{MaxBytes: 10_000}, 9_000)
		Expect(out.Traced).To(BeZero())
		Expect(out.BytesOverLimit).To(Equal(9_000 + out.Size() - 10_000))
		parts := unpacked(out)
		Expect(parts).To(HaveKey("t1"))
		Expect(parts).NotTo(HaveKey("b0"))
		Expect(decoded[page.Meta](parts, "meta").Suites[0].Blocks).To(HaveEach(-1))
	})

	It("are in blocks of consecutive cases, which contain the input of each case once", func() {
		shape := small()
		shape.long = 1800
		list := shape.results()
		parts := unpacked(packed(shape.summary(), list, page.EncodeOptions{}, 0))
		for _, s := range decoded[page.Meta](parts, "meta").Suites {
			Expect(slices.IsSorted(s.Blocks)).To(BeTrue())
		}
		Expect(parts).To(HaveKey("b4"))
		for name, text := range parts {
			if strings.HasPrefix(name, "b") {
				Expect(len(text)).To(BeNumerically("<", 300_000), name)
				for _, c := range decoded[page.Block](parts, name).Cases {
					Expect(c.Inputs).To(HaveLen(1))
					Expect(c.Trials).To(HaveLen(18))
				}
			}
		}
	})

	It("are omitted with a note if they cannot be read, and without a note if they do not exist", func() {
		list := small().results()
		p := page.NewPacker(small().summary(), page.EncodeOptions{})
		for _, r := range list {
			Expect(p.Add(r)).To(Succeed())
		}
		broken := failing{source: sourceOf(list), broken: list[7].Key}
		delete(broken.source, list[9].Key)
		out, err := p.Pack(0, broken)
		Expect(err).NotTo(HaveOccurred())
		Expect(out.Traced).To(BeEquivalentTo(len(list) - 2))
		Expect(tracedIn(unpacked(out))).NotTo(ContainElements(nameOf(list[7]), nameOf(list[9])))
		Expect(out.Notes).To(ConsistOf("1 trace could not be read: traces.jsonl is broken here"))
	})

	It("keep the file under 3 MB for 5,000 trials with distinct texts", func() {
		shape := shape{suites: 1, cases: 500, epochs: 1, variants: []string{"first", "second"},
			faults: []string{"a", "b", "c", "d"}, long: 1500}
		list := shape.results()
		Expect(list).To(HaveLen(5_000))
		out := packed(shape.summary(), list, page.EncodeOptions{}, 300_000)
		Expect(out.Size()).To(And(BeNumerically("<=", 2_700_000), BeNumerically(">", 2_690_000)))
		order, tier := expectedOrder(list)
		traced := tracedIn(unpacked(out))
		Expect(traced).To(Equal(slices.Sorted(slices.Values(order[:len(traced)]))))
		Expect(tier[order[len(traced)]]).To(BeNumerically(">=", 2))
	})
})

// failing is a source of trials in which one trial cannot be read.
type failing struct {
	source
	broken string
}

func (f failing) Trial(key string) (eval.Result, error) {
	if key == f.broken {
		return eval.Result{}, errors.New("traces.jsonl is broken here")
	}
	return f.source.Trial(key)
}

var _ = It("the decision of a reply is shown on one line: label, source and confidence", func() {
	of := small()
	of.suites, of.cases, of.epochs, of.variants, of.faults = 1, 1, 1, []string{"only"}, nil
	list := of.results()
	r := &list[0].Outcome.Turns[0].Reply
	r.Predicted, r.AnsweredBy, r.Rule, r.Confidence = "image", "chat", "r1", 0.5
	block := decoded[page.Block](unpacked(packed(of.summary(), list, page.EncodeOptions{}, 0)), "b0")
	Expect(block.Cases[0].Trials[0].Turns[0].Facts).
		To(Equal([]page.Pair{{Name: "decided",
			Value: "image · answered by chat · by llm · rule r1 · confidence 0.50"}}))
})
