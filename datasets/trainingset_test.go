package datasets_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/datasets"
	"evalctl/eval/floor"
	"evalctl/eval/suite"
)

var _ = Describe("The training set of a baseline model", func() {
	taughtBy := func(lines string) ([]system.LabeledExample, error) {
		GinkgoHelper()
		path := filepath.Join(GinkgoT().TempDir(), "pets.jsonl")
		Expect(os.WriteFile(path, []byte(lines), 0o600)).To(Succeed())
		s, err := suite.Parse("mine.yaml",
			[]byte("name: mine\ntarget: toolrouter\ndataset: "+path+
				"\nvariants: [{name: x, router: llm, model: \"baseline:linear\"}]\n"))
		Expect(err).NotTo(HaveOccurred())
		_, m, err := datasets.OpenForSuite(s, 1, nil)
		return m.TrainingSet, err
	}

	It("contains every labeled text of the train split with its primary label, unless an option or a mask influences the decision",
		func() {
			list, err := taughtBy(`{"id":"a","split":"train","input":{"text":"draw a cat"},"expect":{"route":["image_gen","chat"]}}
{"id":"b","split":"train","turns":[{"input":{"text":"hello"},"expect":{"route":"chat"}},{"input":{"text":"and a dog"},"expect":{"route":"image_gen"}}]}
{"id":"c","split":"train","input":{"text":"closed","options":{"image_gen":false}},"expect":{"route":"chat"}}
{"id":"f","split":"train","input":{"text":"make it red","mask":"data:image/png;base64,AA=="},"expect":{"route":"image_gen"}}
{"id":"d","split":"test","input":{"text":"draw a horse"},"expect":{"route":"image_gen"}}
{"id":"e","split":"train","input":{"text":"look at it","history":[{"role":"user","content":"hi"}]},"expect":{"route":"web_search"}}
`)
			Expect(err).NotTo(HaveOccurred())
			Expect(list).To(ConsistOf(system.LabeledExample{Text: "draw a cat", Label: "image_gen"},
				system.LabeledExample{Text: "hello", Label: "chat"},
				system.LabeledExample{Text: "and a dog", Label: "image_gen"},
				system.LabeledExample{Text: "look at it", Label: "web_search"}))
		})

	DescribeTable("must have at least two labels", func(lines, want string) {
		_, err := taughtBy(lines)
		Expect(err).To(MatchError(floor.ErrTooFewLabels))
		Expect(err).To(MatchError(And(HavePrefix("dataset "),
			ContainSubstring("pets.jsonl: baseline:linear learns split train, which has "+want+" labelled texts"))))
	},
		Entry("a dataset without a train split",
			`{"id":"a","input":{"text":"draw a cat"},"expect":{"route":"image_gen"}}`,
			"0"),
		Entry("a train split with one label",
			`{"id":"a","split":"train","input":{"text":"draw a cat"},"expect":{"route":"image_gen"}}`, "1"),
	)

	It("is empty if the suite has no baseline model", func() {
		s, err := datasets.LoadSuite("toolrouter")
		Expect(err).NotTo(HaveOccurred())
		_, m, err := datasets.OpenForSuite(s, 1, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(m.TrainingSet).NotTo(BeEmpty())
		s.Variants = s.WithoutBaselineModels()
		_, m, err = datasets.OpenForSuite(s, 1, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(m.TrainingSet).To(BeEmpty())
	})
})
