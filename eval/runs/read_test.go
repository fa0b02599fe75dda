package runs_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/runs"
)

// cases is an eval.Sink that collects case IDs.
type cases struct {
	list []string
	most int // number of results after which Add fails; 0: no limit
}

var errFull = errors.New("there is no room")

func (c *cases) Add(r eval.Result) error {
	if c.most > 0 && len(c.list) == c.most {
		return errFull
	}
	c.list = append(c.list, r.Case)
	return nil
}

// writeManyResults writes a results file with n results.
func writeManyResults(n int) (path string, ids []string) {
	GinkgoHelper()
	var text strings.Builder
	for i := range n {
		id := strings.Repeat("c", i+1)
		ids = append(ids, id)
		text.WriteString(`{"key":"k` + id + `","suite":"s","case":"` + id +
			`","variant":"v","fault":"none","epoch":1}` + "\n")
	}
	path = filepath.Join(GinkgoT().TempDir(), "results.jsonl")
	Expect(os.WriteFile(path, []byte(text.String()), 0o600)).To(Succeed())
	return path, ids
}

var _ = Describe("The results of a run", func() {
	It("are all passed to each of several sinks, in order", func() {
		path, ids := writeManyResults(600)
		run, err := runs.Open(path)
		Expect(err).NotTo(HaveOccurred())
		var one, other cases
		sum, err := run.RecomputeInto([]eval.Sink{&one, &other})
		Expect(err).NotTo(HaveOccurred())
		Expect(one.list).To(Equal(ids))
		Expect(other.list).To(Equal(ids))
		Expect(sum).To(Equal(counted(run)))
	})

	It("end with the error of a sink, or with the file and line of an unreadable result", func() {
		path, _ := writeManyResults(600)
		run, err := runs.Open(path)
		Expect(err).NotTo(HaveOccurred())
		for _, most := range []int{1, 256, 599} {
			Expect(run.ReadInto(&cases{}, &cases{most: most})).To(MatchError(errFull))
		}
		text, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(path,
			append([]byte(strings.Replace(string(text), `"epoch"`, `"unheard":1,"epoch"`, 1)), '\n'),
			0o600)).To(Succeed())
		Expect(run.ReadInto(&cases{})).To(MatchError(ContainSubstring(path + ":1: ")))
	})
})

func counted(run *runs.Run) eval.Summary {
	GinkgoHelper()
	sum, err := run.Recompute()
	Expect(err).NotTo(HaveOccurred())
	return sum
}
