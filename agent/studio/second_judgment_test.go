package studio_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/knowledge"
	"evalctl/agent/studio"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

func messages(body string) json.RawMessage {
	GinkgoHelper()
	var request struct{ Messages json.RawMessage }
	Expect(json.Unmarshal([]byte(body), &request)).To(Succeed())
	return request.Messages
}

var _ = Describe("S5: A second judgment of an attempt", func() {
	// again judges each attempt of the last turn a second time and returns the scores.
	again := func(s *stage, seed uint64) (scores []float64, failed error) {
		GinkgoHelper()
		of := studio.System()
		opened, err := of.Open(system.Options{
			SettingValues: of.WithDefaults(map[string]string{"profile": string(s.config.Profile),
				"critic": string(s.config.Critic)})})
		Expect(err).NotTo(HaveOccurred())
		judge, err := opened.NewJudge(seed, func(string) system.Endpoint {
			return system.Endpoint{Provider: "dashscope", Model: "qwen-vl-plus", APIKey: "sk-test",
				HTTP: &http.Client{Transport: s}}
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			for _, e := range s.events {
				if e.Kind != trace.KindReview {
					continue
				}
				score, err := judge(ctx, e.Review.ReviewedWork)
				scores = append(scores, score)
				if failed == nil {
					failed = err
				}
			}
			return nil
		})).To(Succeed())
		return scores, failed
	}

	for _, profile := range studio.Profiles() {
		for _, critic := range []studio.Critic{studio.CriticLLM, studio.CriticVision} {
			It(string(profile)+": sends the "+string(critic)+" critic the same request as the first judgment", func() {
				s := reviewed(profile, critic, scores(0.1, 0.2, 0.9, 0.33, 0.44, 0.55))
				s.runText(wish)
				asked := s.bodies[1:4] // the requests after the plan
				got, err := again(s, 1)
				Expect(err).NotTo(HaveOccurred())
				Expect(got).To(Equal([]float64{0.33, 0.44, 0.55}))
				for i, body := range s.bodies[4:7] {
					Expect(messages(body)).To(Equal(messages(asked[i])))
				}
			})
		}
	}

	It("v2: uses other noise than the first one if the critic is heuristic", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.52))
		s.config.Critic = studio.CriticHeuristic
		s.runText(wish)
		for seed := range uint64(5) {
			got, err := again(s, seed)
			Expect(err).NotTo(HaveOccurred())
			for i, score := range got {
				Expect(score).To(Equal(studio.HeuristicScore(seed, wish, i+1, 0.52)))
			}
		}
	})

	It("v2: uses the prompt of the attempt, not the prompt that a later style search changed", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM, scores(0.1, 0.9, 0.5))
		s.search = func(context.Context, knowledge.Query) ([]knowledge.StyleMatch, error) {
			if len(s.queries) == 1 {
				return nil, errors.New("not yet")
			}
			return []knowledge.StyleMatch{cyberpunk}, nil
		}
		s.runText(wish)
		first := messages(s.bodies[1])
		Expect(messages(s.bodies[2])).NotTo(Equal(first))
		_, err := again(s, 1)
		Expect(err).NotTo(HaveOccurred())
		Expect(messages(s.bodies[3])).To(Equal(first))
	})

	It("has no score if the critic fails, and adds no event to the turn", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM, scores(0.1, 0.9))
		s.runText(wish)
		s.review = func(model.Request) string { return "no JSON" }
		before := len(s.events)
		_, err := again(s, 1)
		Expect(err).To(HaveOccurred())
		Expect(s.events).To(HaveLen(before))
	})

	It("is not possible for attempts of other systems", func() {
		opened, err := studio.System().Open(system.Options{SettingValues: studio.System().WithDefaults(nil)})
		Expect(err).NotTo(HaveOccurred())
		judge, err := opened.NewJudge(1, nil)
		Expect(err).NotTo(HaveOccurred())
		_, err = judge(context.Background(), "something else")
		Expect(err).To(HaveOccurred())
	})
})
