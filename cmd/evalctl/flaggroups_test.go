package main

import (
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/suite"
)

var _ = Describe("evalctl run --help", func() {
	It("has every flag once, under headings, the settings of systems last", func() {
		text := evalctl("run", "--help").stdout
		Expect(strings.Count(text, "\n")).To(BeNumerically("<=", 115))
		lines := func(text, name string) int {
			return len(regexp.MustCompile(`(?m)^ {2}(-\w, | {4})--`+name+`( |$)`).FindAllString(text, -1))
		}
		all := runCommand(nil, nil, slices.DeleteFunc(suite.Settings(), suite.Setting.IsLasting))
		for _, flag := range flagsOf(all) {
			if slices.ContainsFunc(suite.Settings(), func(set suite.Setting) bool { return set.Name == flag.Name }) {
				Expect(text).To(MatchRegexp(`(?m) --` + flag.Name + `( |$)`))
			} else {
				Expect(lines(text, flag.Name)).To(Equal(1), flag.Name)
			}
		}
		for _, s := range suite.Systems() {
			text := evalctl("run", "--target", s.Name, "--help").stdout
			for _, name := range settingNames(all, s) {
				Expect(lines(text, name)).To(Equal(1), name)
			}
			Expect(text).To(ContainSubstring("evalctl " + s.Examples[0]))
			Expect(evalctl("run", s.Name, "--help").stdout).To(Equal(text))
		}
		Expect(regexp.MustCompile(`(?m)^[A-Z].*:$`).FindAllString(text, -1)).To(Equal([]string{"Usage:", "Examples:", "What to play:", "Output:", "Gates:", "Models:", "Recordings of real endpoints:",
			"Faults and variants:", "Pace:", "Many machines:", "Settings of the systems, each an axis; evalctl run --target SYSTEM --help tells what they are:"}))
		Expect(strings.Index(text, "--target")).To(BeNumerically("<", strings.Index(text, " --router --prompt")))
	})

	It("names in its groups only flags that there are", func() {
		cmd := runCommand(nil, nil, nil)
		cmd.InitDefaultHelpFlag()
		for _, g := range runGroups {
			for _, name := range g.names {
				Expect(cmd.Flags().Lookup(name)).NotTo(BeNil(), name)
			}
		}
	})
})
