package datasets_test

import (
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
)

// studio returns the schema of the system studio.
func studio() datasets.Schema { return schemaOf("studio") }

// studioCase returns a case for the system studio with this expect object.
func studioCase(object string) string {
	return `{"id":"a","input":{"text":"画只猫"},"expect":` + object + `}`
}

// studioImages returns a case for the system studio with this list of image labels.
func studioImages(list string) string {
	return studioCase(`{"action":"generate_image","images":` + list + `}`)
}

// turns returns a case for the system studio with two turns. first and second are added to the
// turns.
func turns(first, second string) string {
	return `{"id":"a","turns":[{"input":{"text":"画只猫"` + first + `}},{"input":{"text":"再亮一点"` + second +
		`},"expect":{"action":"adjust_parameters"}}]}`
}

const actions = "(known: generate_image, inpainting, adjust_parameters, unknown)"

var _ = DescribeTable("an invalid line for the system studio is rejected with an error that names the field",
	func(line, message string) {
		_, err := studio().ParseCase([]byte(line))
		Expect(err).To(MatchError(message))
	},
	// Invalid actions and answering components.
	Entry(nil, studioCase(`{"action":"draw"}`), `expect.action: unknown label draw `+actions),
	Entry(nil, studioCase(`{"action":"failed"}`), `expect.action: unknown label failed `+actions),
	Entry(nil, studioCase(`{"slots":{"subject":"猫"}}`), `expect.action: is missing`),
	Entry(nil, studioCase(`{"route":"chat"}`),
		`expect.route: unknown field (known: action, answered_by, under_fault, images, slots, styles)`),
	Entry(nil, studioCase(`{"action":"unknown","answered_by":"chat"}`),
		`expect.answered_by: unknown label chat (known: generate_image, inpainting, adjust_parameters, unknown, failed, busy)`),
	Entry(nil, studioCase(`{"action":"unknown","under_fault":{"painter:timeout":"failed"}}`),
		`expect.under_fault["painter:timeout"]: fault "painter:timeout": unknown component "painter": known are router, chat, structured, vision, critic, grader, search, image, poll, embedding, retrieval, search_engine, store`),
	Entry(nil, studioCase(`{"action":"unknown","under_fault":{"image:timeout":"lost"}}`),
		`expect.under_fault["image:timeout"]: unknown label lost (known: generate_image, inpainting, adjust_parameters, unknown, failed, busy)`),

	// Invalid slots.
	Entry(nil, studioCase(`{"action":"unknown","slots":[]}`), `expect.slots: must be an object, got a list`),
	Entry(nil, studioCase(`{"action":"unknown","slots":{}}`), `expect.slots: is empty`),
	Entry(nil, studioCase(`{"action":"unknown","slots":{"colour":"红"}}`),
		`expect.slots.colour: unknown slot (known: subject, style)`),
	Entry(nil, studioCase(`{"action":"unknown","slots":{"style":null}}`),
		`expect.slots.style: must be a word or a list of words, got null`),
	Entry(nil, studioCase(`{"action":"unknown","slots":{"style":7}}`),
		`expect.slots.style: must be a word or a list of words, got a number`),
	Entry(nil, studioCase(`{"action":"unknown","slots":{"style":[]}}`), `expect.slots.style: is an empty list`),
	Entry(nil, studioCase(`{"action":"unknown","slots":{"style":["水彩",7]}}`),
		`expect.slots.style[1]: must be a string, got a number`),
	Entry(nil, studioCase(`{"action":"unknown","slots":{"style":["水彩",""]}}`), `expect.slots.style[1]: is empty`),
	Entry(nil, studioCase(`{"action":"unknown","slots":{"style":["水彩","水彩"]}}`),
		`expect.slots.style[1]: 水彩 is given twice`),

	// Invalid styles.
	Entry(nil, studioCase(`{"action":"unknown","styles":"watercolor"}`),
		`expect.styles: must be a list of ids, got a string`),
	Entry(nil, studioCase(`{"action":"unknown","styles":null}`), `expect.styles: must be a list of ids, got null`),
	Entry(nil, studioCase(`{"action":"unknown","styles":["watercolor",null]}`), `expect.styles[1]: is empty`),
	Entry(nil, studioCase(`{"action":"unknown","styles":["watercolor","watercolor"]}`),
		`expect.styles[1]: watercolor is given twice`),
	Entry(nil, studioCase(`{"action":"unknown","styles":[["watercolor"]]}`),
		`expect.styles[0]: must be a string, got a list`),

	// Invalid image labels.
	Entry(nil, studioImages(`{}`), `expect.images: must be a list of pictures, got an object`),
	Entry(nil, studioImages(`[]`), `expect.images: is an empty list`),
	Entry(nil, studioImages(`["猫"]`), `expect.images[0]: must be an object, got a string`),
	Entry(nil, studioImages(`[null]`), `expect.images[0].description: is missing`),
	Entry(nil, studioImages(`[{"quality":0.5,"acceptable":true}]`), `expect.images[0].description: is missing`),
	Entry(nil, studioImages(`[{"description":"猫","acceptable":true}]`), `expect.images[0].quality: is missing`),
	Entry(nil, studioImages(`[{"description":"猫","quality":0.9}]`), `expect.images[0].acceptable: is missing`),
	Entry(nil, studioImages(
		`[{"description":"猫","quality":0.5,"acceptable":false},{"description":"猫","quality":1.2,"acceptable":true}]`),
		`expect.images[1].quality: 1.2 is not in 0..1`),
	Entry(nil, studioImages(`[{"description":"猫","quality":-0.1,"acceptable":true}]`),
		`expect.images[0].quality: -0.1 is not in 0..1`),
	Entry(nil, studioImages(`[{"description":"猫","quality":"high","acceptable":true}]`),
		`expect.images[0].quality: must be a number, got a string`),
	Entry(nil, studioImages(`[{"description":"猫","quality":0.9,"acceptable":1}]`),
		`expect.images[0].acceptable: must be a boolean, got a number`),
	Entry(nil, studioImages(`[{"description":"猫","quality":0.9,"acceptable":true,"score":1}]`),
		`expect.images[0].score: unknown field (known: description, quality, acceptable)`),

	// Invalid sessions and delays.
	Entry(nil, `{"id":"a","input":{"text":"画只猫","after":"1s"},"expect":{"action":"generate_image"}}`,
		`input.after: has no turn before it`),
	Entry(nil, turns(`,"after":"300ms"`, ``), `turns[0].input.after: has no turn before it`),
	Entry(nil, turns(``, `,"after":"soon"`), `turns[1].input.after: is not a duration such as 250ms or 31m`),
	Entry(nil, turns(``, `,"after":"-1s"`), `turns[1].input.after: is not a duration such as 250ms or 31m`),
	Entry(nil, turns(``, `,"after":300`), `turns[1].input.after: must be a string, got a number`),
	Entry(nil, turns(``, `,"session":7`), `turns[1].input.session: must be a string, got a number`),
	Entry(nil, turns(``, `,"options":{"agent":true}`), `turns[1].input.options.agent: unknown switch (known: none)`),
)

var _ = Describe("A line for the system studio", func() {
	It("S8: can have an empty text in both forms, unlike lines for other systems", func() {
		for _, line := range []string{`{"id":"a","text":" ","label":"unknown"}`,
			`{"id":"a","input":{"text":""},"expect":{"action":"unknown"}}`} {
			c, err := studio().ParseCase([]byte(line))
			Expect(err).NotTo(HaveOccurred())
			Expect(c.Turns).To(HaveLen(1))
		}
		_, err := schema().ParseCase([]byte(`{"id":"a","text":" ","label":"chat"}`))
		Expect(err).To(MatchError("text: is empty"))
	})

	It("S8: can expect an error reply or a refusal, with and without a fault", func() {
		_, err := studio().ParseCase(
			[]byte(studioCase(`{"action":["inpainting","unknown"],"answered_by":["failed","busy"],"under_fault":{"image:server_error@2":"failed"}}`)))
		Expect(err).NotTo(HaveOccurred())
	})

	It("S8, S10: keeps sessions and the delays between turns", func() {
		c, err := studio().ParseCase([]byte(turns(`,"session":"s1","after":"0s"`, `,"session":"s1","after":"31m"`)))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Turns[1].Session).To(Equal("s1"))
		text, err := c.Turns[1].Delay.MarshalText()
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).To(Equal("31m0s"))
	})

	It("uses an empty word for a slot that is expected to be empty, and an empty list if no style is expected", func() {
		_, err := studio().ParseCase(
			[]byte(studioCase(`{"action":"generate_image","slots":{"subject":["猫","cat"],"style":""},"styles":[]}`)))
		Expect(err).NotTo(HaveOccurred())
	})
})

var _ = It("SchemaFor returns a schema for every built-in dataset, which validates faults with the given function",
	func() {
		refuse := errors.New("refused")
		for _, name := range datasets.BuiltInNames() {
			s := schemaFor(name, func(string) error { return refuse })
			Expect(s.Target).To(Equal(name))
			Expect(s.ValidateFault("any")).To(MatchError(refuse))
		}
	})
