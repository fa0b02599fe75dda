package journal_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/journal"
)

// named returns the trial names in a results file with this content.
func named(text string) (list []journal.TrialName, err error) {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), journal.ResultsFile)
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	for n, err := range journal.ReadTrialNames(path) {
		if err != nil {
			return list, err
		}
		list = append(list, n)
	}
	return list, nil
}

var _ = Describe("ReadNames", func() {
	It("yields the trial names of all results, in order, also of a long file", func() {
		dir := GinkgoT().TempDir()
		w, err := journal.Create(dir)
		Expect(err).NotTo(HaveOccurred())
		for i := range 700 {
			Expect(w.Add(eval.Result{Key: string(rune('a' + i%26)), Suite: "s", Case: "c\"ä", Variant: "v",
				Fault: "none", Epoch: i + 1})).To(Succeed())
		}
		Expect(w.Close()).To(Succeed())
		var want []journal.TrialName
		for r, err := range journal.ReadRunResults(dir) {
			Expect(err).NotTo(HaveOccurred())
			want = append(want, journal.TrialNameOf(r))
		}
		Expect(want).To(HaveLen(700))
		text, err := os.ReadFile(filepath.Join(dir, journal.ResultsFile))
		Expect(err).NotTo(HaveOccurred())
		Expect(named(string(text))).To(Equal(want))
		Expect(want[699].Epoch).To(Equal(700))
	})

	It("reads a trial name from fields at any position in a line", func() {
		Expect(named(`{"duration_ms":1,"epoch":2,"fault":"f","turns":[{"key":"no"}],"variant":"v","case":"c","suite":"s","key":"k"}` + "\n")).To(HaveExactElements(
			journal.TrialName{Key: "k", Suite: "s", Case: "c", Variant: "v", Fault: "f", Epoch: 2}))
	})

	DescribeTable("yields an error with file and line if a trial name is missing", func(line, problem string) {
		_, err := named(`{"key":"a"}` + "\n" + line + "\n")
		Expect(err).To(MatchError(And(ContainSubstring(journal.ResultsFile+":2: "), ContainSubstring(problem))))
	},
		Entry("a blank line", " ", "the line is blank"),
		Entry("a line without a key", `{"suite":"s"}`, "has no key"),
		Entry("null in place of an object", "null", "has no key"),
		Entry("a list in place of an object", "[1]", "must be"),
		Entry("invalid JSON", "key", "invalid character"),
		Entry("an incomplete line", `{"key":"a","suite":`, "ends in mid-value"),
		Entry("a text in place of the epoch number", `{"key":"a","epoch":"one"}`, "epoch"),
	)
})
