package journal_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/journal"
)

var _ = Describe("A journal", func() {
	It("buffers results up to a size limit, and writes them when the limit is reached or Sync is called", func() {
		dir := GinkgoT().TempDir()
		w, err := journal.Create(dir)
		Expect(err).NotTo(HaveOccurred())
		w.BufferBytes = 4 << 10
		keys := func() (keys []string) {
			got, err := all(journal.ReadRunResults(dir))
			Expect(err).NotTo(HaveOccurred())
			for _, r := range got {
				keys = append(keys, r.Key)
			}
			return keys
		}
		Expect(w.Add(full("a"))).To(Succeed())
		Expect(keys()).To(BeEmpty())
		Expect(w.Sync()).To(Succeed())
		Expect(keys()).To(Equal([]string{"a"}))
		want := []string{"a"}
		for n := range 23 {
			want = append(want, fmt.Sprint("b", n))
			Expect(w.Add(full(want[n+1]))).To(Succeed())
		}
		Expect(keys()).To(And(Not(BeEmpty()), HaveExactElements(want[:len(keys())])))
		Expect(len(keys())).To(And(BeNumerically(">", 1), BeNumerically("<", len(want))))
		Expect(w.Close()).To(Succeed())
		Expect(keys()).To(Equal(want))
	})
})
