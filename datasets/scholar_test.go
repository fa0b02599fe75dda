package datasets_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
)

var _ = DescribeTable("a case of the system scholar is rejected if it names something that does not exist",
	func(line, want string) {
		_, err := datasets.Open(write(line), schemaOf("scholar"))
		Expect(err).To(MatchError(ContainSubstring(want)))
	},
	Entry("an unknown paper",
		`{"id":"a","input":{"text":"?","state":{"documents":["zh-999"]}},"expect":{"intent":"LITERATURE_QA"}}`,
		`:1: state.documents: there is no paper "zh-999"`),
	Entry("an unknown paper in a turn without a label",
		`{"id":"a","turns":[{"input":{"text":"?","state":{"documents":["zh-999"]}}},{"input":{"text":"?"},"expect":{"intent":"SIMPLE_INTERACTION"}}]}`, `turns[0]: state.documents: there is no paper "zh-999"`),
	Entry("a target that is not a paper of the turn",
		`{"id":"a","input":{"text":"?","state":{"documents":["zh-01","zh-02"]}},"expect":{"intent":"LITERATURE_QA","targets":"zh-03"}}`, `expect.targets: "zh-03"`),
	Entry("a passage that is not in a paper of the turn",
		`{"id":"a","input":{"text":"?","state":{"documents":["zh-01"]}},"expect":{"intent":"LITERATURE_QA","evidence":["zh-01#77"]}}`, `the turn has no passage "zh-01#77"`),
	Entry("an unknown strategy",
		`{"id":"a","input":{"text":"?","state":{"documents":["zh-01"]}},"expect":{"intent":"LITERATURE_QA","strategy":"full-content"}}`, `expect.strategy: "full-content" is not one of`),
)

// scholarFigures writes the number of cases by tag and split for the dataset card of scholar.
func scholarFigures(b *strings.Builder, d *datasets.Dataset) {
	kindTable(b, d, "summary", "review", "critique", "qa", "simple", "doc:none", "doc:small", "doc:large", "doc:multi",
		"short", "hard-negative",
		"multi-turn", "long-session", "web", "mode-type", "attached", "many-documents", "fault", "context-size",
		"refresh", "unreadable-file", "mixed")
}
