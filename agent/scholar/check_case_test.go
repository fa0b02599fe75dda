package scholar_test

import (
	"encoding/json"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/scholar"
	"evalctl/agent/system"
)

var _ = Describe("A case for the scholar", func() {
	turn := agent.Turn{Text: "?", State: map[string]json.RawMessage{"documents": json.RawMessage(`["zh-01","zh-02"]`)},
		Documents: []agent.Document{{Name: "mine.md", Content: "# 自己的\n\n## 一\n\n甲\n\n## 二\n\n乙\n"}}}
	fits := func(v system.SettingValues, t agent.Turn, field string, words ...string) error {
		GinkgoHelper()
		check, err := scholar.System().Contract.NewTurnCheck(v)
		Expect(err).NotTo(HaveOccurred())
		return check(t, map[string][]string{field: words})
	}

	DescribeTable("is accepted if the turn contains the documents and passages that the case expects",
		func(field string, words ...string) { Expect(fits(nil, turn, field, words...)).To(Succeed()) },
		Entry(nil, "targets", "zh-01"), Entry(nil, "targets", "zh-01,zh-02,mine.md", "zh-02"),
		Entry(nil, "evidence", "zh-01#1", "mine.md#2"),
		Entry("the expected passage is a piece of a long section", "evidence", "zh-01#1.2"),
	)

	DescribeTable("is rejected if the turn lacks a document or passage that the case expects",
		func(want, field string, words ...string) {
			Expect(fits(nil, turn, field, words...)).To(MatchError(want))
		},
		Entry(nil, `expect.targets: "zh-03" are not documents of the turn, in their order`,
			"targets", "zh-01", "zh-03"),
		Entry(nil, `expect.targets: "zh-02,zh-01" are not documents of the turn, in their order`,
			"targets", "zh-02,zh-01"),
		Entry(nil, `expect.targets: "zh-01,zh-01" are not documents of the turn, in their order`,
			"targets", "zh-01,zh-01"),
		Entry(nil, `expect.evidence: the turn has no passage "zh-01#99"`, "evidence", "zh-01#1", "zh-01#99"),
		Entry(nil, `expect.evidence: the turn has no passage "zh-03#1"`, "evidence", "zh-03#1"),
		Entry(nil, `expect.evidence: the turn has no passage "mine.md#3"`, "evidence", "mine.md#3"),
	)

	It("may name papers of the configured library", func() {
		dir := GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(dir, "own.md"), []byte("# A\n\n## b\n\nc"), 0o600)).To(Succeed())
		own := agent.Turn{Text: "?", State: map[string]json.RawMessage{"documents": json.RawMessage(`["own"]`)}}
		Expect(fits(system.SettingValues{"papers": dir}, own, "evidence", "own#1")).To(Succeed())
		Expect(fits(nil, own, "evidence")).To(MatchError(`state.documents: there is no paper "own"`))
	})

	It("may expect each of the four strategies, and no other", func() {
		check := scholar.System().Contract.ValueChecks["strategy"]
		Expect(check([]string{"full_content", "multi_doc_summary", "chunk_recall", "simple_interaction"})).To(Succeed())
		Expect(check([]string{"chunk-recall"})).
			To(MatchError(`"chunk-recall" is not one of full_content, multi_doc_summary, chunk_recall, simple_interaction`))
	})
})
