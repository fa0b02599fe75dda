package address_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports/page/address"
)

func TestAddress(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "address")
}

var _ = DescribeTable("an address", func(got, want string) { Expect(got).To(Equal(want)) },
	Entry("of a suite", address.SuiteLink("studio", ""), "#suite/studio"),
	Entry("of a section", address.SuiteLink("a/b", "faults"), "#suite/a%2Fb/faults"),
	Entry("of all cases", address.CasesLink{}.String(), "#cases"),
	Entry("omits default values", address.CasesLink{Suite: "s", Variant: "v 2", Change: address.Broken}.String(),
		"#cases?suite=s&variant=v%202&change=broken"),
	Entry("cannot be ended by a hostile name", address.CasesLink{Expected: "a&predicted=b#<'\">", Tag: "画 +"}.String(),
		"#cases?expected=a%26predicted%3Db%23%3C%27%22%3E&tag=%E7%94%BB%20%2B"),
	Entry("of a case", address.CaseLink{Of: address.CasesLink{Suite: "s", Variant: "v"}, ID: "c/1"}.String(),
		"#case/s/c%2F1?variant=v"),
)
