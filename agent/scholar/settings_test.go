package scholar_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/recall"
	"evalctl/agent/scholar"
	"evalctl/agent/system"
)

var _ = Describe("A list setting of the scholar", func() {
	It("L5: is retrieval-datasets: all papers are available in each dataset that it names", func(ctx context.Context) {
		of := scholar.System()
		part, _ := of.Component("retrieval")
		searcher, err := part.NewCorpus(of.WithDefaults(system.SettingValues{"retrieval-datasets": "mine+ours"}))
		Expect(err).NotTo(HaveOccurred())
		for _, name := range []string{"mine", "ours"} {
			found, err := searcher.Search(ctx,
				recall.Query{Question: "摘要", Datasets: []string{name}, Documents: []string{"zh-01"}})
			Expect(err).NotTo(HaveOccurred())
			Expect(found).NotTo(BeEmpty(), name)
		}
	})

	DescribeTable("separates its elements with a plus sign and rejects a comma, because the command run uses commas",
		func(name, good, bad string) {
			set, _ := scholar.System().Setting(name)
			Expect(set.Check(good)).To(Succeed())
			Expect(set.Check(bad)).To(MatchError(ContainSubstring("where a + separates")))
			Expect(set.Help).To(ContainSubstring("with + between them"))
		},
		Entry(nil, "retrieval-datasets", "mine+ours", "mine,ours"),
		Entry(nil, "allowed-base-urls", "http://a/v1+http://b/v1", "http://a/v1,http://b/v1"),
	)
})
