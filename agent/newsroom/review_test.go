package newsroom_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/newsroom"
	"evalctl/agent/trace"
)

// rejected is a review that approves of nothing, with these scores, and approved one
// that approves of all.
func rejected(scores string) string {
	return `{"reviewFeedback":{"approved":false,"comments":["太空"]},"qualityScores":{` + scores + `}}`
}

const (
	high     = `"infoDensity":0.9,"textImageAlignment":0.9,"styleConsistency":0.9,"readability":0.9,"platformFit":0.9`
	approved = `{"reviewFeedback":{"approved":true,"comments":[]},"qualityScores":{` + high + `}}`
)

var _ = Describe("a review", func() {
	It("N4: without scores is not judged by those of the one before", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["review"] = asking(rejected(high), `{"reviewFeedback":{"approved":true}}`)
		s.values["max-iterations"] = "6"
		r := s.say(wish)
		Expect(r.AnsweredBy).To(Equal("exhausted"))
		shown := s.asked["router"][len(s.asked["router"])-1].Text
		Expect(shown).To(And(ContainSubstring("- may_end: no"), Not(ContainSubstring("- scores"))))
	})

	It("X3: may have its scores within the artefact", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["review"] = asking(`{"reviewFeedback":{"approved":true,"comments":[],"qualityScores":{` + high + `}}}`)
		Expect(path(s.say(wish))).To(Equal([]string{"brief_compiler", "writer", "review", "END"}))
	})

	DescribeTable("N4: lets nothing go that was changed since", func(agent string) {
		s := newStage(script(agent, "END"))
		s.values["max-iterations"] = "3"
		r := s.play(on("改短", `{`+text+`,`+good+`,"imagePlans":[{"id":"p1","prompt":"猫"}]}`))[0]
		Expect(stepsOf(r)[1]).To(Equal("END→ by precondition (end_rejected)"))
		Expect(s.asked["router"][1].Text).To(And(ContainSubstring("- review: missing"), Not(ContainSubstring("- scores"))))
	}, Entry(nil, "writer_agent"), Entry(nil, "image_planner_agent"), Entry(nil, "image_agent"))

	It("that rejects is remembered by those who mend the piece, without its scores once they have", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "writer_agent", "image_planner_agent", "review_agent", "END"))
		s.says["review"] = asking(rejected(`"platformFit":0.2`), approved)
		Expect(s.say(wish).AnsweredBy).To(Equal("END"))
		Expect(s.asked["router"][3].Text).To(ContainSubstring("- backtrack: writer_agent"))
		Expect(s.asked["router"][4].Text).To(And(ContainSubstring("- review: rejected：太空"), Not(ContainSubstring("- backtrack"))))
		Expect(s.asked["image_plan"][0].Text).To(ContainSubstring("太空"))
	})

	It("N4: of no article ends nothing", func() {
		s := newStage(script("END"))
		s.values["max-iterations"] = "2"
		r := s.play(on("发吧", `{`+good+`}`))[0]
		Expect([]string{r.AnsweredBy, r.ErrorReply.Code}).To(Equal([]string{"exhausted", "EXHAUSTED"}))
		Expect(s.asked["router"][0].Text).To(ContainSubstring("- may_end: no（还没有正文）"))
	})

	It("goes by the score that is set, which every prompt tells", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.values["quality-threshold"], s.values["max-iterations"] = "0.95", "4"
		r := s.say(wish)
		Expect(r.AnsweredBy).To(Equal("exhausted"), "the usual score is 0.9")
		Expect(s.asked["review"][0].Messages[0].Text).To(ContainSubstring("0.95 是及格"))
		Expect(s.asked["review"][0].Text).To(ContainSubstring("及格线：0.95\n"))
		Expect(s.asked["router"][3].Text).To(ContainSubstring("- review: rejected"), "the simulated reviewer goes by it")
		for _, name := range []string{"complete", "few-shot"} {
			s := newStage(script("END"))
			s.values["quality-threshold"], s.values["supervisor-prompt"] = "0.95", name
			s.play(once(wish, `{}`))
			Expect(s.asked["router"][0].Messages[0].Text).To(ContainSubstring("不低于 0.95"))
		}
	})
})

var _ = Describe("work that is taken up again", func() {
	It("and that the review ends is no failure of a supervisor who was not asked", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["review"] = asking("deadline", approved)
		a := s.open()
		s.playBy(a, in("s1", wish))
		r := s.playBy(a, in("s1", "周五"))[0]
		Expect(r.ErrorReply).To(BeNil())
		Expect([]string{r.AnsweredBy, r.Predicted, r.DecidedBy}).To(Equal([]string{"END", "END", "review"}))
		Expect(s.asked["router"]).To(HaveLen(3))
	})

	It("N4: has no more iterations than without the question", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking("audience", briefed)
		s.values["max-iterations"] = "1"
		a := s.open()
		s.playBy(a, in("s1", wish))
		r := s.playBy(a, in("s1", "周五"))[0]
		Expect(stepsOf(r)).To(Equal([]string{"→END by max_iterations (max_iterations)"}))
		Expect([]string{r.Predicted, r.DecidedBy, r.ErrorReply.Code}).To(Equal([]string{"END", "max_iterations", "EXHAUSTED"}))
		Expect(s.asked["router"]).To(HaveLen(1))
	})
})

var _ = Describe("the limit of iterations", func() {
	It("N4: is never passed in what is told", func() {
		s := newStage(script("brief_compiler_agent"))
		r := s.play(on(wish, `{"iterationCount":15}`))[0]
		Expect(r.Content).To(ContainSubstring("15 轮"))
		Expect(s.asked["router"][0].Text).To(ContainSubstring("- iteration: 15/15\n"))
		Expect(newsroom.Status(`{"iterationCount":40}`, wish)).To(ContainSubstring("- iteration: 15/15\n"))
	})
})

var _ = Describe("a decision beside calls of tools", func() {
	It("N3: is read once there were ten calls", func() {
		s := newStage(nil)
		s.decides = calling(say("brief_compiler_agent"))
		s.values["max-iterations"] = "2"
		r := s.say(wish)
		Expect(path(r)).To(Equal([]string{"brief_compiler", "brief_compiler", "END"}))
		Expect(s.asked["router"]).To(HaveLen(2 * 11))
		Expect(s.of(trace.KindNoDecision)).To(BeEmpty())
	})
})

var _ = Describe("a supervisor who knows a path with a backtrack", func() {
	It("comes to its end when the writer fails once", func() {
		s := newStage(along(strings.Fields("brief_compiler_agent writer_agent review_agent research_evidence_agent writer_agent review_agent END")...))
		s.faults, s.want = "writer:wrong_schema@1", `{"simulated_reviews":[{"infoDensity":0.3},{}]}`
		r := s.say(wish)
		Expect(r.AnsweredBy).To(Equal("END"), "%s", path(r))
	})
})
