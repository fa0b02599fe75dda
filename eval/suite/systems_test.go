package suite_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval/suite"
)

var _ = Describe("Every built-in system", func() {
	for _, of := range suite.Systems() {
		It("has a name, a summary, a label field, decision sources and valid examples: "+of.Name, func() {
			Expect(of.Name).To(MatchRegexp(`^[a-z][a-z0-9-]*$`))
			Expect(of.Summary).NotTo(BeEmpty())
			Expect(of.Contract.LabelField).NotTo(BeEmpty())
			Expect(of.DecisionSources).NotTo(BeEmpty())
			Expect(of.Open).NotTo(BeNil())
			Expect(of.DecidingComponent().Name).NotTo(BeEmpty(), "somebody decides")
			for _, e := range of.Examples {
				Expect(e).To(Or(MatchRegexp(`^(run|chat|serve) .*\b`+of.Name+`\b`), HavePrefix("show ")))
			}
		})

		It("has at most one threshold for the confidence of its decisions: "+of.Name, func() {
			var thresholds []string
			for _, set := range of.Settings {
				if set.IsThreshold {
					thresholds = append(thresholds, set.Name)
				}
			}
			Expect(len(thresholds)).To(BeNumerically("<=", 1),
				"%v: what stands in turns.model_decision.if_rejected is decided below one", thresholds)
		})

		It("has components with different names: "+of.Name, func() {
			names := map[string]bool{system.PollComponent: true}
			for _, p := range of.Components {
				Expect(names).NotTo(HaveKey(p.Name))
				Expect(p.Name).NotTo(BeEmpty())
				Expect(strings.ContainsAny(p.Name, ":+=@%/ ")).To(BeFalse(), p.Name)
				names[p.Name] = true
			}
		})

		It("declares everything that its simulation needs: "+of.Name, func() {
			Expect(of.SimulateNextDecision != nil).To(Equal(of.Contract.DecisionPathField != ""),
				"Contract.Path and System.Next go together")
			Expect(of.Contract.Slots).To(ContainElements(of.Contract.ExactSlots),
				"Contract.Exact are of Contract.Slots")
			for _, p := range of.Components {
				if p.Role == system.RoleStructured || p.Role == system.RoleGrader {
					Expect(p.Simulate).NotTo(BeNil(), "%s writes JSON: only its system can say which", p.Name)
				}
				if p.Simulate != nil {
					Expect(p.MatchPrompt).NotTo(BeNil(),
						"%s has a form of its own: only its system can know its prompt on the wire", p.Name)
				}
				Expect(p.NewCorpus != nil).To(Equal(p.Role == system.RoleRetrieval),
					"%s: what a part Recalls stands in its Corpus, and no other part has one", p.Name)
				Expect(p.NewCorpus != nil || p.CorpusSettings == nil).
					To(BeTrue(), "%s: CorpusBy is of a Corpus", p.Name)
				for _, name := range p.CorpusSettings {
					_, ok := of.Setting(name)
					Expect(ok).To(BeTrue(), "%s: CorpusBy: %q is not a setting: variants that differ in the one that is meant would search the same", p.Name, name)
				}
			}
		})

		It("has settings with unique names, a help text and valid default values: "+of.Name, func() {
			names := map[string]bool{"name": true, "faults": true, "model": true, "base_url": true, "api_key_env": true}
			for _, set := range of.Settings {
				Expect(names).NotTo(HaveKey(set.Name))
				names[set.Name] = true
				Expect(set.Help).To(MatchRegexp("`[^`]+`"), "the word that stands for the value, in %s", set.Name)
				if set.Default != "" {
					Expect(suite.CheckSettingValue(set, set.Default)).To(Succeed(), set.Name)
				}
				if set.IsFile {
					Expect(set.Values).To(BeNil())
				}
			}
		})
	}
})

var _ = DescribeTable("CheckLabel rejects a label that cannot be printed on one line", func(name, want string) {
	Expect(suite.CheckLabel(name)).To(MatchError(ContainSubstring(want)))
},
	Entry("an empty label", "", "label is empty"),
	Entry("a label of white space", " \t", "label is empty"),
	Entry("a label with a space at the end", "refund ", "begins or ends with a space"),
	Entry("a label with a line break", "re\nfund", "cannot be printed"),
	Entry("a label with an escape sequence", "\x1b[31mred", "cannot be printed"),
	Entry("a label with a bidirectional control character", "abc\u202edef", "cannot be printed"),
	Entry("a label of a megabyte", strings.Repeat("x", 1<<20), "has more than 200 characters"),
)

var _ = DescribeTable("CheckLabel accepts a label that can be printed on one line", func(name string) {
	Expect(suite.CheckLabel(name)).To(Succeed())
},
	Entry(nil, "退款"), Entry(nil, "card lost"), Entry(nil, "a|b"), Entry(nil, "🙂"), Entry(nil, "5"), Entry(nil, `"x"`),
)

var _ = Describe("The labels of a suite", func() {
	labeled := func(more string) (suite.Suite, error) {
		return suite.Parse("mine.yaml",
			[]byte("name: mine\ntarget: prompt\ndataset: d.jsonl\nvariants:\n  - name: a\n"+more))
	}

	It("can be a list, with or without descriptions", func() {
		s, err := labeled("labels:\n  - refund\n  - {name: 退货, description: 要退货}\n")
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Labels.List).To(Equal([]system.Label{{Name: "refund"}, {Name: "退货", Description: "要退货"}}))
	})

	It("can be a file with one label per line and an optional description after a tab", func() {
		s, err := labeled("labels: " + write("labels.txt", "\ufeffrefund\tmoney back\n\n退货\n") + "\n")
		Expect(err).NotTo(HaveOccurred())
		Expect(s.ResolveLabels(nil, nil)).
			To(Equal([]system.Label{{Name: "refund", Description: "money back"}, {Name: "退货"}}))
	})

	It("are the labels of the dataset by default", func() {
		s, err := labeled("")
		Expect(err).NotTo(HaveOccurred())
		Expect(s.ResolveLabels([]string{"a", "b"}, nil)).To(Equal([]system.Label{{Name: "a"}, {Name: "b"}}))
	})

	DescribeTable("are rejected with their position if they are invalid", func(more, want string) {
		s, err := labeled(more)
		if err == nil {
			_, err = s.ResolveLabels([]string{"a", "b"}, nil)
		}
		Expect(err).To(MatchError(ContainSubstring(want)))
	},
		Entry("a label that is given twice", "labels: [a, a]\n", `label "a" is given twice`),
		Entry("a single label", "labels: [a]\n", "fewer than two labels"),
		Entry("an unknown field of a label", "labels: [{name: a, colour: red}]\n",
			`mine.yaml:6:10: labels[0]: unknown field "colour"`),
		Entry("an OOS label that is not in the list", "labels: [a, b]\noos_label: c\n",
			`oos_label: "c" is not one of the labels`),
		Entry("30.5: an alias of an unknown label", "labels: [a, b]\naliases: {None: c}\n",
			`aliases: "None": unknown label "c"`),
		Entry("30.5: an alias that cannot be printed", "labels: [a, b]\naliases: {\"b\\e\": a}\n",
			`aliases: label "b\x1b" holds a character that cannot be printed`),
		Entry("a label file that does not exist", "labels: gone.txt\n", "labels: open gone.txt"),
		Entry("an invalid line of a label file", "labels: "+badLabels()+"\n",
			":2: label \"b\\x1b\" holds a character that cannot be printed"),
	)

	It("cannot be given for a system with fixed labels", func() {
		_, err := suite.Parse("mine.yaml", []byte(small+"labels: [a, b]\n"))
		Expect(err).To(MatchError(ContainSubstring("labels: toolrouter has its own: image_gen")))
		_, err = suite.Parse("mine.yaml", []byte(small+"oos_label: chat\n"))
		Expect(err).To(MatchError(ContainSubstring("oos_label: toolrouter has labels of its own")))
		_, err = suite.Parse("mine.yaml", []byte(small+"aliases: {None: chat}\n"))
		Expect(err).To(MatchError(ContainSubstring("aliases: toolrouter has labels of its own")))
	})

	It("can be at most 500", func() {
		var names []string
		for i := range 501 {
			names = append(names, strings.Repeat("x", i+1)[:min(i+1, 150)]+string(rune('a'+i%26))+
				strings.Repeat("y", i/26))
		}
		s, err := labeled("")
		Expect(err).NotTo(HaveOccurred())
		_, err = s.ResolveLabels(names, nil)
		Expect(err).To(MatchError("labels: 501 labels are more than 500"))
	})
})

// badLabels returns the path of a label file whose second line is invalid.
func badLabels() string { return "testdata/badlabels.txt" }
