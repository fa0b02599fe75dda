package suite_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval/suite"
)

var _ = DescribeTable("a part is asked only where its work is done", func(work system.Work, model, problem string) {
	err := suite.CheckService(model, system.Part{Name: "x", Work: work})
	if problem == "" {
		Expect(err).NotTo(HaveOccurred())
	} else {
		Expect(err).To(MatchError(problem))
	}
},
	Entry(nil, system.Browses, "", ""),
	Entry(nil, system.Browses, "tavily", ""),
	Entry(nil, system.Browses, "bocha:", ""),
	Entry(nil, system.Browses, "tavly", `unknown service "tavly", did you mean "tavily"?`),
	Entry(nil, system.Browses, "dashscope:qwen-plus", `unknown service "dashscope:qwen-plus" (known: tavily, bocha)`),
	Entry(nil, system.Talks, "tavily:", "tavily has no models"),
	Entry(nil, system.Talks, "deepseek:deepseek-chat", ""),
	Entry(nil, system.Searches, "bocha", "bocha has no models"),
	Entry(nil, system.Searches, "dashscope:qwen-plus", ""),
)
