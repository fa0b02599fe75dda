package component_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/component"
)

var _ = Describe("The components of an agent", func() {
	own := component.Components{"supervisor": component.Router, "pick": component.Router, "painter": component.Image}

	It("are one per role by default, named like the role", func() {
		Expect(component.DefaultComponents()).To(HaveLen(13))
		for _, p := range []component.Components{nil, component.DefaultComponents()} {
			Expect(p.Names()).To(Equal([]string{"router", "chat", "structured", "vision", "critic", "grader", "search",
				"image", "poll", "embedding", "retrieval", "search_engine", "store"}))
			Expect(p.ChatComponents()).
				To(Equal([]string{"router", "chat", "structured", "vision", "critic", "grader", "search"}))
			Expect(p.CheckName("cellar")).
				To(MatchError(`unknown component "cellar": known are router, chat, structured, vision, critic, grader, search, image, poll, embedding, retrieval, search_engine, store`))
			for _, c := range component.Roles() {
				Expect(p.NameForRole(c)).To(Equal(string(c)))
				role, ok := p.RoleOf(string(c))
				Expect(ok).To(BeTrue())
				Expect(role).To(Equal(c))
			}
		}
	})

	It("are sorted by role and then by name", func() {
		Expect(own.Names()).To(Equal([]string{"pick", "supervisor", "painter", "poll"}))
		Expect(own.ChatComponents()).To(Equal([]string{"pick", "supervisor"}))
		Expect(own.CheckName("pick")).To(Succeed())
		Expect(own.CheckName("router")).
			To(MatchError(`unknown component "router": known are pick, supervisor, painter, poll`))
	})

	It("include poll if any component has the role image", func() {
		role, ok := own.RoleOf("poll")
		Expect(ok).To(BeTrue())
		Expect(role).To(Equal(component.Poll))
		Expect(component.Components{"pick": component.Router}.CheckName("poll")).NotTo(Succeed())
	})

	DescribeTable("are selected for a role", func(p component.Components, c component.Role, want string) {
		Expect(p.NameForRole(c)).To(Equal(want))
	},
		Entry("two components with the role: the first by name", own, component.Router, "pick"),
		Entry("one component with the role", own, component.Image, "painter"),
		Entry("the role poll, whose component exists implicitly", own, component.Poll, "poll"),
		Entry("no component with the role: the role's name", own, component.Chat, "chat"),
		Entry("a component named like the role before others",
			component.Components{"a": component.Chat, "chat": component.Chat}, component.Chat, "chat"),
		Entry("a component named like the role has another role and is not selected",
			component.Components{"z": component.Chat, "chat": component.Router}, component.Chat, "z"),
	)

	DescribeTable("are rejected by Validate if one is invalid, and the error names it",
		func(p component.Components, message string) {
			Expect(p.Validate()).To(MatchError(ContainSubstring(message)))
		},
		Entry(nil, component.Components{"": component.Chat}, "no name"),
		Entry(nil, component.Components{"a/b": component.Chat}, `part "a/b"`),
		Entry(nil, component.Components{"a:b": component.Chat}, `part "a:b"`),
		Entry(nil, component.Components{"pick": "picking"},
			`part "pick" does the work of an unknown component "picking": known are router, chat`),
		Entry(nil, component.Components{"poll": component.Chat, "draw": component.Image}, `part "poll"`),
	)

	It("are accepted by Validate if they are valid, or nil", func() {
		Expect(own.Validate()).To(Succeed())
		Expect(component.Components(nil).Validate()).To(Succeed())
		Expect(component.DefaultComponents().Validate()).To(Succeed())
		Expect(component.Components{"poll": component.Chat}.Validate()).To(Succeed())
	})
})
