package datasets_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
)

var _ = DescribeTable("a scholar case that refers to something unknown is rejected with its line",
	func(line, want string) {
		_, err := datasets.Open(write(line), schemaOf("scholar"))
		Expect(err).To(MatchError(ContainSubstring(want)))
	},
	Entry("a paper", `{"id":"a","input":{"text":"?","state":{"documents":["zh-999"]}},"expect":{"intent":"LITERATURE_QA"}}`, `:1: state.documents: there is no paper "zh-999"`),
	Entry("a paper of a turn without a label",
		`{"id":"a","turns":[{"input":{"text":"?","state":{"documents":["zh-999"]}}},{"input":{"text":"?"},"expect":{"intent":"SIMPLE_INTERACTION"}}]}`, `turns[0]: state.documents: there is no paper "zh-999"`),
	Entry("a target", `{"id":"a","input":{"text":"?","state":{"documents":["zh-01","zh-02"]}},"expect":{"intent":"LITERATURE_QA","targets":"zh-03"}}`, `expect.targets: "zh-03"`),
	Entry("a passage", `{"id":"a","input":{"text":"?","state":{"documents":["zh-01"]}},"expect":{"intent":"LITERATURE_QA","evidence":["zh-01#77"]}}`, `the turn has no passage "zh-01#77"`),
	Entry("a strategy", `{"id":"a","input":{"text":"?","state":{"documents":["zh-01"]}},"expect":{"intent":"LITERATURE_QA","strategy":"full-content"}}`, `expect.strategy: "full-content" is none of`),
)

// scholarFigures counts the scholar cases by tag and split.
func scholarFigures(b *strings.Builder, d *datasets.Dataset) {
	kindTable(b, d, "summary", "review", "critique", "qa", "simple", "doc:none", "doc:small", "doc:large", "doc:multi",
		"short", "hard-negative",
		"multi-turn", "long-session", "web", "mode-type", "attached", "many-documents", "fault", "context-size",
		"refresh", "unreadable-file", "mixed")
}
