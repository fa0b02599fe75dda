package newsroom_test

import (
	"encoding/json"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/newsroom"
)

// listed contains the state fields of the design, in order.
var listed = []string{"messages", "creativeBrief", "evidencePack", "bodyBlocks", "referenceAnalyses",
	"layoutSpec", "imagePlans",
	"generatedContent", "generatedImageAssetIds", "reviewFeedback", "qualityScores", "referenceImages",
	"layoutPreference", "imageGenProvider",
	"iterationCount", "maxIterations", "clarificationRounds", "threadId", "agentClarificationKeys", "creativeId"}

var _ = Describe("the state of a newsroom", func() {
	It("N6: has exactly the twenty fields of the design", func() {
		Expect(newsroom.StateFieldNames()).To(Equal(listed))
		Expect(listed).To(HaveLen(20))
	})

	It("N6: has one agent for each artifact; no other agent may write it", func() {
		owners := newsroom.Owners()
		Expect(owners).To(HaveLen(10))
		for _, field := range listed {
			for agent := range newsroom.Reads() {
				err := newsroom.Take(agent, field)
				if slices.Equal(owners[field], []string{agent}) {
					Expect(err).NotTo(HaveOccurred())
				} else {
					Expect(err).To(MatchError(agent + " may not write " + field))
				}
			}
		}
	})

	It("N6: is part of an agent's prompt only with the fields that the agent reads", func() {
		s := newStage(followPath("brief_compiler_agent", "research_evidence_agent", "reference_intelligence_agent",
			"layout_planner_agent",
			"image_planner_agent", "writer_agent", "image_agent", "review_agent", "END"))
		turn := turnWithState(sampleRequest,
			`{"referenceImages":["https://a.example/1.png"],"layoutPreference":"竖版","imageGenProvider":"placeholder","creativeId":"秘密"}`)
		Expect(s.runTurns(turn)[0].AnsweredBy).To(Equal("END"))
		parts := map[string]string{"brief": "brief_compiler_agent", "research": "research_evidence_agent",
			"reference": "reference_intelligence_agent",
			"layout":    "layout_planner_agent", "image_plan": "image_planner_agent", "writer": "writer_agent",
			"image_agent": "image_agent", "review": "review_agent"}
		for part, agent := range parts {
			Expect(s.requests[part]).NotTo(BeEmpty(), part)
			shown := s.requests[part][0].Text
			for _, field := range listed {
				if !slices.Contains(newsroom.Reads()[agent], field) {
					Expect(shown).NotTo(ContainSubstring("## "+field), agent)
				}
			}
			Expect(shown).NotTo(ContainSubstring("秘密"))
		}
		Expect(s.requests["writer"][0].Text).
			To(And(ContainSubstring("## creativeBrief\n{"), ContainSubstring("## evidencePack\n{")))
		Expect(s.requests["reference"][0].ImageCount).To(Equal(1))
	})

	DescribeTable("is rejected in a case if part of a value would be lost when it is stored",
		func(field, value, wrong string) {
			err := newsroom.System().Contract.StateFields[field](json.RawMessage(value))
			if wrong == "" {
				Expect(err).NotTo(HaveOccurred())
			} else {
				Expect(err).To(MatchError(ContainSubstring(wrong)))
			}
		},
		Entry(nil, "creativeBrief", `{"topic":"x","goals":["a"]}`, ""),
		Entry(nil, "creativeBrief", `{"topic":"x","colour":"red"}`, "colour: is unknown"),
		Entry(nil, "creativeBrief", `"x"`, "must be an object, got a string"),
		Entry(nil, "imagePlans", `[]`, ""), Entry(nil, "imagePlans", `[{"id":"p"}]`, "only 0 of 1"),
		Entry(nil, "qualityScores", `{"infoDensity":0.5}`, ""),
		Entry(nil, "qualityScores", `{"infoDensity":5}`, "infoDensity: 5 is not in 0..1"),
		Entry(nil, "qualityScores", `{"beauty":0.5}`, "beauty"),
		Entry(nil, "iterationCount", `15`, ""), Entry(nil, "iterationCount", `-1`, "not in 0..100"),
		Entry(nil, "maxIterations", `1000`, "not in 0..100"),
		Entry(nil, "threadId", `7`, "must be a string, got a number"),
		Entry(nil, "messages", `[{"role":"user","content":"a"}]`, ""),
		Entry(nil, "messages", `[{"role":1}]`, "role: must be a string, got a number"),
		Entry(nil, "iterationCount", `1.5`, "must be a whole number, got a number"),
		Entry(nil, "layoutSpec", `{"format":"x","sections":[{"title":"a","image":false}]}`, ""),
	)

	It("has checks for the simulated replies that a case defines", func() {
		checks := newsroom.System().Contract.SimulatedFields
		Expect(checks["simulated_reviews"](json.RawMessage(`[{"infoDensity":0.5,"approved":false},{}]`))).To(Succeed())
		Expect(checks["simulated_reviews"](json.RawMessage(`[{"infoDensity":2}]`))).NotTo(Succeed())
		Expect(checks["simulated_reviews"](json.RawMessage(`[{"beauty":1}]`))).NotTo(Succeed())
		Expect(checks["simulated_reviews"](json.RawMessage(`[]`))).NotTo(Succeed())
		Expect(checks["simulated_questions"](json.RawMessage(`["audience"]`))).To(Succeed())
		Expect(checks["simulated_questions"](json.RawMessage(`[""]`))).NotTo(Succeed())
	})

	DescribeTable("has checks that reject simulated replies which no agent could return",
		func(field, value, wrong string) {
			Expect(newsroom.System().Contract.SimulatedFields[field](json.RawMessage(value))).
				To(MatchError(ContainSubstring(wrong)))
		},
		Entry(nil, "simulated_reviews", `[{"readability":2}]`, "[0].readability: 2 is not in 0..1"),
		Entry(nil, "simulated_reviews", `[{},{"approved":1}]`, "[1].approved: is neither true nor false"),
		Entry(nil, "simulated_reviews", `[{"beauty":1}]`, "[0].beauty: is not a dimension"),
		Entry(nil, "simulated_reviews", `[{"readability":null}]`, "is not a number"),
		Entry(nil, "simulated_reviews", `[{}`+strings.Repeat(",{}", 100)+`]`, "1 to 100 reviews"),
		Entry(nil, "simulated_questions", `["k","k"]`, `"k" is given twice`),
		Entry(nil, "simulated_questions", `[" k"]`, "without spaces around it"),
		Entry(nil, "simulated_questions", `["\u001b[31m"]`, "can be printed"),
		Entry(nil, "simulated_questions", `["`+strings.Repeat("长", 101)+`"]`, "1 to 100 characters"),
	)
})

var _ = DescribeTable("X3: Parsing an agent's answer accepts invalid fields except for the required content",
	func(agent, answer, want string) {
		kept, _, err := newsroom.Read(agent, answer)
		if want == "" {
			Expect(err).To(HaveOccurred())
			return
		}
		Expect(err).NotTo(HaveOccurred())
		Expect(kept).To(MatchJSON(want))
	},
	Entry("a brief in prose and a code fence", "brief_compiler_agent",
		"好的：\n```json\n{\"creativeBrief\":{\"topic\":\"露营\",}}\n```",
		`{"creativeBrief":{"topic":"露营","audience":"","platform":"","tone":"","goals":null,"must_include":null}}`),
	Entry("a brief without the enclosing field", "brief_compiler_agent", `{"topic":"露营","goals":"省钱"}`,
		`{"creativeBrief":{"topic":"露营","audience":"","platform":"","tone":"","goals":["省钱"],"must_include":null}}`),
	Entry("a brief with additional fields of wrong types", "brief_compiler_agent",
		`{"creativeBrief":{"topic":"露营","audience":["学生","新手"],"tone":{"a":1},"goals":[1,null,"x"],"must_include":7}}`,
		`{"creativeBrief":{"topic":"露营","audience":"学生\n新手","platform":"","tone":"","goals":["1","x"],"must_include":["7"]}}`),
	Entry("but no brief without a topic", "brief_compiler_agent", `{"creativeBrief":{"audience":"学生"}}`, ""),
	Entry("but no answer that is not JSON", "brief_compiler_agent", `我写好了`, ""),
	Entry("a list of facts with invalid items", "research_evidence_agent",
		`{"evidencePack":{"summary":"","facts":[{"claim":"a"},7,{"source":"b"},null]},"bodyBlocks":"乱"}`,
		`{"evidencePack":{"summary":"","facts":[{"claim":"a","source":""}]}}`),
	Entry("image plans without an ID or with the same ID", "image_planner_agent",
		`{"imagePlans":[{"prompt":"a"},{"id":"p","prompt":"b"},{"id":"p","prompt":"c"},{"id":9,"prompt":"d"}]}`,
		`{"imagePlans":[{"id":"img-1","section":"","prompt":"a","size":""},{"id":"p","section":"","prompt":"b","size":""},{"id":"img-3","section":"","prompt":"c","size":""},{"id":"9","section":"","prompt":"d","size":""}]}`),
	Entry("layout sections with an unusual boolean", "layout_planner_agent",
		`{"layoutSpec":{"sections":[{"title":"a","image":"是"},{"title":"b","image":[]}]}}`,
		`{"layoutSpec":{"format":"","sections":[{"title":"a","purpose":"","image":true},{"title":"b","purpose":"","image":false}]}}`),
	Entry("a body that is a list of paragraphs", "writer_agent",
		`{"generatedContent":{"title":"t","body":["a","b"],"tags":"x"}}`,
		`{"generatedContent":{"title":"t","body":"a\nb","tags":["x"]}}`),
	Entry("but no post without a body", "writer_agent", `{"generatedContent":{"title":"t","body":""}}`, ""),
	Entry("a review with invalid scores", "review_agent",
		`{"reviewFeedback":{"approved":"true","comments":"ok"},"qualityScores":{"infoDensity":"0.8","readability":80,"platformFit":null}}`,
		`{"reviewFeedback":{"approved":true,"comments":["ok"]},"qualityScores":{"infoDensity":0.8}}`),
	Entry("but no review without the field approved", "review_agent",
		`{"reviewFeedback":{"comments":[]},"qualityScores":{"infoDensity":1}}`, ""),
	Entry("a review without the enclosing field", "review_agent",
		`{"approved":false,"comments":["差"],"qualityScores":{"infoDensity":0.1}}`,
		`{"reviewFeedback":{"approved":false,"comments":["差"]},"qualityScores":{"infoDensity":0.1}}`),
)
