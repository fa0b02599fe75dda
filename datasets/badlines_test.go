package datasets_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
)

// expectError checks the error for an invalid line that follows a valid one. The valid case is
// still read.
func expectError(line, message string) {
	path := write(short("good", "hello"), line, "\n", short("last", "bye"))
	d, problems, err := datasets.Check(path, schema())
	Expect(err).NotTo(HaveOccurred())
	Expect(problems).To(HaveLen(1))
	Expect(problems[0]).To(MatchError(path + ":2: " + message))
	Expect(problems[0].Error()).NotTo(ContainSubstring("\n"))
	Expect(d.Cases).To(Equal(int64(2)))
}

const (
	known   = "(known: image_gen, web_search, time_query, chat)"
	example = "is not a time such as 2026-11-20T10:00:00+08:00"
)

var _ = DescribeTable("an invalid line is rejected with an error that describes the line and no Go types", expectError,
	// Lines that are not JSON objects.
	Entry(nil, `{"id":"a","text":"x","label":"chat"`, `is not valid JSON: the line ends too early`),
	Entry(nil, `{"id":"a",}`, `is not valid JSON: invalid character ',' at start of value at byte 10`),
	Entry(nil, `{"id":"a"} {}`, `is not valid JSON: invalid character '{' after top-level value at byte 12`),
	Entry(nil, "{\"id\":\"a\",\"text\":\"x\x00\"}",
		`is not valid JSON: invalid character '\x00' in string (expecting non-control character) at byte 20`),
	Entry(nil, "{\"id\":\"a\"}\r{\"id\":\"b\"}",
		`is not valid JSON: invalid character '{' after top-level value at byte 12`),
	Entry(nil, "\ufeff"+`{"id":"a"}`, `is not valid JSON: invalid character '\ufeff' at start of value at byte 1`),
	Entry(nil, "\u3000", `is not valid JSON: invalid character '\u3000' at start of value at byte 1`),
	Entry(nil, `{"id":"a","text":"\ud800","label":"chat"}`,
		"is not valid JSON: invalid surrogate pair `\\ud800\",\"lab` in string at byte 19"),
	Entry(nil, "{\"id\":\"a\",\"text\":\"\xff\"}", `line is not valid UTF-8`),
	Entry(nil, `[1,2]`, `is not a JSON object`),
	Entry(nil, `null`, `is not a JSON object`),
	Entry(nil, `"x"`, `is not a JSON object`),
	Entry(nil, strings.Repeat("[", 20_000), `is not a JSON object`),

	// Errors in fields of both the short and the full form.
	Entry(nil, `{}`, `id: is missing`),
	Entry(nil, `{"id":null,"text":"x","label":"chat"}`, `id: is missing`),
	Entry(nil, `{"ID":"a","text":"x","label":"chat"}`, `id: is missing`),
	Entry(nil, `{"id":7}`, `id: must be a string, got a number`),
	Entry(nil, `{"id":["a"]}`, `id: must be a string, got a list`),
	Entry(nil, `{"id":"a\nb","text":"x","label":"chat"}`, `id: "a\nb" holds a character that cannot be printed`),
	Entry(nil, `{"id":"a","id":"a","text":"x","label":"chat"}`, `id: is given twice`),
	Entry(nil, `{"id":"good","text":"x","label":"chat"}`, `id: good is used before`),
	Entry(nil, `{"id":"a","text":"x","label":"chat","split":"valid"}`, `split: valid is not train, dev or test`),
	Entry(nil, `{"id":"a","text":"x","label":"chat","split":true}`, `split: must be a string, got a boolean`),
	Entry(nil, `{"id":"a","text":"x","label":"chat","now":"today"}`, `now: today `+example),
	Entry(nil, `{"id":"a","text":"x","label":"chat","now":"2026-11-20 10:00"}`, `now: "2026-11-20 10:00" `+example),
	Entry(nil, `{"id":"a","text":"x","label":"chat","now":"2026-02-30T10:00:00Z"}`,
		`now: "2026-02-30T10:00:00Z" `+example),
	Entry(nil, `{"id":"a","text":"x","label":"chat","now":1763600000}`, `now: must be a string, got a number`),
	Entry(nil, `{"id":"a","text":"x","label":"chat","tags":["zh","zh"]}`, `tags[1]: zh is given twice`),
	Entry(nil, `{"id":"a","text":"x","label":"chat","tags":[null]}`, `tags[0]: is empty`),
	Entry(nil, `{"id":"a","text":"x","label":"chat","tags":["a",["b"]]}`, `tags[1]: must be a string, got a list`),
	Entry(nil, `{"id":"a","text":"x","label":"chat","tags":"zh"}`, `tags: must be a list, got a string`),

	// Errors in the short form.
	Entry(nil, `{"id":"a","text":" \t","label":"chat"}`, `text: is empty`),
	Entry(nil, `{"id":"a","text":5,"label":"chat"}`, `text: must be a string, got a number`),
	Entry(nil, `{"id":"a","text":"x"}`, `label: is missing`),
	Entry(nil, `{"id":"a","text":"x","lable":"chat"}`, `label: is missing`),
	Entry(nil, `{"id":"a","text":"x","label":null}`, `label: is missing`),
	Entry(nil, `{"id":"a","text":"x","label":"cat"}`, `label: unknown label cat `+known),
	Entry(nil, `{"id":"a","text":"x","label":""}`, `label: unknown label "" `+known),
	Entry(nil, `{"id":"a","text":"x","label":3}`, `label: must be a label or a list of labels, got a number`),
	Entry(nil, `{"id":"a","text":"x","label":{"route":"chat"}}`,
		`label: must be a label or a list of labels, got an object`),
	Entry(nil, `{"id":"a","text":"x","label":[]}`, `label: is an empty list`),
	Entry(nil, `{"id":"a","text":"x","label":["chat",["chat"]]}`, `label[1]: must be a string, got a list`),
	Entry(nil, `{"id":"a","text":"x","label":["chat",null]}`, `label: unknown label "" `+known),
	Entry(nil, `{"id":"a","text":"x","label":["chat","chat"]}`, `label: chat is given twice`),
	Entry(nil, `{"id":"a","text":"x","label":"chat","weight":0.5}`,
		`weight: becomes a tag and must be a string or a boolean, got a number`),
	Entry(nil, `{"id":"a","text":"x","label":"chat","a b":["zh"]}`,
		`"a b": becomes a tag and must be a string or a boolean, got a list`),
	Entry(nil, `{"id":"a","text":"x","label":"chat","lang":"zh","lang":"en"}`, `lang: is given twice`),
	Entry(nil, `{"id":"a","text":"x","label":"chat","tags":["lang:zh"],"lang":"zh"}`,
		`tags[1]: "lang:zh" is given twice`),
	Entry(nil, `{"id":"a","text":"x","label":"chat","expect":{"route":"chat"}}`,
		`expect: cannot be combined with text`),
	Entry(nil, `{"id":"a","text":"x","label":"chat","input":{"text":"x"}}`, `input: cannot be combined with text`),
	Entry(nil, `{"id":"a","text":"x","label":"chat","turns":[]}`, `turns: cannot be combined with text`),

	// Errors in the full form.
	Entry(nil, `{"id":"a","input":{"text":"x"}}`, `expect: is missing`),
	Entry(nil, `{"id":"a","input":{"text":"x"},"expect":null}`, `expect: is missing`),
	Entry(nil, `{"id":"a","input":null,"expect":{"route":"chat"}}`, `input: is missing`),
	Entry(nil, `{"id":"a","input":{"text":"x"},"label":"chat"}`, `label: requires text; with input, use expect.route`),
	Entry(nil, `{"id":"a","input":{"text":"x"},"expect":{"route":"chat"},"weight":1}`,
		`weight: unknown field (known: id, text, label, input, expect, turns, tags, split, now)`),
	Entry(nil, `{"id":"a","input":"x","expect":{"route":"chat"}}`, `input: must be an object, got a string`),
	Entry(nil, input(`"txt":"x"`), `input.txt: unknown field`),
	Entry(nil, input(`"text":""`), `input.text: is empty`),
	Entry(nil, input(`"text":"x","text":"y"`), `input.text: is given twice`),
	Entry(nil, input(`"text":"x","images":["a.png"]`), `input.images[0]: is not an http, https or data:image URL`),
	Entry(nil, input(`"text":"x","images":[["http://a"]]`), `input.images[0]: must be a string, got a list`),
	Entry(nil, input(`"text":"x","images":[null]`), `input.images[0]: is not an http, https or data:image URL`),
	Entry(nil, input(`"text":"x","mask":"m.png"`), `input.mask: is not a data:image URL`),
	Entry(nil, input(`"text":"x","history":[{"role":"bot","content":"y"}]`),
		`input.history[0].role: bot is not user, assistant or system`),
	Entry(nil, input(`"text":"x","history":[null]`), `input.history[0].role: "" is not user, assistant or system`),
	Entry(nil, input(`"text":"x","history":[{"role":"user","content":""}]`), `input.history[0].content: is empty`),
	Entry(nil, input(`"text":"x","history":[{"role":"user","content":"y","name":"z"}]`),
		`input.history[0].name: unknown field`),
	Entry(nil, input(`"text":"x","history":[{"role":"user","content":"y","images":["z"]}]`),
		`input.history[0].images[0]: is not an http, https or data:image URL`),
	Entry(nil, input(`"text":"x","history":[{"role":"assistant","content":"y","generated_image_url":"z"}]`),
		`input.history[0].generated_image_url: is not an http, https or data:image URL`),
	Entry(nil, input(`"text":"x","documents":[{"content":"y"}]`), `input.documents[0].name: is missing`),
	Entry(nil, input(`"text":"x","documents":[{"name":"y","size":3}]`), `input.documents[0].size: unknown field`),
	Entry(nil, input(`"text":"x","options":{"agnet":false}`),
		`input.options.agnet: unknown switch (known: agent, image_gen, web_search, dashscope_key)`),
	Entry(nil, input(`"text":"x","options":{"agent":null}`), `input.options.agent: null is neither true nor false`),
	Entry(nil, input(`"text":"x","options":{"agent":"no"}`), `input.options.agent: "no" is neither true nor false`),
	Entry(nil, input(`"text":"x","state":[]`), `input.state: must be an object, got a list`),

	// Errors in the expect object.
	Entry(nil, expect(`[]`), `expect: must be an object, got a list`),
	Entry(nil, expect(`{}`), `expect.route: is missing`),
	Entry(nil, expect(`{"answered_by":"chat"}`), `expect.route: is missing`),
	Entry(nil, expect(`{"route":"cat"}`), `expect.route: unknown label cat `+known),
	Entry(nil, expect(`{"route":"chat","intent":"y"}`),
		`expect.intent: unknown field (known: route, answered_by, under_fault, vision)`),
	Entry(nil, expect(`{"route":"chat","route":"chat"}`), `expect.route: is given twice`),
	Entry(nil, expect(`{"route":"chat","answered_by":null}`),
		`expect.answered_by: must be a label or a list of labels, got null`),
	Entry(nil, expect(`{"route":"chat","under_fault":[]}`), `expect.under_fault: must be an object, got a list`),
	Entry(nil, expect(`{"route":"chat","under_fault":{}}`), `expect.under_fault: is empty`),
	Entry(nil, expect(`{"route":"chat","under_fault":{"image:oops":"chat"}}`),
		`expect.under_fault["image:oops"]: unknown kind?oops`),
	Entry(nil, expect(`{"route":"chat","under_fault":{"image:timeout":"cat"}}`),
		`expect.under_fault["image:timeout"]: unknown label cat `+known),

	// Errors in cases with several turns.
	Entry(nil, `{"id":"a","turns":[]}`, `turns: none of them has an expect.route`),
	Entry(nil, `{"id":"a","turns":{}}`, `turns: must be a list, got an object`),
	Entry(nil, `{"id":"a","turns":[null]}`, `turns[0].input: is missing`),
	Entry(nil, `{"id":"a","turns":[[]]}`, `turns[0]: must be an object, got a list`),
	Entry(nil, `{"id":"a","turns":[{"input":{"text":"x"}}]}`, `turns: none of them has an expect.route`),
	Entry(nil, `{"id":"a","turns":[{"input":{"text":"x"},"expect":{"route":"cat"}}]}`,
		`turns[0].expect.route: unknown label cat `+known),
	Entry(nil, `{"id":"a","turns":[{"input":{"text":"x"},"expect":{"route":"chat"},"note":"y"}]}`,
		`turns[0].note: unknown field`),
	Entry(nil, `{"id":"a","turns":[{"input":{"text":"x","speed":1}}]}`, `turns[0].input.speed: unknown field`),
	Entry(nil, `{"id":"a","turns":[{"input":{"text":"x"}},{"input":{"text":""}}]}`, `turns[1].input.text: is empty`),
	Entry(nil, `{"id":"a","turns":[{"input":{"text":"x"}}],"expect":{"route":"chat"}}`,
		`expect: belongs into each of the turns`),
	Entry(nil, `{"id":"a","turns":[{"input":{"text":"x"}}],"input":{"text":"x"}}`,
		`turns: cannot be combined with input`),

	// Errors whose long values are shortened.
	Entry(nil, `{"id":"a","text":"x","label":"`+strings.Repeat("长", 70)+`"}`,
		`label: unknown label "`+strings.Repeat("长", 60)+`…" `+known),
)

// input returns a line whose input has these fields.
func input(fields string) string {
	return `{"id":"a","input":{` + fields + `},"expect":{"route":"chat"}}`
}

// expect returns a line with this expect object.
func expect(object string) string {
	return `{"id":"a","input":{"text":"x"},"expect":` + object + `}`
}

var _ = DescribeTable("28.3: a field of version 1 is rejected with its position and its new name",
	func(set, line, want string) {
		path := write(line + "\n")
		_, err := datasets.Open(path, schemaOf(set))
		Expect(err).To(MatchError(path + ":1: " + want))
	},
	Entry(nil, "toolrouter", `{"id":"a","input":{"text":"x"},"expect":{"route":"chat","served":"chat"}}`,
		`expect.served: unknown field: renamed to "answered_by"`),
	Entry(nil, "toolrouter",
		`{"id":"a","input":{"text":"x"},"expect":{"route":"chat","under":{"router:timeout":"chat"}}}`,
		`expect.under: unknown field: renamed to "under_fault"`),
	Entry(nil, "studio", `{"id":"a","input":{"text":"x"},"expect":{"action":"unknown","pictures":[]}}`,
		`expect.pictures: unknown field: renamed to "images"`),
	Entry(nil, "studio", `{"id":"a","input":{"text":"x"},"expect":{"action":"unknown","images":[{"shows":"x","quality":1,"acceptable":true}]}}`,
		`expect.images[0].shows: unknown field: renamed to "description"`),
	Entry(nil, "studio", `{"id":"a","input":{"text":"x"},"expect":{"action":"unknown","images":[{"description":"x","quality":1,"good":true}]}}`,
		`expect.images[0].good: unknown field: renamed to "acceptable"`),
	Entry(nil, "scholar", `{"id":"a","input":{"text":"x"},"expect":{"intent":"SIMPLE_INTERACTION","remembers":["x"]}}`,
		`expect.remembers: unknown field: renamed to "retained_facts"`),
	Entry(nil, "newsroom", `{"id":"a","input":{"text":"x"},"expect":{"next_agent":"END","reviews":[{}]}}`,
		`expect.reviews: unknown field: renamed to "simulated_reviews"`),
	Entry(nil, "newsroom", `{"id":"a","turns":[{"input":{"text":"x"},"expect":{"next_agent":"END","asks":["k"]}}]}`,
		`turns[0].expect.asks: unknown field: renamed to "simulated_questions"`),
	Entry(nil, "companion", `{"id":"a","input":{"text":"x","state":{"zone":"Asia/Shanghai"}},"expect":{"intent":"NORMAL_CHAT"}}`, `input.state.zone: unknown key: renamed to "time_zone"`),
	Entry("a misspelled field is not reported as renamed", "toolrouter",
		`{"id":"a","input":{"text":"x"},"expect":{"route":"chat","answerd_by":"chat"}}`,
		`expect.answerd_by: unknown field, did you mean "answered_by"?`),
	Entry("an old name that only another system had is not reported as renamed", "toolrouter",
		`{"id":"a","input":{"text":"x"},"expect":{"route":"chat","pictures":[]}}`,
		`expect.pictures: unknown field (known: route, answered_by, under_fault, vision)`),
)

var _ = Describe("28.6: a file that is not JSON Lines", func() {
	It("is rejected with an error that suggests the right field", func() {
		dir := GinkgoT().TempDir()
		misspelt := filepath.Join(dir, "cases.jsonl")
		Expect(os.WriteFile(misspelt, []byte(`{"id":"a","txt":"hello","label":"x"}`), 0o600)).To(Succeed())
		_, err := datasets.Open(misspelt, schema())
		Expect(err).To(MatchError(misspelt + `:1: txt: unknown field, did you mean "text"?`))
	})
})
