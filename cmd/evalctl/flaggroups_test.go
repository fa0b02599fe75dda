package main

import (
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/spf13/cobra"

	"evalctl/eval/suite"
)

var _ = Describe("evalctl run --help", func() {
	It("has every flag once, under headings, the settings of systems last", func() {
		text := evalctl("run", "--help").stdout
		all := runCommand(nil, nil, suite.Settings())
		for _, flag := range flagsOf(all) {
			found := regexp.MustCompile(`(?m)^ {2}(-\w, | {4})--`+flag.Name+`( |$)`).FindAllString(text, -1)
			if set := flag.Usage; !strings.HasPrefix(set, "axis: ") || len(found) > 0 {
				Expect(found).To(HaveLen(1), flag.Name)
			}
		}
		Expect(regexp.MustCompile(`(?m)^[A-Z].*:$`).FindAllString(text, -1)).To(Equal([]string{"Usage:", "Examples:", "What to play:", "Output:", "Gates:", "Models:", "Recordings of real endpoints:",
			"Faults and variants:", "Pace:", "Many machines:", "Help:", "Settings of the systems, each an axis: the variants are the product of all:"}))
		Expect(strings.Index(text, "--target")).To(BeNumerically("<", strings.Index(text, "      --router")))
	})

	It("names in its groups only flags that there are", func() {
		var cmd *cobra.Command = runCommand(nil, nil, nil)
		for _, g := range runGroups {
			for _, name := range g.names {
				Expect(cmd.Flags().Lookup(name)).NotTo(BeNil(), name)
			}
		}
	})
})
