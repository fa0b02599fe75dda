package fault_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/component"
	"evalctl/mocks/fault"
)

var _ = Describe("Parse", func() {
	It("reads all forms", func() {
		got, err := fault.Parse("router:timeout + chat:slow=2s@3+image:task_failed%12.5")
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal([]fault.Fault{
			{Component: component.Router, Kind: fault.Timeout},
			{Component: component.Chat, Kind: fault.Slow, Nth: 3, Delay: 2 * time.Second},
			{Component: component.Image, Kind: fault.TaskFailed, Percent: 12.5},
		}))
	})

	It("reads back every kind of every component", func() {
		for _, c := range component.All() {
			for _, k := range fault.Kinds() {
				f := fault.Fault{Component: c, Kind: k, Nth: 2}
				got, err := fault.Parse(f.String())
				if !k.Suits(c) {
					Expect(err).To(MatchError(ContainSubstring("makes no sense for " + string(c))))
					continue
				}
				Expect(err).NotTo(HaveOccurred())
				Expect(got).To(Equal([]fault.Fault{f}))
			}
		}
	})

	DescribeTable("names the token and what is known",
		func(spec string, parts ...string) {
			_, err := fault.Parse(spec)
			for _, p := range parts {
				Expect(err).To(MatchError(ContainSubstring(p)))
			}
		},
		Entry(nil, "", `fault ""`, "COMPONENT:KIND"),
		Entry(nil, "router", `fault "router"`, "router, chat, vision"),
		Entry(nil, "rooter:timeout", `"rooter"`, "known are router, chat"),
		Entry(nil, "router:timeut", `"timeut"`, "timeout, slow, reset"),
		Entry(nil, "router:timeout+", `fault ""`),
		Entry(nil, "embedding:task_failed", `"task_failed"`, "makes no sense for embedding"),
		Entry(nil, "router:timeout@0", `"0"`, "call number"),
		Entry(nil, "router:timeout@x", `"x"`),
		Entry(nil, "router:timeout%0", `"0"`, "chance"),
		Entry(nil, "router:timeout%101", `"101"`),
		Entry(nil, "router:timeout%NaN", `"NaN"`),
		Entry(nil, "router:timeout@1%5", "both"),
		Entry(nil, "router:timeout@1@2", `"@" is given twice`),
		Entry(nil, "router:timeout=2s", "takes no duration"),
		Entry(nil, "router:slow=soon", `"soon"`),
	)
})

var _ = Describe("Kind", func() {
	It("knows which kinds suit a store", func() {
		var kinds []fault.Kind
		for _, k := range fault.Kinds() {
			if k.Suits(component.Knowledge) {
				kinds = append(kinds, k)
			}
		}
		Expect(kinds).To(Equal([]fault.Kind{fault.Timeout, fault.Slow, fault.Reset, fault.ServerError, fault.Overloaded}))
	})
})
