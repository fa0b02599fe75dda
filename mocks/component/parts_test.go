package component_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/component"
)

var _ = Describe("Parts", func() {
	own := component.Components{"supervisor": component.Router, "pick": component.Router, "painter": component.Image}

	It("default to one part per role", func() {
		Expect(component.DefaultComponents()).To(HaveLen(13))
		for _, p := range []component.Components{nil, component.DefaultComponents()} {
			Expect(p.Names()).To(Equal([]string{"router", "chat", "structured", "vision", "critic", "grader", "search",
				"image", "poll", "embedding", "retrieval", "search_engine", "store"}))
			Expect(p.ChatComponents()).
				To(Equal([]string{"router", "chat", "structured", "vision", "critic", "grader", "search"}))
			Expect(p.Check("cellar")).
				To(MatchError(`unknown component "cellar": known are router, chat, structured, vision, critic, grader, search, image, poll, embedding, retrieval, search_engine, store`))
			for _, c := range component.All() {
				Expect(p.ForRole(c)).To(Equal(string(c)))
				role, ok := p.Component(string(c))
				Expect(ok).To(BeTrue())
				Expect(role).To(Equal(c))
			}
		}
	})

	It("are sorted by role, under their own names", func() {
		Expect(own.Names()).To(Equal([]string{"pick", "supervisor", "painter", "poll"}))
		Expect(own.ChatComponents()).To(Equal([]string{"pick", "supervisor"}))
		Expect(own.Check("pick")).To(Succeed())
		Expect(own.Check("router")).
			To(MatchError(`unknown component "router": known are pick, supervisor, painter, poll`))
	})

	It("include poll if any part has the role image", func() {
		role, ok := own.Component("poll")
		Expect(ok).To(BeTrue())
		Expect(role).To(Equal(component.Poll))
		Expect(component.Components{"pick": component.Router}.Check("poll")).NotTo(Succeed())
	})

	DescribeTable("choose the part for a role", func(p component.Components, c component.Role, want string) {
		Expect(p.ForRole(c)).To(Equal(want))
	},
		Entry("the first with the role", own, component.Router, "pick"),
		Entry("the only part", own, component.Image, "painter"),
		Entry("implied", own, component.Poll, "poll"),
		Entry("no part", own, component.Chat, "chat"),
		Entry("the part with the role's name before others",
			component.Components{"a": component.Chat, "chat": component.Chat}, component.Chat, "chat"),
		Entry("not a part with the role's name but another role",
			component.Components{"z": component.Chat, "chat": component.Router}, component.Chat, "z"),
	)

	DescribeTable("reports invalid parts by name", func(p component.Components, message string) {
		Expect(p.Validate()).To(MatchError(ContainSubstring(message)))
	},
		Entry(nil, component.Components{"": component.Chat}, "no name"),
		Entry(nil, component.Components{"a/b": component.Chat}, `part "a/b"`),
		Entry(nil, component.Components{"a:b": component.Chat}, `part "a:b"`),
		Entry(nil, component.Components{"pick": "picking"},
			`part "pick" does the work of an unknown component "picking": known are router, chat`),
		Entry(nil, component.Components{"poll": component.Chat, "draw": component.Image}, `part "poll"`),
	)

	It("are otherwise valid", func() {
		Expect(own.Validate()).To(Succeed())
		Expect(component.Components(nil).Validate()).To(Succeed())
		Expect(component.DefaultComponents().Validate()).To(Succeed())
		Expect(component.Components{"poll": component.Chat}.Validate()).To(Succeed())
	})
})
