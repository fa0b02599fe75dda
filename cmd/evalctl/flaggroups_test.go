package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/suite"
)

var _ = Describe("28.5: a command with many flags", func() {
	lines := func(text, name string) int {
		return len(regexp.MustCompile(`(?m)^ {2}(-\w, | {4})--`+name+`( |\[|$)`).FindAllString(text, -1))
	}

	DescribeTable("has a help of at most 60 lines of 100 columns, and lists all flags with --help-all",
		func(verb string) {
			short, all := evalctl(verb, "--help"), evalctl(verb, "--help-all")
			Expect([]int{short.code, all.code}).To(Equal([]int{exit.Passed, exit.Passed}))
			Expect(strings.Count(short.stdout, "\n")).To(BeNumerically("<=", 60))
			for line := range strings.Lines(short.stdout) {
				Expect(displaywidth.Options{}.String(strings.TrimSuffix(line, "\n"))).To(BeNumerically("<=", 100), line)
			}
			for _, g := range shortHelp[verb] {
				for _, flag := range g.flags {
					Expect(lines(short.stdout, flag.name)).To(Equal(1), flag.name)
					Expect(lines(all.stdout, flag.name)).To(BeNumerically("<=", 1), flag.name)
				}
			}
			Expect(short.stdout).To(ContainSubstring("evalctl " + verb + " --help-all"))
		}, Entry(nil, "run"), Entry(nil, "serve"), Entry(nil, "doctor"))

	It("in the case of run lists every flag once under headings with --help-all; evalctl help SYSTEM lists every setting of a system", func() {
		text := evalctl("run", "--help-all").stdout
		all := runCommand(nil, nil, slices.DeleteFunc(suite.Settings(), suite.Setting.IsPersistent))
		for _, flag := range flagsOf(all) {
			if flag.Name == helpAll {
				continue
			}
			if slices.ContainsFunc(suite.Settings(), func(set suite.Setting) bool { return set.Name == flag.Name }) {
				Expect(text).To(MatchRegexp(`(?m) --` + flag.Name + `( |$)`))
			} else {
				Expect(lines(text, flag.Name)).To(Equal(1), flag.Name)
			}
		}
		for _, s := range suite.Systems() {
			page := evalctl("help", s.Name).stdout
			target := evalctl("run", "--target", s.Name, "--help-all").stdout
			for _, set := range settingFlags(all, s) {
				Expect(page).To(ContainSubstring(set.name), s.Name)
				Expect(lines(target, set.name)).To(Equal(1), set.name)
			}
			Expect(target).To(ContainSubstring("evalctl " + s.Examples[0]))
		}
	})
})

var _ = Describe("The table of run's flags (runTable)", func() {
	decisions := map[string][]flagTraits{}
	for _, g := range runTable {
		for _, flag := range g.flags {
			decisions[flag.name] = append(decisions[flag.name], flag.traits)
		}
	}

	It("contains each flag of run exactly once", func() {
		run := runCommand(nil, nil, nil)
		run.InitDefaultHelpFlag()
		for _, flag := range flagsOf(run) {
			if flag.Name == helpAll {
				continue
			}
			Expect(decisions[flag.Name]).To(HaveLen(1), flag.Name)
		}
		for name := range decisions {
			Expect(run.Flags().Lookup(name)).NotTo(BeNil(), name)
		}
	})

	It("defines for each flag whether it works with --broker, or is set on each worker", func() {
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
