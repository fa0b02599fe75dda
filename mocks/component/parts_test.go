package component_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/component"
)

var _ = Describe("Parts", func() {
	own := component.Parts{"supervisor": component.Router, "pick": component.Router, "painter": component.Image}

	It("are the components where none are named", func() {
		Expect(component.Standard()).To(HaveLen(13))
		for _, p := range []component.Parts{nil, component.Standard()} {
			Expect(p.Names()).To(Equal([]string{"router", "chat", "structured", "vision", "critic", "grader", "search", "image", "poll", "embedding", "retrieval", "search_engine", "store"}))
			Expect(p.Speaking()).To(Equal([]string{"router", "chat", "structured", "vision", "critic", "grader", "search"}))
			Expect(p.Check("cellar")).To(MatchError(`unknown component "cellar": known are router, chat, structured, vision, critic, grader, search, image, poll, embedding, retrieval, search_engine, store`))
			for _, c := range component.All() {
				Expect(p.Doing(c)).To(Equal(string(c)))
				of, ok := p.Component(string(c))
				Expect(ok).To(BeTrue())
				Expect(of).To(Equal(c))
			}
		}
	})

	It("have names of their own, in the order of the work they do", func() {
		Expect(own.Names()).To(Equal([]string{"pick", "supervisor", "painter", "poll"}))
		Expect(own.Speaking()).To(Equal([]string{"pick", "supervisor"}))
		Expect(own.Check("pick")).To(Succeed())
		Expect(own.Check("router")).To(MatchError(`unknown component "router": known are pick, supervisor, painter, poll`))
	})

	It("ask for pictures where some part makes them, whatever it is called", func() {
		of, ok := own.Component("poll")
		Expect(ok).To(BeTrue())
		Expect(of).To(Equal(component.Poll))
		Expect(component.Parts{"pick": component.Router}.Check("poll")).NotTo(Succeed())
	})

	DescribeTable("do a component's work", func(p component.Parts, c component.Component, want string) {
		Expect(p.Doing(c)).To(Equal(want))
	},
		Entry("the first that does it", own, component.Router, "pick"),
		Entry("the only one", own, component.Image, "painter"),
		Entry("implied", own, component.Poll, "poll"),
		Entry("none of them", own, component.Chat, "chat"),
		Entry("the one of its name before others", component.Parts{"a": component.Chat, "chat": component.Chat}, component.Chat, "chat"),
		Entry("not one of its name that does other work", component.Parts{"z": component.Chat, "chat": component.Router}, component.Chat, "z"),
	)

	DescribeTable("are refused, by name", func(p component.Parts, message string) {
		Expect(p.Validate()).To(MatchError(ContainSubstring(message)))
	},
		Entry(nil, component.Parts{"": component.Chat}, "no name"),
		Entry(nil, component.Parts{"a/b": component.Chat}, `part "a/b"`),
		Entry(nil, component.Parts{"a:b": component.Chat}, `part "a:b"`),
		Entry(nil, component.Parts{"pick": "picking"}, `part "pick" does the work of an unknown component "picking": known are router, chat`),
		Entry(nil, component.Parts{"poll": component.Chat, "draw": component.Image}, `part "poll"`),
	)

	It("are valid else", func() {
		Expect(own.Validate()).To(Succeed())
		Expect(component.Parts(nil).Validate()).To(Succeed())
		Expect(component.Standard().Validate()).To(Succeed())
		Expect(component.Parts{"poll": component.Chat}.Validate()).To(Succeed())
	})
})
