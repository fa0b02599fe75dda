package datasets_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
)

// These agents run in an order that the specification fixes.
const (
	briefCompiler, writer, reviewer = "brief_compiler_agent", "writer_agent", "review_agent"
	imagePlanner, illustrator       = "image_planner_agent", "image_agent"
)

// qualityDimensions contains the dimensions of quality in the order of the specification. If a
// dimension has the lowest score, the work goes back to its agent.
var qualityDimensions = []struct{ name, agent string }{
	{"infoDensity", "research_evidence_agent"}, {"textImageAlignment", "layout_planner_agent"},
	{"styleConsistency", "reference_intelligence_agent"}, {"readability", imagePlanner}, {"platformFit", writer},
}

// backTo returns the agent that the work goes back to: that of the lowest score below 0.7. It
// returns "" if no score is below 0.7. missing is the value of a missing score.
func backTo(scores map[string]float64, missing float64) (agent string) {
	low := 0.7
	for _, s := range qualityDimensions {
		score, given := scores[s.name]
		if !given {
			score = missing
		}
		if score < low {
			low, agent = score, s.agent
		}
	}
	return agent
}

// newsState contains the parts of a turn's state that the rules of the specification use.
type newsState struct {
	Messages       []agent.Message
	CreativeBrief  map[string]any
	ImagePlans     []any
	Content        struct{ Body string }    `json:"generatedContent"`
	Review         *struct{ Approved bool } `json:"reviewFeedback"`
	QualityScores  map[string]float64
	IterationCount int
	MaxIterations  int
}

func (d newsState) atLimit() bool {
	limit := d.MaxIterations
	if limit == 0 {
		limit = 15
	}
	return d.IterationCount >= limit
}

func (d newsState) approved() bool {
	return d.Review != nil && d.Review.Approved && len(d.QualityScores) == len(qualityDimensions) &&
		backTo(d.QualityScores, 0) == ""
}

// nextStep returns the step that the specification requires after the supervisor has decided on a
// step.
func (d newsState) nextStep(decided string) string {
	switch {
	case decided == "END" && d.approved():
		return "END"
	case d.atLimit():
		return "exhausted"
	case decided == "END":
		return "supervisor"
	case decided == reviewer && d.Content.Body == "":
		return d.nextStep(writer)
	case decided == writer && len(d.CreativeBrief) == 0:
		return briefCompiler
	case decided == illustrator && len(d.ImagePlans) == 0:
		return imagePlanner
	}
	return decided
}

// newsroomTurn is a labeled turn of the dataset newsroom.
type newsroomTurn struct {
	of     newsCase
	nth    int // number of the turn, from 0
	single bool
	desk   newsState
	Next   eval.OneOf            `json:"next_agent"`
	Served eval.OneOf            `json:"answered_by"`
	Back   string                `json:"backtrack"`
	Path   []eval.OneOf          `json:"path"`
	Under  map[string]eval.OneOf `json:"under_fault"`
	Review []map[string]any      `json:"simulated_reviews"`
}

func (s newsroomTurn) is(tag string) bool { return slices.Contains(s.of.Tags, tag) }

type newsCase struct {
	ID, Split string
	Tags      []string
	newsTurn
	Turns []newsTurn
}

type newsTurn struct {
	Input  *agent.Turn
	Expect json.RawMessage
}

// newsCases reads the cases of the dataset newsroom from its directory.
func newsCases() (cases []newsCase) {
	files, err := filepath.Glob("newsroom/*.jsonl")
	Expect(err).NotTo(HaveOccurred())
	for _, name := range files {
		raw, err := os.ReadFile(name)
		Expect(err).NotTo(HaveOccurred())
		for line := range bytes.Lines(raw) {
			var c newsCase
			Expect(json.Unmarshal(line, &c)).To(Succeed())
			if c.Input != nil {
				c.Turns = []newsTurn{c.newsTurn}
			}
			cases = append(cases, c)
		}
	}
	return cases
}

func stories(cases []newsCase) (list []newsroomTurn) {
	for _, c := range cases {
		for i, t := range c.Turns {
			s := newsroomTurn{of: c, nth: i, single: string(t.Input.Options["single_step"]) == "true"}
			Expect(json.Unmarshal(t.Expect, &s)).To(Succeed(), c.ID)
			state, err := json.Marshal(t.Input.State)
			Expect(err).NotTo(HaveOccurred())
			Expect(json.Unmarshal(state, &s.desk)).To(Succeed(), c.ID)
			list = append(list, s)
		}
	}
	return list
}

var _ = Describe("The built-in dataset newsroom", Ordered, ContinueOnFailure, func() {
	var cases []newsCase
	var steps, episodes []newsroomTurn
	BeforeAll(func() {
		cases = newsCases()
		for _, s := range stories(cases) {
			if s.single {
				steps = append(steps, s)
			} else {
				episodes = append(episodes, s)
			}
		}
	})

	It("has at least 380 cases, at least 30 test cases with each tag, and some cases for tuning", func() {
		counts, all := map[string]map[string]int{}, map[string]int{}
		for _, c := range cases {
			all[c.Split]++
			for _, t := range c.Tags {
				if counts[t] == nil {
					counts[t] = map[string]int{}
				}
				counts[t][c.Split]++
			}
		}
		Expect(len(cases)).To(BeNumerically(">=", 380))
		Expect(all["test"]).To(BeNumerically("~", 0.6*float64(len(cases)), 5))
		Expect(all["dev"]).To(BeNumerically("~", 0.2*float64(len(cases)), 5))
		Expect(counts).To(HaveLen(16), "tags")
		delete(counts, "follow-up")
		for tag, n := range counts {
			Expect(n["test"]).To(BeNumerically(">=", 30), tag)
			Expect(min(n["dev"], n["train"])).To(BeNumerically(">=", 5), tag)
		}
	})

	It("has IDs that do not reveal the label, and only the state fields that the specification defines", func() {
		fields := []string{"messages", "creativeBrief", "evidencePack", "bodyBlocks", "referenceAnalyses",
			"layoutSpec", "imagePlans",
			"generatedContent", "generatedImageAssetIds", "reviewFeedback", "qualityScores", "referenceImages",
			"layoutPreference",
			"imageGenProvider", "iterationCount", "maxIterations", "clarificationRounds", "threadId",
			"agentClarificationKeys", "creativeId"}
		ids := map[string]bool{}
		for _, c := range cases {
			Expect(c.ID).To(MatchRegexp(`^nr-\d{4}$`))
			Expect(ids).NotTo(HaveKey(c.ID))
			ids[c.ID] = true
			for _, t := range c.Turns {
				for name := range t.Input.State {
					Expect(fields).To(ContainElement(name), c.ID)
				}
			}
		}
	})

	It("N1, N2, N4: labels a turn with a step that the agent executes unchanged, and with END only if the work may end",
		func() {
			for _, s := range steps {
				for _, label := range s.Next {
					want := label
					if label == "END" && !s.desk.approved() {
						want = "exhausted"
					}
					Expect(s.desk.nextStep(label)).To(Equal(want), s.of.ID)
				}
				Expect(s.Next[0] == "END").To(Equal(s.is("end") || s.is("limit") && s.desk.atLimit()), s.of.ID)
				Expect(s.is("end")).To(Equal(s.desk.approved() && !s.is("follow-up")), s.of.ID)
			}
		})

	It("N2, N4: specifies which step is executed if the agent corrects a decision according to the specification",
		func() {
			for _, s := range steps {
				switch {
				case s.is("correction"):
					Expect(s.Served[0]).To(Equal(s.Next[0]), s.of.ID)
					for _, to := range s.Served {
						Expect([]string{s.desk.nextStep("END"), s.desk.nextStep(writer), s.desk.nextStep(reviewer),
							s.desk.nextStep(illustrator)}).To(ContainElement(to), s.of.ID)
					}
				case s.Served != nil:
					Expect(s.Served).To(Equal(eval.OneOf{s.desk.nextStep(s.Next[0])}), s.of.ID)
				default:
					Expect(s.desk.nextStep(s.Next[0])).To(Equal(s.Next[0]), s.of.ID)
				}
			}
		})

	It("N5: expects the work to go back to the agent with the lowest score, and resolves ties in the order of the specification",
		func() {
			for _, s := range steps {
				want := ""
				if s.desk.Review != nil && !s.desk.atLimit() && len(s.desk.Messages) == 0 {
					want = backTo(s.desk.QualityScores, 1)
				}
				Expect(s.Back).To(Equal(want), s.of.ID)
				Expect(s.is("backtrack")).To(Equal(want != ""), s.of.ID)
				if want != "" {
					Expect(s.Next[0]).To(Equal(want), s.of.ID)
				}
			}
		})

	It("N4: specifies which step is executed if the supervisor fails", func() {
		for _, s := range steps {
			for fault, served := range s.Under {
				want := eval.OneOf{"supervisor"}
				switch {
				case fault == "router:fallback_label":
					want = eval.OneOf{s.desk.nextStep("END")}
				case s.desk.atLimit() && s.desk.approved():
					want = eval.OneOf{"exhausted", "END"}
				case s.desk.atLimit():
					want = eval.OneOf{"exhausted"}
				}
				Expect(served).To(Equal(want), s.of.ID+" "+fault)
			}
		}
	})

	It("N2, N3, N5: has paths in which each step is permitted and is the one that the reviews require", func() {
		for _, s := range episodes {
			Expect(s.Path).NotTo(BeEmpty(), s.of.ID)
			Expect(len(s.Path)).To(BeNumerically("<=", 15), s.of.ID)
			Expect(s.Next).To(Equal(s.Path[0]), s.of.ID)
			checkPath(s)
		}
	})

	It("N7: has questions to the user only in first turns, and their path ends with the agent that asks", func() {
		for _, s := range episodes {
			asks := slices.Equal(s.Served, eval.OneOf{"clarification"})
			Expect(asks && !s.is("clarify")).To(BeFalse(), s.of.ID)
			if asks {
				Expect(s.nth).To(BeZero(), s.of.ID)
				Expect(s.Path).To(Equal([]eval.OneOf{{briefCompiler}}), s.of.ID)
				Expect(s.of.Turns).To(HaveLen(2), s.of.ID)
			}
			Expect(s.of.Turns[s.nth].Input.Session == "").To(Equal(len(s.of.Turns) == 1), s.of.ID)
		}
	})

	It("has no two texts with a similarity of two thirds, and correct language tags", func() {
		grams, typed := make([]map[string]int, len(cases)), make([]eval.Case, len(cases))
		for i, c := range cases {
			typed[i] = eval.Case{ID: c.ID, Tags: c.Tags}
			for _, t := range c.Turns {
				typed[i].Turns = append(typed[i].Turns, eval.LabeledTurn{Turn: *t.Input})
			}
			text := userWords(typed[i])
			grams[i] = countBigrams(text)
			for k := range i {
				Expect(jaccard(grams[i], grams[k])).To(BeNumerically("<", 2.0/3), c.ID+" "+cases[k].ID)
			}
		}
		namesItsLanguage(typed)
	})

	It("has texts of realistic length: more than a third of the Chinese ones have at most ten characters", func() {
		short, all := 0, 0
		for _, c := range cases {
			if slices.Contains(c.Tags, "zh") {
				all++
				if len([]rune(c.Turns[0].Input.Text)) <= 10 {
					short++
				}
			}
		}
		Expect(float64(short) / float64(all)).To(BeNumerically("~", 0.45, 0.1))
	})

	It("specifies which component answers if a component fails, for each component", func() {
		parts := map[string]int{}
		for _, s := range slices.Concat(steps, episodes) {
			Expect(len(s.Under) > 0).To(Or(BeFalse(), Equal(s.is("fault"))), s.of.ID)
			for fault := range s.Under {
				parts[regexp.MustCompile(`^\w+`).FindString(fault)]++
			}
		}
		Expect(parts).To(HaveLen(12))
		for part, n := range parts {
			Expect(n).To(BeNumerically(">=", 3), part)
		}
	})
})

// userWords returns the user's messages of a case, joined.
func userWords(c eval.Case) (text string) {
	for _, s := range c.Turns {
		text += s.Text
	}
	return text
}

// checkPath fails if the path of a turn contains a step that the specification does not permit.
func checkPath(s newsroomTurn) {
	has := map[string]bool{briefCompiler: len(s.desk.CreativeBrief) > 0 || s.nth > 0,
		writer:       s.desk.Content.Body != "" || s.nth > 0,
		imagePlanner: len(s.desk.ImagePlans) > 0 || s.nth > 0}
	steps := map[string]string{writer: briefCompiler, reviewer: writer, illustrator: imagePlanner}
	reviews, back := 0, ""
	for i, labels := range s.Path {
		at := s.of.ID + " " + labels[0]
		for _, label := range labels {
			Expect(steps[label] == "" || has[steps[label]]).To(BeTrue(), at)
		}
		if back != "" {
			Expect(labels[0]).To(Equal(back), at)
		}
		has[labels[0]] = true
		if back = ""; labels[0] == reviewer {
			scores := map[string]float64{}
			if n := len(s.Review); n > 0 {
				for name, v := range s.Review[min(reviews, n-1)] {
					scores[name] = v.(float64)
				}
			}
			if reviews, back = reviews+1, backTo(scores, 0.9); back == "" {
				back = "END"
				Expect(i).To(Equal(len(s.Path)-2), at)
			}
		}
	}
	Expect(back).To(BeEmpty(), s.of.ID)
	if last := s.Path[len(s.Path)-1]; s.Served == nil {
		Expect(last).To(Equal(eval.OneOf{"END"}), s.of.ID)
	}
}
