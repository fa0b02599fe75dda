package page_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports/page"
)

var _ = DescribeTable("the address of a view", func(got, want string) { Expect(got).To(Equal(want)) },
	Entry("contains the name of the suite", page.SuiteLink("studio", ""), "#suite/studio"),
	Entry("contains the section of a suite, percent-encoded", page.SuiteLink("a/b", "faults"),
		"#suite/a%2Fb/faults"),
	Entry("selects all cases if no filter is set", page.CasesLink{}.String(), "#cases"),
	Entry("omits filters with default values",
		page.CasesLink{Suite: "s", Variant: "v 2", Change: page.Broken}.String(),
		"#cases?suite=s&variant=v%202&change=broken"),
	Entry("encodes special characters in names, so that they cannot end a part of it",
		page.CasesLink{Expected: "a&predicted=b#<'\">", Tag: "画 +"}.String(),
		"#cases?expected=a%26predicted%3Db%23%3C%27%22%3E&tag=%E7%94%BB%20%2B"),
	Entry("of a case contains the suite, the id and the filters of the list",
		page.CaseLink{List: page.CasesLink{Suite: "s", Variant: "v"}, ID: "c/1"}.String(),
		"#case/s/c%2F1?variant=v"),
)
