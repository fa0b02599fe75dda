package studio_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/studio"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

// scores returns a model that replies with these scores in order and repeats the last one.
func scores(list ...float64) func(model.Request) string {
	return func(r model.Request) string {
		score := list[min(r.CallNumber, len(list))-1]
		return verdict(score, score < 0.5) // "passed" is wrong on purpose, to check that it is ignored
	}
}

// reviewed returns a stage with this kind of critic. review returns the replies of the critic's
// model.
func reviewed(profile studio.Profile, c studio.Critic, review func(model.Request) string) *stage {
	answer := planV2("generate_image", 0.9)
	if profile == studio.ProfileV1 {
		answer = planV1("generate_image")
	}
	s := newStage(profile, answer)
	s.config.Critic, s.review = c, review
	return s
}

func reviews(s *stage) (list []trace.Review) {
	for _, e := range s.events {
		if e.Kind == trace.KindReview {
			Expect(e.Node).To(Equal("critic"))
			review := *e.Review
			Expect(review.ReviewedWork != nil).To(Equal(review.Reviewer != trace.NoReviewer))
			review.ReviewedWork = nil
			list = append(list, review)
		}
	}
	return list
}

var _ = Describe("S5: The heuristic critic of v2", func() {
	DescribeTable("returns the planner's confidence plus up to 0.2, at most 1", func(confidence float64) {
		seen := map[float64]bool{}
		for seed := range uint64(500) {
			for loop := range 4 {
				score := studio.HeuristicScore(seed, wish, loop+1, confidence)
				Expect(score).To(And(BeNumerically(">=", confidence), BeNumerically("<=", min(1, confidence+0.2))))
				seen[score] = true
			}
		}
		if confidence <= 0.8 {
			Expect(len(seen)).To(BeNumerically(">", 1990), "noise differs by seed and loop")
		}
	}, Entry(nil, 0.51), Entry(nil, 0.6), Entry(nil, 0.8), Entry(nil, 0.95), Entry(nil, 1.0))

	It("adds noise that is uniformly distributed", func() {
		sum, n := 0.0, 20_000
		for seed := range uint64(n) {
			sum += studio.HeuristicScore(seed, wish, 1, 0)
		}
		Expect(sum / float64(n)).To(BeNumerically("~", 0.1, 0.001))
	})

	It("adds noise that depends on the user's text", func() {
		Expect(studio.HeuristicScore(1, "a", 1, 0)).NotTo(Equal(studio.HeuristicScore(1, "b", 1, 0)))
	})

	It("scores each attempt with HeuristicScore and passes scores above 0.7", func() {
		images := map[int]int{}
		for seed := range uint64(40) {
			s := newStage(studio.ProfileV2, planV2("generate_image", 0.6))
			s.config.Seed = seed
			s.runText(wish)
			list := reviews(s)
			for i, r := range list {
				score := studio.HeuristicScore(seed, wish, i+1, 0.6)
				Expect(r).To(Equal(trace.Review{Loop: i + 1, Score: score, Passed: score > 0.7, Reviewer: "heuristic",
					CriticInput: trace.CriticInputPlan,
					Feedback:    map[bool]string{true: "图片质量符合要求", false: "图片可能需要调整，建议重新生成或调整参数"}[score > 0.7]}))
			}
			images[len(list)]++
		}
		Expect(images).To(And(HaveKey(1), HaveKey(2)), "some pass at once, some later")
	})
})

var _ = Describe("S5: The critic with a model", func() {
	DescribeTable("decides only by the score whether an image passes",
		func(profile studio.Profile, score float64, passed bool) {
			s := reviewed(profile, studio.CriticLLM, scores(score))
			s.runText(wish)
			Expect(reviews(s)[0]).To(
				Equal(trace.Review{Loop: 1, Score: score, Passed: passed, Reviewer: "llm",
					CriticInput: trace.CriticInputPrompt, Feedback: "还行"}))
		},
		Entry(nil, studio.ProfileV2, 0.71, true), Entry(nil, studio.ProfileV2, 0.7, false),
		Entry(nil, studio.ProfileV2, 0.0, false),
		Entry(nil, studio.ProfileV2, 1.0, true),
		Entry(nil, studio.ProfileV1, 0.6, true), Entry(nil, studio.ProfileV1, 0.59, false),
	)

	for _, profile := range studio.Profiles() {
		DescribeTable("S5: "+string(profile)+": counts a score even if other fields or its notation are wrong",
			func(fields, feedback string) {
				s := reviewed(profile, studio.CriticLLM, func(r model.Request) string {
					return []string{`{` + fields + `}`, verdict(0.9, true)}[r.CallNumber-1]
				})
				s.runText(wish)
				Expect(reviews(s)).To(HaveLen(2))
				Expect(reviews(s)[0].Score).To(Equal(0.1))
				Expect(reviews(s)[0].Passed).To(BeFalse())
				Expect(reviews(s)[0].Reviewer).To(Equal("llm"))
				if feedback != "" {
					Expect(reviews(s)[0].Feedback).To(Equal(feedback))
				}
				Expect(s.eventLines(trace.KindFallback)).To(BeEmpty())
			},
			Entry("the suggestions are a text instead of a list",
				`"passed":false,"score":0.1,"feedback":"不像","suggestions":"重新生成"`,
				"不像"),
			Entry("the feedback is a list", `"passed":"no","score":0.1,"feedback":["不像","太暗"],"suggestions":null`,
				"不像、太暗"),
			Entry("the feedback is not a text",
				`"passed":7,"score":0.1,"feedback":{"zh":"不像"},"suggestions":[1,{"a":"b"},"换个角度"]`, ""),
			Entry("the score is in quotes", `"passed":false,"score":"0.1","suggestions":{}`, ""),
			Entry("the score is a percentage in quotes", `"score":"10%"`, ""),
			Entry("the score is a percentage without quotes", `"score":10%,"feedback":"不像"`, "不像"),
			Entry("the score is a fraction with 1 in quotes", `"score":"0.1/1"`, ""),
			Entry("the score is a fraction without quotes", `"score": 1/10}`+"\n{", ""),
			Entry("the score is a fraction in quotes", `"score":"10 / 100"`, ""),
			Entry("the score has a Chinese unit", `"score":"0.1分"`, ""),
			Entry("the score has no zero before the decimal point", `"score":.1,"feedback":"不像"`, "不像"),
			Entry("the score has a plus sign", `"score":+0.1`, ""),
			Entry("the score has full-width digits in quotes", `"score":"０．１"`, ""),
			Entry("the score has full-width digits without quotes", `"score":０．１`, ""),
			Entry("the field names are capitalized", `"Passed":false,"Score":0.1,"Feedback":"不像"`, "不像"),
			Entry("the score is a list of one number", `"score":[0.1]`, ""),
		)
	}

	It("v2: rejects at most 3 images, so that at most 4 are generated, each after a style search", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM, scores(0.1, 0.2, 0.3, 0.4))
		reply := s.runText(wish)
		Expect(s.attempts).To(Equal(4))
		Expect(reviews(s)).To(HaveLen(4))
		Expect(reviews(s)[3].Score).To(Equal(0.4))
		Expect(strings.Count(s.stream(), "thought_log:rag")).To(Equal(4))
		Expect(s.eventLines(trace.KindCriticLoop)).
			To(Equal([]string{"loop critic→rag (rejected)", "loop critic→rag (rejected)",
				"loop critic→rag (rejected)", "loop critic→genui (exhausted)"}))
		Expect(reply.AnsweredBy).To(Equal("generate_image"))
		Expect(reply.GeneratedImageURL).NotTo(BeEmpty())
		Expect(reply.Content).To(Equal("还行（得分 0.40，已尝试 4 次，未通过审查）。"))
		Expect(s.components()[1]).To(Equal(`{"widgetType":"ActionPanel","props":{"actions":[` +
			`{"id":"regenerate_btn","label":"重新生成","type":"button"},{"id":"suggestion_1_btn","label":"换个角度","type":"button"}]}}`))
	})

	DescribeTable("v2: shows the model's feedback and the score, or a default text without feedback",
		func(answer, text string) {
			s := reviewed(studio.ProfileV2, studio.CriticLLM, func(model.Request) string { return answer })
			Expect(s.runText(wish).Content).To(Equal(text))
			Expect(text).To(HavePrefix(reviews(s)[0].Feedback + "（得分"))
		},
		Entry("the model returns feedback", `{"score":0.93,"feedback":"光影很美"}`, "光影很美（得分 0.93）。"),
		Entry("the model returns feedback with a period and line break, which are removed",
			`{"score":0.93,"feedback":" 光影很美。\n"}`, "光影很美（得分 0.93）。"),
		Entry("the model returns no feedback for a passed image", `{"score":0.93}`, "图片质量符合要求（得分 0.93）。"),
		Entry("the model returns blank feedback for a rejected image", `{"score":0.62,"feedback":" \u200b。"}`,
			"图片可能需要调整，建议重新生成或调整参数（得分 0.62，已尝试 4 次，未通过审查）。"),
	)

	It("v1: records the feedback of the model, and no default text", func() {
		s := reviewed(studio.ProfileV1, studio.CriticLLM, func(model.Request) string { return `{"score":0.9}` })
		s.runText(wish)
		Expect(reviews(s)).To(Equal(
			[]trace.Review{{Loop: 1, Score: 0.9, Passed: true, Reviewer: "llm", CriticInput: trace.CriticInputPrompt}}))
	})

	It("v2: ends the turn after the first image that passes", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM, scores(0.5, 0.9))
		s.runText(wish)
		Expect(s.attempts).To(Equal(2))
		Expect(s.eventLines(trace.KindCriticLoop)).To(Equal([]string{"loop critic→rag (rejected)"}))
	})

	It("v2: shows default suggestions if the model returns none", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM, func(model.Request) string { return `{"score":0.2}` })
		s.runText(wish)
		Expect(s.components()[1]).To(And(ContainSubstring("尝试调整风格强度"), ContainSubstring("修改 Prompt")))
		Expect(strings.Count(s.components()[1], "重新生成")).To(Equal(1))
	})

	It("S6: limits the length of its texts and the number of suggestions", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM, func(model.Request) string {
			return `{"score":0.9,"feedback":"` + strings.Repeat("好", 500) + `","suggestions":["` +
				strings.Join(strings.Split("改换调修补涂抹删", ""), `","`) + strings.Repeat("长", 500) + `"]}`
		})
		Expect(s.runText(wish).Content).To(Equal(strings.Repeat("好", 200) + "（得分 0.90）。"))
		Expect(strings.Count(s.components()[1], `"label"`)).To(Equal(1 + 5))
	})

	It("S6: creates no button for a blank suggestion", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM,
			func(model.Request) string { return `{"score":0.9,"suggestions":[""," ","换个角度"]}` })
		s.runText(wish)
		Expect(s.components()[1]).
			To(And(ContainSubstring("换个角度"), Not(ContainSubstring(`"label":""`)), Not(ContainSubstring(`"label":" "`))))
	})

	DescribeTable("v1: shows the score, and suggestions only if it is below 0.8",
		func(score float64, text string) {
			s := reviewed(studio.ProfileV1, studio.CriticLLM, scores(score))
			reply := s.runText(wish)
			shown := strings.Contains(s.stream(), "gen_ui_component:critic")
			Expect(shown).To(Equal(score < 0.8))
			Expect(reply.Content).To(Equal(text))
		},
		Entry(nil, 0.79, "生成完成！质量评分：79/100。换个角度"),
		Entry(nil, 0.8, "生成完成！质量评分：80/100。"),
		Entry(nil, 0.6, "生成完成！质量评分：60/100。换个角度"),
	)

	It("S6: v1: after a rejection, shows a message and a second panel with suggestions", func() {
		s := reviewed(studio.ProfileV1, studio.CriticLLM, scores(0.5, 0.9))
		s.runText(wish)
		Expect(s.stream()).To(ContainSubstring(
			"thought_log:critic gen_ui_component:critic gen_ui_component:critic thought_log:executor "))
		Expect(s.components()[2:4]).To(Equal([]string{
			`{"widgetType":"AgentMessage","props":{"state":"success","text":"生成完成！质量评分：50/100。换个角度","isThinking":false}}`,
			`{"widgetType":"ActionPanel","props":{"actions":[{"id":"regenerate_btn","label":"重新生成","type":"button"},` +
				`{"id":"suggestion_1_btn","label":"换个角度","type":"button"}]}}`}))
	})

	DescribeTable("S6: v1: shows a second panel even if its buttons are already shown, with each button once",
		func(suggestions string, labels ...string) {
			s := reviewed(studio.ProfileV1, studio.CriticLLM, func(r model.Request) string {
				return []string{`{"score":0.1,"suggestions":` + suggestions + `}`,
					`{"score":0.1,"suggestions":` + suggestions + `}`, `{"score":0.9}`}[r.CallNumber-1]
			})
			s.runText(wish)
			Expect(strings.Count(s.stream(), "gen_ui_component:critic gen_ui_component:critic ")).To(Equal(2))
			for _, panel := range []int{3, 7} {
				for _, l := range append(labels, "重新生成") {
					Expect(strings.Count(s.components()[panel], `"label":"`+l+`"`)).To(Equal(1), l)
				}
				Expect(strings.Count(s.components()[panel], `"label"`)).To(Equal(len(labels) + 1))
			}
		},
		Entry("the only suggestion repeats the built-in button", `"重新生成"`),
		Entry("a suggestion occurs twice", `["a","a","重新生成","b"]`, "a", "b"),
	)

	It("S6: v1: shows no panel for an image that passes", func() {
		s := reviewed(studio.ProfileV1, studio.CriticLLM, scores(0.7))
		s.runText(wish)
		Expect(s.components()).To(HaveLen(3), "canvas, panel, message")
	})

	It("v1: shows a default suggestion if the model returns none", func() {
		s := reviewed(studio.ProfileV1, studio.CriticLLM, func(model.Request) string { return `{"score":0.7}` })
		Expect(s.runText(wish).Content).To(Equal("生成完成！质量评分：70/100。可以尝试调整参数以获得更好效果"))
		Expect(s.eventLines(trace.KindThoughtLog)).To(ContainElement("critic 质量审查完成。评分：70/100。已通过。"))
	})

	It("v1: sends a rejected image back to the executor, without a style search", func() {
		s := reviewed(studio.ProfileV1, studio.CriticLLM, scores(0.5, 0.55, 0.9))
		s.runText(wish)
		Expect(s.attempts).To(Equal(3))
		Expect(s.eventLines(trace.KindThoughtLog)).To(ContainElement("critic 质量审查完成。评分：50/100。建议优化。"))
	})

	It("receives the review prompt and the user's text", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM, scores(0.9))
		s.runText(wish)
		r := s.sent(1)
		Expect(r.ResponseFormat.Type).To(Equal("json_object"))
		Expect(r.Messages).To(HaveLen(2))
		Expect(r.Messages[0].Content).To(And(ContainSubstring(`"score"`), ContainSubstring(`"passed"`),
			ContainSubstring("generate_image"), ContainSubstring("主体：猫"), ContainSubstring("风格：赛博朋克"),
			ContainSubstring(wish+", neon-lit night city")))
		Expect(r.Messages[1]).To(Equal(sentMessage{"user", wish}))
		Expect(s.server.Calls("critic")).To(Equal(1))
	})

	It("X7: receives the review prompt of the configuration", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM, scores(0.9))
		s.config.Prompts.Review = prompt(`只回 json：{"score":0}。风格：{{.Style}}`)
		s.runText(wish)
		Expect(s.sent(1).Messages[0].Content).To(Equal(`只回 json：{"score":0}。风格：赛博朋克`))
	})

	It("receives the image if its model has image input", func() {
		s := reviewed(studio.ProfileV2, studio.CriticVision, scores(0.9))
		reply := s.runText(wish)
		Expect(reviews(s)[0].Reviewer).To(Equal("vision"))
		Expect(reviews(s)[0].CriticInput).To(Equal(trace.CriticInputImage))
		Expect(s.bodies[1]).To(And(ContainSubstring(`"type":"image_url"`), ContainSubstring(reply.GeneratedImageURL),
			ContainSubstring(wish)))
		Expect(s.server.Calls("critic")).To(Equal(1))
	})

	DescribeTable("passes the image if its model call or answer fails",
		func(profile studio.Profile, fault, answer, reason string) {
			s := reviewed(profile, studio.CriticLLM, func(model.Request) string { return answer })
			s.faults = fault
			reply := s.runText(wish)
			Expect(reply.AnsweredBy).To(Equal("generate_image"))
			Expect(reply.Content).To(Equal("图片已生成。"))
			Expect(reviews(s)).To(Equal([]trace.Review{{Loop: 1, Passed: true, Reviewer: "none"}}))
			Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"fallback critic→pass (" + reason + ")"}))
			Expect(s.eventLines(trace.KindCriticLoop)).To(BeEmpty())
		},
		Entry("the model call fails in v2", studio.ProfileV2, "critic:auth", "", "auth"),
		Entry("the model call fails in v1", studio.ProfileV1, "critic:server_error", "", "server_error"),
		Entry("the answer is empty", studio.ProfileV2, "", "", "empty_content"),
		Entry("the answer is not JSON", studio.ProfileV2, "", "挺好看的", "malformed_json"),
		Entry("the answer contains no score", studio.ProfileV2, "", `{"passed":true}`, "wrong_schema"),
		Entry("the score is above 1", studio.ProfileV1, "", `{"passed":true,"score":85}`, "wrong_schema"),
		Entry("the score is NaN", studio.ProfileV2, "", `{"score":NaN}`, "wrong_schema"),
		Entry("the score is NaN in quotes", studio.ProfileV2, "", `{"score":"NaN"}`, "wrong_schema"),
		Entry("the score is a word", studio.ProfileV1, "", `{"score":"low"}`, "wrong_schema"),
		Entry("the score is a percentage above 100", studio.ProfileV2, "", `{"score":"110%"}`, "wrong_schema"),
		Entry("the score is a fraction above 1", studio.ProfileV2, "", `{"score":11/10}`, "wrong_schema"),
		Entry("the score is zero divided by zero", studio.ProfileV1, "", `{"score":"0/0"}`, "wrong_schema"),
		Entry("the answer contains two scores", studio.ProfileV2, "", `{"score":[0.1,0.2]}`, "wrong_schema"),
		Entry("the score is in points of 100", studio.ProfileV2, "", `{"score":"85分"}`, "wrong_schema"),
		Entry("the score is null", studio.ProfileV1, "", `{"score":null}`, "wrong_schema"),
	)

	DescribeTable("S5: passes an image that the model rejects without a valid score; the message to the user does not praise it",
		func(profile studio.Profile, answer string) {
			s := reviewed(profile, studio.CriticLLM, func(model.Request) string { return answer })
			reply := s.runText(wish)
			Expect(reply.AnsweredBy).To(Equal("generate_image"))
			Expect(reply.Content).To(Equal("图片已生成，但审查没有认可它，可以重新生成试试。"))
			Expect(reviews(s)).To(Equal([]trace.Review{{Loop: 1, Passed: true, Reviewer: "none"}}))
		},
		Entry(nil, studio.ProfileV2, `{"passed":false,"feedback":"不像"}`),
		Entry(nil, studio.ProfileV1, `{"passed":false,"score":"low"}`),
		Entry(nil, studio.ProfileV2, `{"Passed":"No","score":8.5}`),
	)

	DescribeTable("S5: recognizes a rejection in an answer that is cut off before its score",
		func(profile studio.Profile) {
			s := reviewed(profile, studio.CriticLLM,
				func(model.Request) string { return `{"passed":false,"score":0.` + cutMark })
			reply := s.runText(wish)
			Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"fallback critic→pass (truncated)"}))
			Expect(reply.Content).To(Equal("图片已生成，但审查没有认可它，可以重新生成试试。"))
		}, Entry(nil, studio.ProfileV1), Entry(nil, studio.ProfileV2))

	DescribeTable("S9: passes the image after exactly 8 s without an answer", func(profile studio.Profile) {
		s := reviewed(profile, studio.CriticLLM, scores(0.1))
		s.faults = "critic:timeout"
		reply := s.runText(wish)
		Expect(reply.AnsweredBy).To(Equal("generate_image"))
		Expect(s.duration).To(Equal(time.Second + paintedIn(s) + 8*time.Second))
	}, Entry(nil, studio.ProfileV2), Entry(nil, studio.ProfileV1))

	It("X6: passes the image after a panic", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM, scores(0.1))
		cfg := s.wire(second)
		cfg.Reviewer = new(llm.Client) // a client that was not created with llm.New panics
		reply := s.playBy(opened(cfg), agent.Turn{Text: wish})
		Expect(reply.AnsweredBy).To(Equal("generate_image"))
		Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"fallback critic→pass (panic)"}))
	})

	It("has a built-in prompt that requires the four fields", func() {
		for _, profile := range studio.Profiles() {
			p, err := studio.ShippedPrompts(profile)
			Expect(err).NotTo(HaveOccurred())
			for _, word := range []string{`"passed"`, `"score"`, `"feedback"`, `"suggestions"`, "json"} {
				Expect(p.Review.Text).To(ContainSubstring(word))
			}
		}
	})
})

func paintedIn(s *stage) time.Duration {
	for _, e := range s.events {
		if e.Kind == trace.KindSpan && e.Node == "executor" {
			return e.Span.Duration
		}
	}
	return -1
}
