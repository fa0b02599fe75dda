package newsroom_test

import (
	"os"
	"path/filepath"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/newsroom"
	"evalctl/agent/system"
)

var _ = Describe("The declaration of the newsroom", func() {
	version := func(values system.SettingValues) (string, error) {
		of := newsroom.System()
		o, err := of.Open(system.Options{SettingValues: of.WithDefaults(values),
			EndpointOf: func(string) system.Endpoint { return system.Endpoint{} }})
		return o.Version, err
	}

	It("N8: has three built-in supervisor prompts with different versions", func() {
		var seen []string
		for _, name := range []string{"minimal", "complete", "few-shot"} {
			v, err := version(system.SettingValues{"supervisor-prompt": name})
			Expect(err).NotTo(HaveOccurred())
			Expect(seen).NotTo(ContainElement(v))
			seen = append(seen, v)
			p, err := newsroom.ShippedPrompts(name)
			Expect(err).NotTo(HaveOccurred())
			for _, agent := range newsroom.DecisionLabels() {
				Expect(p.Supervisor.Text).To(ContainSubstring(agent))
			}
		}
	})

	DescribeTable("N8: has the four required sections in the prompts complete and few-shot, and examples only in few-shot",
		func(name string, examples bool) {
			p, err := newsroom.ShippedPrompts(name)
			Expect(err).NotTo(HaveOccurred())
			text := p.Supervisor.Text
			Expect(text).To(And(ContainSubstring(`"guidance"`), ContainSubstring(`"context_from_previous"`),
				ContainSubstring(`"focus_areas"`)), "the form of the answer")
			Expect(text).To(And(ContainSubstring("【当前状态】"), ContainSubstring("missing")), "the state of the work")
			Expect(text).To(And(ContainSubstring("creativeBrief"), ContainSubstring("generatedContent"),
				ContainSubstring("imagePlans"), ContainSubstring("前置条件")), "what must come first")
			for _, dimension := range []string{"infoDensity", "textImageAlignment", "styleConsistency",
				"readability", "platformFit"} {
				Expect(text).To(ContainSubstring(dimension), "where to go back to")
			}
			if examples {
				Expect(text).To(ContainSubstring("例八"))
			} else {
				Expect(text).NotTo(ContainSubstring("例一"))
			}
		}, Entry(nil, "complete", false), Entry(nil, "few-shot", true))

	It("X7: loads each prompt from the file that its setting names", func() {
		file := filepath.Join(GinkgoT().TempDir(), "mine.md")
		Expect(os.WriteFile(file, []byte("只回 json。"), 0o600)).To(Succeed())
		shipped, err := version(system.SettingValues{})
		Expect(err).NotTo(HaveOccurred())
		files := 0
		for _, set := range newsroom.System().Settings {
			if !set.IsFile || set.IsPersistent {
				continue
			}
			files++
			mine, err := version(system.SettingValues{set.Name: file})
			Expect(err).NotTo(HaveOccurred())
			Expect(mine).NotTo(Equal(shipped), set.Name)
			_, err = version(system.SettingValues{set.Name: file + "x"})
			Expect(err).To(MatchError(ContainSubstring(set.Name)))
		}
		Expect(files).To(Equal(9), "the supervisor and eight agents")

		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.values["prompt"], s.values["writer-prompt"] = file, file
		s.runText(sampleRequest)
		Expect(s.requests["router"][0].Messages[0].Text).To(Equal("只回 json。"))
		Expect(s.requests["writer"][0].Messages[0].Text).To(Equal("只回 json。"))
	})

	It("returns an error that names the setting if a prompt file is invalid, before any trial", func() {
		file := filepath.Join(GinkgoT().TempDir(), "mine.md")
		Expect(os.WriteFile(file, []byte("{{.Colour}}"), 0o600)).To(Succeed())
		of := newsroom.System()
		s := newStage(script("END"))
		s.serve()
		_, err := of.Open(system.Options{SettingValues: of.WithDefaults(system.SettingValues{"writer-prompt": file}),
			EndpointOf: s.link})
		Expect(err).To(MatchError(HavePrefix("writer-prompt: fill prompt mine")))
	})

	It("has simulated replies for every component that writes text, analyzes images or reviews", func() {
		for _, p := range newsroom.System().Components {
			if slices.Contains([]system.Role{system.RoleStructured, system.RoleVision, system.RoleCritic}, p.Role) {
				Expect(p.Simulate).NotTo(BeNil(), p.Name)
				for _, text := range []string{"", sampleRequest, "a post"} {
					Expect(p.Simulate(system.SimulatedRequest{Text: text}).Content).NotTo(BeEmpty(), p.Name)
				}
			}
		}
	})
})

var _ = DescribeTable("newsroom.New returns an error that names the invalid field of the configuration",
	func(want string, change func(*newsroom.Config)) {
		cfg := newStage(script("END")).config()
		change(&cfg)
		_, err := newsroom.New(cfg)
		Expect(err).To(MatchError(ContainSubstring(want)))
	},
	Entry(nil, "newsroom.Config.Supervisor: required", func(c *newsroom.Config) { c.Supervisor = nil }),
	Entry(nil, "newsroom.Config.Search: required", func(c *newsroom.Config) { c.Search = nil }),
	Entry(nil, "newsroom.Config.ImageGenerator: required", func(c *newsroom.Config) { c.ImageGenerator = nil }),
	Entry(nil, "newsroom.Config.Agents[writer_agent]: required",
		func(c *newsroom.Config) { delete(c.Agents, "writer_agent") }),
	Entry(nil, "newsroom.Config.MaxIterations: 101 is not in 1..100",
		func(c *newsroom.Config) { c.MaxIterations = 101 }),
	Entry(nil, "newsroom.Config.QualityThreshold: 2 is not in 0..1",
		func(c *newsroom.Config) { c.QualityThreshold = 2 }),
	Entry(nil, "newsroom.Config.MaxQuestionRounds: -1 is negative",
		func(c *newsroom.Config) { c.MaxQuestionRounds = -1 }),
)
