package newsroom_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/newsroom"
)

var _ = DescribeTable("N1: The decision of a simulated supervisor contains all three additional fields, in the language of the request",
	func(text, language string) {
		said, err := json.Marshal(newsroom.System().AnswerFormat(nil).ExtraFields(text, nil))
		Expect(err).NotTo(HaveOccurred())
		var fields map[string]any
		Expect(json.Unmarshal(said, &fields)).To(Succeed())
		Expect(fields).To(HaveLen(3), "in addition to next_agent")
		for _, field := range []string{"guidance", "context_from_previous"} {
			Expect(fields[field]).To(MatchRegexp(language), field)
		}
		Expect(fields["focus_areas"]).To(HaveEach(MatchRegexp(language)))
	},
	Entry(nil, "用户的要求：写一篇露营笔记\n\n【当前状态】\n- creativeBrief: missing", `\p{Han}`),
	Entry(nil, "用户的要求：a post about camping\n\n【当前状态】\n- creativeBrief: missing", `^\P{Han}+$`),
)
