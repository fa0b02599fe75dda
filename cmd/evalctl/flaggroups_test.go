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
			for _, set := range settingFlags(all, s) {
				Expect(lines(text, set.name)).To(Equal(1), set.name)
			}
			Expect(text).To(ContainSubstring("evalctl " + s.Examples[0]))
			Expect(evalctl("run", s.Name, "--help").stdout).To(Equal(text))
		}
		Expect(regexp.MustCompile(`(?m)^[A-Z].*:$`).FindAllString(text, -1)).To(Equal([]string{"Usage:", "Examples:", "What to play:", "Output:", "Gates:", "Models:", "Recordings of real endpoints:",
			"Faults and variants:", "Pace:", "Many machines:", "Settings of the systems, each an axis; evalctl run --target SYSTEM --help tells what they are:"}))
		Expect(strings.Index(text, "--target")).To(BeNumerically("<", strings.Index(text, " --router --prompt")))
	})
})

var _ = Describe("The table of run's flags", func() {
	decisions := map[string][]decision{}
	for _, g := range runTable {
		for _, flag := range g.flags {
			decisions[flag.name] = append(decisions[flag.name], flag.decided)
		}
	}

	It("has each once, and no other", func() {
		run := runCommand(nil, nil, nil)
		run.InitDefaultHelpFlag()
		for _, flag := range flagsOf(run) {
			Expect(decisions[flag.Name]).To(HaveLen(1), flag.Name)
		}
		for name := range decisions {
			Expect(run.Flags().Lookup(name)).NotTo(BeNil(), name)
		}
	})

	It("decides of each whether it goes with --broker, and whose it is if not", func() {
		run, worker := runCommand(nil, nil, nil), workerCommand(nil)
		run.InitDefaultHelpFlag()
		for name, of := range decisions {
			among := of[0] & (withWorkers | ofEachWorker | withoutWorkers)
			Expect(among).To(BeElementOf(withWorkers, ofEachWorker, withoutWorkers), name)
			if among != withWorkers {
				Expect(worker.Flags().Lookup(name) != nil).To(Equal(among == ofEachWorker), name)
			}
			value := "1"
			if run.Flags().Lookup(name).Value.Type() == "duration" {
				value = "1s"
			}
			got := evalctl("run", "--"+name+"="+value, "--broker", "nowhere")
			refused := "evalctl: --" + name + ": cannot be combined with --broker: set it on each worker\n"
			Expect(got.stderr == refused).To(Equal(among != withWorkers), got.stderr)
		}
	})
})
