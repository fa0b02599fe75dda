package knowledge_test

import (
	"io"
	"regexp"
	"strings"
	"testing/iotest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/knowledge"
)

const good = `{"id":"ink-wash","zh":"水墨","en":"ink wash","aliases":["国画"],"prompt":"diluted ink"}` + "\n"

var _ = Describe("The styles in a file", func() {
	It("are read one per line, without blank lines", func() {
		styles, err := knowledge.ReadStyles("a.jsonl",
			strings.NewReader("\ufeff\n"+good+" \r\n"+`{"id":"x2","zh":"像素","en":"x2","prompt":"p"}`))
		Expect(err).NotTo(HaveOccurred())
		Expect(styles).To(Equal([]knowledge.Style{
			{ID: "ink-wash", ZH: "水墨", EN: "ink wash", Aliases: []string{"国画"}, Prompt: "diluted ink"},
			{ID: "x2", ZH: "像素", EN: "x2", Prompt: "p"},
		}))
	})

	It("are an empty list if the file is empty", func() {
		Expect(knowledge.ReadStyles("a.jsonl", strings.NewReader(""))).To(BeEmpty())
	})

	DescribeTable("are rejected with file and line if a line is invalid",
		func(line, message string) {
			styles, err := knowledge.ReadStyles("a.jsonl", strings.NewReader(good+line+"\n"))
			Expect(err).To(MatchError(And(HavePrefix("a.jsonl:2: "), ContainSubstring(message))))
			Expect(styles).To(BeNil())
		},
		Entry("because it is not JSON", `ink wash`, `json`),
		Entry("because it is truncated", `{"id":"a","zh":"甲"`, `EOF`),
		Entry("because it contains two objects", `{"id":"a","zh":"甲","en":"a","prompt":"p"} {}`,
			`after top-level value`),
		Entry("because it is a list", `[]`, `array`),
		Entry("because it is null", `null`, `id: "" is not kebab-case`),
		Entry("because of an unknown field", `{"id":"a","zh":"甲","en":"a","prompt":"p","weight":1}`, `weight`),
		Entry("because of a duplicate field", `{"id":"a","id":"b","zh":"甲","en":"a","prompt":"p"}`, `duplicate`),
		Entry("because of a field in capitals", `{"ID":"a","zh":"甲","en":"a","prompt":"p"}`, `ID`),
		Entry("because of a number instead of a name", `{"id":"a","zh":1,"en":"a","prompt":"p"}`, `zh`),
		Entry("because of invalid UTF-8", "{\"id\":\"a\",\"zh\":\"\xff\",\"en\":\"a\",\"prompt\":\"p\"}", `UTF-8`),
		Entry("because of a missing id", `{"zh":"甲","en":"a","prompt":"p"}`, `id: "" is not kebab-case`),
		Entry("because of an id with a space", `{"id":"a b","zh":"甲","en":"a","prompt":"p"}`,
			`id: "a b" is not kebab-case`),
		Entry("because of an id in capitals", `{"id":"A","zh":"甲","en":"a","prompt":"p"}`, `id: "A" is not kebab-case`),
		Entry("because of a missing Chinese name", `{"id":"a","en":"a","prompt":"p"}`, `zh: style a has an empty one`),
		Entry("because of a blank English name", `{"id":"a","zh":"甲","en":" ","prompt":"p"}`,
			`en: style a has an empty one`),
		Entry("because of an empty alias", `{"id":"a","zh":"甲","en":"a","aliases":["b",""],"prompt":"p"}`,
			`aliases[1]: style a has an empty one`),
		Entry("because of a missing prompt", `{"id":"a","zh":"甲","en":"a"}`, `prompt: style a has none`),
		Entry("because of a duplicate id", `{"id":"ink-wash","zh":"甲","en":"a","prompt":"p"}`,
			`id: "ink-wash" is used before, by ink-wash`),
		Entry("because of a name that another style has", `{"id":"a","zh":"国画","en":"a","prompt":"p"}`,
			`zh: "国画" is used before, by ink-wash`),
		Entry("because of a name that differs from another one only in case",
			`{"id":"a","zh":"甲","en":"a","aliases":["INK Wash "],"prompt":"p"}`,
			`aliases[0]: "INK Wash " is used before, by ink-wash`),
		Entry("because of a duplicate name within the style", `{"id":"a","zh":"甲","en":"甲","prompt":"p"}`,
			`en: "甲" is used before, by a`),
		Entry("because it is too long", strings.Repeat("x", 1<<20), `line of 1 MiB or more`),
	)

	It("are checked to the end of the file after an error", func() {
		_, err := knowledge.ReadStyles("a.jsonl", strings.NewReader("x\n"+good+"y\n"))
		Expect(err).To(MatchError(And(ContainSubstring("a.jsonl:1: "), ContainSubstring("\na.jsonl:3: "))))
	})

	It("are rejected with file and line if the file cannot be read", func() {
		_, err := knowledge.ReadStyles("a.jsonl",
			io.MultiReader(strings.NewReader(good), iotest.ErrReader(io.ErrUnexpectedEOF)))
		Expect(err).To(MatchError(io.ErrUnexpectedEOF))
		Expect(err).To(MatchError(HavePrefix("a.jsonl:2: ")))
	})
})

var _ = Describe("The shipped styles", func() {
	It("are at least a hundred, each with names in both languages and English prompt words", func() {
		styles, err := knowledge.ShippedStyles()
		Expect(err).NotTo(HaveOccurred())
		Expect(len(styles)).To(BeNumerically(">=", 100))
		chinese := regexp.MustCompile(`\p{Han}`)
		for _, s := range styles {
			Expect(chinese.MatchString(s.ZH)).To(BeTrue(), "zh of "+s.ID)
			Expect(chinese.MatchString(s.EN+s.Prompt)).To(BeFalse(), "en and prompt of "+s.ID)
		}
	})

	It("can be changed by the caller without an effect on others", func() {
		first, err := knowledge.ShippedStyles()
		Expect(err).NotTo(HaveOccurred())
		want := first[0]
		first[0], first[1].Aliases[0] = knowledge.Style{}, "changed"
		second, err := knowledge.ShippedStyles()
		Expect(err).NotTo(HaveOccurred())
		Expect(second[0]).To(Equal(want))
		Expect(second[1].Aliases[0]).NotTo(Equal("changed"))
	})
})
