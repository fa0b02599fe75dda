package fleet_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/fleet"
)

var _ = Describe("Assignments", func() {
	It("contain the trials that are not done, in order", func() {
		Expect(fleet.Leases(10, 4, 2, 5, 6)).To(Equal([]fleet.Assignment{
			{Ranges: []fleet.Range{{From: 0, To: 2}, {From: 3, To: 5}}},
			{Ranges: []fleet.Range{{From: 7, To: 10}}},
		}))
		Expect(fleet.Leases(0, 4)).To(BeEmpty())
		Expect(fleet.Leases(2, 4, 0, 1)).To(BeEmpty())
	})

	DescribeTable("are rejected if they are invalid", func(text, want string) {
		_, err := fleet.ReadLease([]byte(text), 100)
		Expect(err).To(MatchError(ContainSubstring(want)))
	},
		Entry("text that is not JSON", "x", "lease: "),
		Entry("no trials", `{}`, "lease: 0 trials"),
		Entry("an unknown field", `{"ranges":[{"from":0,"to":1,"by":2}]}`, `unknown object member name "by"`),
		Entry("trials after the last one of the run", `{"ranges":[{"from":90,"to":101}]}`,
			"lease: trials 90 to 101 of 100"),
		Entry("trials before the first one of the run", `{"ranges":[{"from":-1,"to":3}]}`, "lease: trials -1 to 3"),
		Entry("an empty range of trials", `{"ranges":[{"from":5,"to":5}]}`, "lease: trials 5 to 5"),
		Entry("are rejected if a result has unknown fields", `{"ranges":[{"from":0,"to":65}]}`,
			"lease: 65 trials"),
	)

	It("lead to results that are rejected if they have unknown fields", func() {
		_, err := fleet.Opened([]byte(`{"trial":3,"of":"1"}` + "\n{}\n{}\n"))
		Expect(err).To(MatchError(ContainSubstring(`unknown object member name "of"`)))
	})

	It("have error texts that are logged as one line of limited length, with visible control characters", func() {
		Expect(fleet.Plain("a\nb\x1b[2J\u0085c\xff")).To(Equal(`a\nb\x1b[2J\u0085c` + "\ufffd"))
		long := fleet.Plain(string(make([]rune, 5000)))
		Expect(len(long)).To(BeNumerically("<", 600))
	})
})

func FuzzLease(f *testing.F) {
	f.Add([]byte(`{"ranges":[{"from":0,"to":16},{"from":20,"to":30}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := fleet.ReadLease(text, 1000)
		if err == nil && (l.Len() < 1 || l.Len() > 64) {
			t.Fatal(l)
		}
	})
}

func FuzzParcels(f *testing.F) {
	f.Add([]byte("{\"trial\":1}\n{\"key\":\"a\"}\n{\"key\":\"a\"}\n{\"trial\":2,\"object\":\"x\"}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := fleet.Opened(text); err != nil {
			return
		}
	})
}
