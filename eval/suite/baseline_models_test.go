package suite_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval/floor"
	"evalctl/eval/suite"
)

// baselineSuite is a suite with a language model variant and a baseline model variant.
const baselineSuite = `name: mine
target: toolrouter
dataset: toolrouter
faults: [router:timeout, image:server_error]
variants:
  - {name: llm-first, router: llm-first}
  - {name: linear, router: llm, model: baseline:linear}
`

var _ = Describe("A baseline model in a suite", func() {
	It("replaces only the deciding component, and faults do not apply to it", func() {
		s := parse(baselineSuite)
		Expect(s.BaselineModels()).To(Equal([]floor.Kind{floor.Linear}))
		v := s.Variants[1]
		Expect(s.ModelFor(v, "router")).To(Equal(suite.Model{Model: "baseline:linear"}))
		Expect(s.ModelFor(v, "chat")).To(Equal(s.ModelFor(s.Variants[0], "chat")))
		Expect(s.VariantFaults(s.Variants[0])).To(Equal([]string{"none", "router:timeout", "image:server_error"}))
		Expect(s.VariantFaults(v)).To(Equal([]string{"none", "image:server_error"}))
		Expect(s.Endpoints()).To(BeEmpty())
	})

	DescribeTable("is rejected if it cannot run as declared", func(variant, want string) {
		_, err := suite.Parse("mine.yaml", []byte(small+"  - "+variant+"\n"))
		Expect(err).To(MatchError(ContainSubstring(want)))
	},
		Entry("an unknown baseline model", `{name: x, model: "baseline:linaer"}`,
			`variants[1].model: unknown baseline model "baseline:linaer", did you mean "baseline:linear"?`),
		Entry("a name in capitals", `{name: x, model: "Baseline:Linear"}`,
			`variants[1].model: unknown baseline model "Baseline:Linear", did you mean "baseline:linear"?`),
		Entry("a baseline model with a URL", `{name: x, model: "baseline:linear", base_url: "http://127.0.0.1/v1"}`,
			"variants[1].base_url: cannot be set for a baseline model"),
		Entry("a baseline model with an API key", `{name: x, model: "baseline:linear", api_key_env: KEY}`,
			"variants[1].api_key_env: cannot be set for a baseline model"),
		Entry("a variant in which no model decides", `{name: x, router: rules, model: "baseline:linear"}`,
			"variants[1].model: no component of toolrouter calls it"),
		Entry("a fault of the deciding component",
			`{name: x, router: llm, model: "baseline:linear", faults: [none, "chat:timeout", "router:timeout"]}`,
			`variants[1].faults: fault "router:timeout" is for router, which is a baseline model here: faults do not apply to it`),
		Entry("a combined fault that includes the deciding component",
			`{name: x, router: llm, model: "baseline:linear", faults: ["chat:timeout+router:timeout"]}`,
			`variants[1].faults: fault "chat:timeout+router:timeout" is for router`),
		Entry("a baseline model in models, for a single component",
			"{name: x}\nmodels: {router: {model: \"baseline:linear\"}}",
			"models.router.model: baseline:linear is for a variant"),
	)

	It("30.3: is varied by the settings that have an effect, by the rule by which variants are merged", func() {
		s := parse("name: mine\ntarget: companion\ndataset: companion\nvariants:\n" +
			"  - {name: llm}\n  - {name: linear, model: \"baseline:linear\"}\n")
		namesOf := func(axis suite.ComparedSetting) (names []string) {
			list, err := s.CombineSettings([]suite.ComparedSetting{axis})
			Expect(err).NotTo(HaveOccurred())
			for _, v := range list {
				names = append(names, v.Name)
			}
			Expect(s.MergeBaselineModels(list)).To(HaveLen(len(list)))
			return names
		}
		days := suite.ComparedSetting{Setting: "max-days", Values: []string{"1", "2"}}
		Expect(namesOf(days)).To(Equal([]string{"llm max-days=1", "llm max-days=2", "linear max-days=1",
			"linear max-days=2"}), "the days reach the other models")
		s.DecisionOnly = true
		Expect(namesOf(days)).To(Equal([]string{"llm max-days=1", "llm max-days=2", "linear"}))
	})

	It("30.3: has a settings hash without the models that it does not use", func() {
		settingsOf := func(text string) (hashes []string) {
			conditions, err := conditionsOf(parse(text), simulated(nil))
			Expect(err).NotTo(HaveOccurred())
			for _, c := range conditions {
				hashes = append(hashes, c.SettingsHash)
			}
			return hashes
		}
		const variants = "name: mine\ntarget: toolrouter\ndataset: toolrouter\ndecision_only: true\nvariants:\n" +
			"  - {name: rules, router: rules}\n  - {name: llm, router: llm}\n"
		const chat = "models:\n  chat: {model: gpt-4o}\n"
		before, unused, router := settingsOf(variants), settingsOf(variants+chat),
			settingsOf(variants+chat+"  router: {model: gpt-4o}\n")
		Expect(unused).To(Equal(before), "no variant uses the chat model, because only the decision runs")
		Expect(router[0]).To(Equal(before[0]), "rules decide without a model")
		Expect(router[1]).NotTo(Equal(before[1]))
	})

	It("has a settings hash that changes with its training set; the hashes of other variants do not change", func() {
		s := parse(baselineSuite)
		keys := func(taught ...system.LabeledExample) (list []string) {
			conditions, err := s.Conditions(simulated(nil), suite.DatasetInfo{TrainingSet: taught})
			Expect(err).NotTo(HaveOccurred())
			for _, c := range conditions {
				if c.Fault == "none" {
					Expect(c.IsBaselineModel).To(Equal(c.Variant == "linear"))
					list = append(list, c.SettingsHash)
				}
			}
			return list
		}
		a := keys(system.LabeledExample{Text: "a", Label: "chat"}, system.LabeledExample{Text: "b", Label: "image_gen"})
		b := keys(system.LabeledExample{Text: "a", Label: "chat"},
			system.LabeledExample{Text: "b", Label: "web_search"})
		Expect(b[0]).To(Equal(a[0]))
		Expect(b[1]).NotTo(Equal(a[1]))
		s.Variants[1].Model = "baseline:majority"
		other := keys(system.LabeledExample{Text: "a", Label: "chat"},
			system.LabeledExample{Text: "b", Label: "image_gen"})
		Expect(other[0]).To(Equal(a[0]))
		Expect(other[1]).NotTo(Equal(a[1]))
	})

	It("runs with each value of a compared threshold, but not with compared prompts, which it does not read", func() {
		s := parse(small + "  - {name: floor, router: llm-first, model: \"baseline:linear\"}\n")
		names := func(axis suite.ComparedSetting) []string {
			list, err := s.CombineSettings([]suite.ComparedSetting{axis})
			Expect(err).NotTo(HaveOccurred())
			return suite.Suite{Variants: list}.VariantNames()
		}
		Expect(names(suite.ComparedSetting{Setting: "prompt", Values: []string{"a.md", "b.md"}})).To(Equal(
			[]string{"llm-first prompt=a.md", "llm-first prompt=b.md", "floor"}))
		Expect(names(suite.ComparedSetting{Setting: "threshold", Values: []string{"0.5"}})).
			To(Equal([]string{"llm-first threshold=0.5", "floor threshold=0.5"}))
	})

	It("is added with the settings of a variant with a baseline model, from the suite or else from the built-in suite",
		func() {
			s := parse(baselineSuite)
			list, err := s.WithBaselineModels(s.Variants, []string{"majority", "linear"}, nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(suite.Suite{Variants: list}.VariantNames()).To(Equal([]string{"llm-first", "linear", "majority"}))
			Expect(list[2].Settings).To(Equal(map[string]string{"router": "llm"}))
			plain := parse(small)
			list, err = plain.WithBaselineModels(plain.Variants, []string{"majority"}, s.Variants)
			Expect(err).NotTo(HaveOccurred())
			Expect(list[1].Settings).To(Equal(map[string]string{"router": "llm"}))
			list, err = plain.WithBaselineModels(plain.Variants, []string{"majority"}, nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(list[1].Settings).To(Equal(map[string]string{"router": "llm-first"}))
			named := parse(small + "  - {name: linear, router: rules}\n")
			_, err = named.WithBaselineModels(named.Variants, []string{"linear"}, nil)
			Expect(err).To(MatchError("linear: a variant has that name and is not this baseline model"))
			set(&plain, "router", "rules")
			_, err = plain.WithBaselineModels(plain.Variants, []string{"majority"}, nil)
			Expect(err).To(MatchError(suite.ErrSettingUnused))
			Expect(s.WithoutBaselineModels()).To(Equal([]suite.Variant{s.Variants[0]}))
		})
})
