package studio_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/studio"
)

var _ = Describe("S2: The history in the planner's request", func() {
	said := func(role, text string) agent.Message { return agent.Message{Role: role, Content: text} }
	shown := func(profile studio.Profile, history ...agent.Message) (texts []any) {
		GinkgoHelper()
		answer := planV2("generate_image", 0.9)
		if profile == studio.ProfileV1 {
			answer = planV1("generate_image")
		}
		s := newStage(profile, answer)
		s.runTurn(agent.Turn{Text: "画一只猫", History: history})
		messages := s.sent(0).Messages
		for _, m := range messages[1 : len(messages)-1] {
			texts = append(texts, m.Content)
		}
		return texts
	}
	errorReply := func(t agent.Turn) string {
		GinkgoHelper()
		reply := newStage(studio.ProfileV2, planV2("inpainting", 0.9)).runTurn(t)
		Expect(reply.ErrorReply).NotTo(BeNil())
		return reply.Content
	}

	for profile, rounds := range map[studio.Profile]int{studio.ProfileV2: 2, studio.ProfileV1: 3} {
		It(string(profile)+": contains the conversation without messages that have no words and the answers to them",
			func() {
				var history []agent.Message
				var want []any
				for i := range rounds {
					history = append(history, said("user", fmt.Sprint("画", i)), said("assistant", fmt.Sprint("好", i)))
					want = append(want, fmt.Sprint("画", i), fmt.Sprint("好", i))
				}
				for _, noise := range []string{"😂", "", "  ", "👍👍", "……", "1️⃣"} {
					history = append(history, said("user", noise),
						said("assistant", errorReply(agent.Turn{Text: noise})))
				}
				history = append(history, said("user", "😂"), said("assistant", "哈哈，喜欢就好"), said("assistant", ""),
					said("assistant", "🎉"))
				Expect(shown(profile, history...)).To(Equal(want))
			})

		It(string(profile)+": contains the user's request but not the error reply to it", func() {
			history := []agent.Message{said("user", "画一只狗"), said("assistant", "好了"), said("user", "把这里换掉"),
				said("assistant", errorReply(agent.Turn{Text: "把这里换掉"}))}
			Expect(shown(profile, history...)).To(Equal([]any{"画一只狗", "好了", "把这里换掉"}))
		})

		It(string(profile)+": contains the answer with an image to a mask without a text", func() {
			made := agent.Message{Role: "assistant", Content: "换好了", GeneratedImageURL: canvas}
			Expect(shown(profile, said("user", "画一只狗"), said("assistant", "好了"), said("user", ""), made)).
				To(Equal([]any{"画一只狗", "好了", "换好了"}))
		})
	}

	It("S8: contains no error replies", func() {
		for _, text := range studio.ErrorReplies() {
			Expect(shown(studio.ProfileV2, said("user", "画一只狗"), said("assistant", text))).To(Equal([]any{"画一只狗"}))
		}
		Expect(studio.ErrorReplies()).To(ContainElement(errorReply(agent.Turn{})))
	})
})
