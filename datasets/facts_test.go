package datasets_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/datasets"
)

// librarian returns the schema of a system whose cases list facts that an answer must state.
func librarian() datasets.Schema {
	return datasets.Schema{Target: "librarian", Contract: system.Contract{
		LabelField: "intent", Labels: []string{"ask", "talk"}, Options: []string{"web"},
		AttributeFields: []string{"strategy"}, FactsField: "facts", MemoryField: "retained_facts",
		RetrievalField: "evidence", RequireAllIDs: true,
		OptionChecks: map[string]func(json.RawMessage) error{"top": func(raw json.RawMessage) error {
			if string(raw) != "7" {
				return errors.New("is not 7")
			}
			return nil
		}},
		ValueChecks: map[string]func([]string) error{"strategy": func(list []string) error {
			for _, one := range list {
				if one != "whole" && one != "parts" {
					return fmt.Errorf("unknown strategy %s", one)
				}
			}
			return nil
		}},
	}}
}

// librarianCase returns a case for the system librarian. more is added to its expect object,
// options to the options of its turn.
func librarianCase(more, options string) string {
	return `{"id":"a","input":{"text":"how many?","options":{` + options + `}},"expect":{"intent":"ask"` + more + `}}`
}

func many(n int, one string) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }

var _ = Describe("L4, L7: a case that labels the facts of an answer", func() {
	DescribeTable("is accepted", func(more, options string) {
		_, err := librarian().ParseCase([]byte(librarianCase(more, options)))
		Expect(err).NotTo(HaveOccurred())
	},
		Entry("with facts that are texts or lists of wordings",
			`,"facts":["91.3%",["1,204 images","1204 幅"]],"retained_facts":[["ResNet-50"]]`, ``),
		Entry("with one label besides the facts", `,"strategy":"whole"`, ``),
		Entry("with a further label that has alternatives", `,"strategy":["whole","parts"]`, ``),
		Entry("with numbers and booleans as options", ``, `"web":true,"top":7`),
		Entry("with the maximum number of facts", `,"facts":[`+many(50, `"x"`)+`]`, ``),
	)

	DescribeTable("is rejected with an error that names the invalid field", func(more, options, message string) {
		_, err := librarian().ParseCase([]byte(librarianCase(more, options)))
		Expect(err).To(MatchError(message))
	},
		Entry(nil, `,"facts":"91.3%"`, ``, `expect.facts: must be a list of facts, got a string`),
		Entry(nil, `,"facts":[]`, ``, `expect.facts: is an empty list`),
		Entry(nil, `,"facts":[[]]`, ``, `expect.facts[0]: is an empty list`),
		Entry(nil, `,"facts":["x",7]`, ``, `expect.facts[1]: must be a text or a list of texts, got a number`),
		Entry(nil, `,"facts":["x",""]`, ``, `expect.facts[1]: is blank`),
		Entry(nil, `,"facts":[["x","　"]]`, ``, `expect.facts[0]: is blank`),
		Entry(nil, `,"facts":[["x",""]]`, ``, `expect.facts[0][1]: is empty`),
		Entry(nil, `,"facts":[["x","x"]]`, ``, `expect.facts[0][1]: x is given twice`),
		Entry(nil, `,"facts":[["x",7]]`, ``, `expect.facts[0][1]: must be a string, got a number`),
		Entry(nil, `,"facts":[`+many(51, `"x"`)+`]`, ``, `expect.facts: has more than 50 facts`),
		Entry(nil, `,"facts":["`+strings.Repeat("x", 201)+`"]`, ``,
			`expect.facts[0]: "`+strings.Repeat("x", 60)+`…" has more than 200 characters`),
		Entry(nil, `,"retained_facts":{}`, ``, `expect.retained_facts: must be a list of facts, got an object`),
		Entry(nil, `,"strategy":" "`, ``, `expect.strategy: is blank`),
		Entry(nil, `,"strategy":[]`, ``, `expect.strategy: is an empty list`),
		Entry(nil, `,"strategy":{}`, ``, `expect.strategy: must be a word or a list of words, got an object`),
		Entry(nil, `,"strategy":"hole"`, ``, `expect.strategy: unknown strategy hole`),
		Entry(nil, `,"fact":["x"]`, ``, `expect.fact: unknown field, did you mean "facts"?`),
		Entry(nil, ``, `"top":8`, `input.options.top: is not 7`),
		Entry(nil, ``, `"web":7`, `input.options.web: 7 is neither true nor false`),
		Entry(nil, ``, `"tap":7`, `input.options.tap: unknown switch (known: web, top)`),
	)

	It("can have at most twenty wordings of a fact", func() {
		var ways []string
		for i := range 21 {
			ways = append(ways, fmt.Sprintf(`"w%d"`, i))
		}
		_, err := librarian().ParseCase([]byte(librarianCase(`,"facts":[[`+strings.Join(ways, ",")+`]]`, ``)))
		Expect(err).To(MatchError(`expect.facts[0]: is worded in more than 20 ways`))
	})
})
