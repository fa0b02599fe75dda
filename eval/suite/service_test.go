package suite_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval/suite"
)

var _ = DescribeTable("CheckService accepts a service only for a component of its role",
	func(work system.Role, model, problem string) {
		err := suite.CheckService(model, system.Component{Name: "x", Role: work})
		if problem == "" {
			Expect(err).NotTo(HaveOccurred())
		} else {
			Expect(err).To(MatchError(problem))
		}
	},
	Entry(nil, system.RoleSearchEngine, "", ""),
	Entry(nil, system.RoleSearchEngine, "tavily", ""),
	Entry(nil, system.RoleSearchEngine, "bocha:", ""),
	Entry(nil, system.RoleSearchEngine, "tavly", `unknown service "tavly", did you mean "tavily"?`),
	Entry(nil, system.RoleSearchEngine, "dashscope:qwen-plus",
		`unknown service "dashscope:qwen-plus" (known: tavily, bocha)`),
	Entry(nil, system.RoleChat, "tavily:", "tavily has no models"),
	Entry(nil, system.RoleChat, "deepseek:deepseek-chat", ""),
	Entry(nil, system.RoleSearchModel, "bocha", "bocha has no models"),
	Entry(nil, system.RoleSearchModel, "dashscope:qwen-plus", ""),
)
