package suite_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp/cmpopts"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/suite"
)

var _ = Describe("Parse", func() {
	It("reads every field of a suite file", func() {
		s := parse(small + `    threshold: 0.5
    prompt: p.md
    faults: ["router:timeout"]
split: dev
tags: [zh]
limit: 7
epochs: 3
timeout: 90s
models:
  router:
    model: deepseek:deepseek-chat
    behavior: labeled
    accuracy: 0.9
    confusion: {chat: {web_search: 2}}
    calibration: [{confidence: 0.5, accuracy: 0.4}, {confidence: 1, accuracy: 0.95}]
    consistency: 0.95
    latency: constant:1s
  image: {task_duration: 9s}
`)
		Expect(s).To(BeComparableTo(suite.Suite{
			Name: "mine", Target: "toolrouter", Dataset: "toolrouter", Split: "dev", Tags: []string{"zh"},
			Limit: 7, Epochs: 3,
			Timeout: 90 * time.Second,
			Variants: []suite.Variant{{Name: "llm-first",
				Settings: map[string]string{"router": "llm-first", "threshold": "0.5", "prompt": "p.md"},
				Faults:   []string{"router:timeout"}}},
			Models: map[string]suite.Model{
				"router": {Model: "deepseek:deepseek-chat",
					Simulated: suite.Simulated{Behavior: "labeled", Accuracy: new(0.9),
						Confusion: map[string]map[string]float64{"chat": {"web_search": 2}},
						Calibration: suite.Calibration{Curve: []suite.CurvePoint{{Confidence: 0.5, Accuracy: 0.4},
							{Confidence: 1, Accuracy: 0.95}}}, Consistency: new(0.95), Latency: "constant:1s"}},
				"image": {Simulated: suite.Simulated{TaskDuration: 9 * time.Second}},
			},
		}, cmpopts.IgnoreUnexported(suite.Suite{})))
	})

	It("reads a list for a setting that takes several values, and writes it as a list again", func() {
		text := "name: s\ntarget: exec\ndataset: d.jsonl\nvariants:\n  - name: a\n    command: [python3, my agent.py, 5]\n  - name: b\n    command: node agent.mjs\n"
		s := parse(text)
		Expect(s.Commands()).To(Equal([]string{`["python3","my agent.py","5"]`, "node agent.mjs"}))
		written, err := yaml.Marshal(s.Variants[0])
		Expect(err).NotTo(HaveOccurred())
		Expect(string(written)).To(ContainSubstring(`command: "[\"python3\",\"my agent.py\",\"5\"]"`))
	})

	DescribeTable("15.1: recognizes which elements of a setting are commands and which are URLs",
		func(target, setting, value string, commands []string, addresses ...string) {
			s := suite.Suite{Target: target,
				Variants: suite.Variants{{Name: "a", Settings: map[string]string{setting: value}}}}
			Expect(s.Commands()).To(Equal(commands))
			var found []string
			for _, e := range s.Endpoints() {
				found = append(found, e.BaseURL)
			}
			Expect(strings.Join(found, " | ")).To(Equal(strings.Join(addresses, " | ")))
		},
		Entry(nil, "tool-calling", "mcp", "sh -c 'id' + http://h/mcp", []string{"sh -c 'id'"}, "http://h/mcp"),
		Entry(nil, "tool-calling", "mcp", "http://h/mcp + a b + HTTPS://g", []string{"a b"},
			"http://h/mcp", "HTTPS://g"),
		Entry(nil, "tool-calling", "mcp", "curl http://h/", []string{"curl http://h/"}),
		Entry(nil, "tool-calling", "mcp", "http://h/\nid", []string{"http://h/\nid"}),
		Entry(nil, "tool-calling", "mcp", "http://h+http://g", []string{"http://h+http://g"}),
		Entry(nil, "tool-calling", "mcp", "ftp://h/", []string{"ftp://h/"}),
		Entry(nil, "exec", "command", "http://h/", []string{"http://h/"}),
		Entry(nil, "scholar", "allowed-base-urls", "http://h/v1 + http://g/v1", nil, "http://h/v1", "http://g/v1"),
		Entry(nil, "scholar", "allowed-base-urls", "no address", nil, "no address"),
		Entry(nil, "scholar", "summary-cache", "memory", nil),
		Entry(nil, "scholar", "summary-cache", "redis://h", nil, "redis://h"),
		Entry(nil, "scholar", "retrieval-datasets", "http://h+http://g", nil),
		Entry(nil, "http", "url", "http://h/x", nil, "http://h/x"),
	)

	It("recognizes to which endpoint a setting sends an environment variable", func() {
		s := parse("name: s\ntarget: http\ndataset: d.jsonl\nvariants:\n  - name: a\n    url: http://h/x\n    header: ['Authorization=Bearer $ONE', 'X-Team=a']\n")
		Expect(s.Endpoints()).To(
			Equal([]suite.EndpointRef{{BaseURL: "http://h/x"}, {BaseURL: "http://h/x", KeyEnv: "ONE"}}))
	})

	DescribeTable("returns an error with file and line for an invalid file",
		func(text, want string) {
			_, err := suite.Parse("mine.yaml", []byte(text))
			Expect(err).To(MatchError(HavePrefix(want)))
			Expect(err.Error()).NotTo(ContainSubstring("\n"))
		},
		Entry("a list for a setting with a single value",
			strings.Replace(small, "router: ", "threshold: [0.5, 0.6]\n    router: ", 1),
			`mine.yaml:6:16: variants[0].threshold: must be a word or a number`),
		Entry("a list inside the list of a setting",
			"name: s\ntarget: exec\ndataset: d.jsonl\nvariants:\n  - name: a\n    command: [[a]]\n",
			"mine.yaml:6:14: variants[0].command: must be a word or a number"),
		Entry("a command with an open quote",
			"name: s\ntarget: exec\ndataset: d.jsonl\nvariants:\n  - name: a\n    command: \"a 'b\"\n",
			"mine.yaml:6:14: variants[0].command: "),
		Entry("a secret header with its value in the file",
			"name: s\ntarget: http\ndataset: d.jsonl\nvariants:\n  - name: a\n    header: Authorization=sk-1\n",
			"mine.yaml:6:13: variants[0].header: Authorization: its value is a secret"),
		Entry("an unknown field", small+"seeds: 3\n", `mine.yaml:7:1: unknown field "seeds"`),
		Entry("an unknown field of a variant", strings.Replace(small, "router:", "rooter:", 1),
			`mine.yaml:6:13: variants[0].rooter: unknown setting "rooter", did you mean "router"?`),
		Entry("an unknown field of a model", small+"models:\n  chat:\n    modell: x\n",
			`mine.yaml:9:5: unknown field "modell"`),
		Entry("the old name of the calibration field",
			small+"models:\n  router:\n    confidence: {right: 0.9, wrong: 0.6}\n",
			`mine.yaml:9:5: unknown field "confidence": it is now calibration: [{confidence: 0.5, accuracy: 0.4}, {confidence: 0.99, accuracy: 0.98}]`),
		Entry("an unknown field of a calibration curve",
			small+"models:\n  router:\n    calibration: [{confidence: 0.9, wright: 0.6}]\n",
			`mine.yaml:9:37: unknown field "wright"`),
		Entry("a word in place of a point of a calibration curve",
			small+"models:\n  router:\n    calibration: [perfect]\n",
			`mine.yaml:9:19: `),
		Entry("a duplicate field", small+"name: b\n", "mine.yaml:7:1: "),
		Entry("a word in place of a whole number", small+"epochs: three\n",
			`mine.yaml:7:9: "three" is not a whole number`),
		Entry("a word in place of a fraction", small+"models:\n  router: {consistency: high}\n",
			`mine.yaml:8:25: "high" is not a number`),
		Entry("a number that is too large", small+"limit: 99999999999999999999\n",
			`mine.yaml:7:8: "99999999999999999999" is too large`),
		Entry("a number in place of a list", small+"tags: 3\n", "mine.yaml:7:7: "),
		Entry("an invalid duration", small+"timeout: 5 parsecs\n", `mine.yaml:7: bad duration "5 parsecs"`),
		Entry("an invalid duration in a model", small+"models:\n  image: {task_duration: soon}\n",
			`mine.yaml:8: bad duration "soon"`),
		Entry("a list in place of the suite", "- a\n", "mine.yaml:1:1: "),
		Entry("invalid YAML", "name: [\n", "mine.yaml:1:7: "),
		Entry("two YAML documents in a file", small+"---\nname: b\n", "mine.yaml: has more than one document"),
		Entry("an empty file", "", "mine.yaml: name: is missing"),
	)

	const variants = "variants:\n  - name: llm-first\n    router: llm-first\n"
	DescribeTable("returns an error that names the invalid field",
		func(old, now, want string) {
			Expect(small).To(ContainSubstring(old))
			_, err := suite.Parse("mine.yaml", []byte(strings.Replace(small, old, now, 1)))
			Expect(err).To(MatchError(MatchRegexp(`^mine\.yaml:(\d+:\d+:)? ` + regexp.QuoteMeta(want))))
		},
		Entry(nil, "name: mine", "name: ''", "name: is missing"),
		Entry(nil, "target: toolrouter", "target: compass",
			`target: unknown system "compass" (known: `+strings.Join(suite.Targets(), ", ")),
		Entry(nil, "dataset: toolrouter", "dataset: ''", "dataset: is missing"),
		Entry(nil, "variants:", "split: all\nvariants:", `split: "all" is not train`),
		Entry(nil, "variants:", "epochs: -1\nvariants:", "epochs: -1 is negative"),
		Entry(nil, "variants:", "limit: -1\nvariants:", "limit: -1 is negative"),
		Entry(nil, "variants:", "timeout: -1s\nvariants:", "timeout: -1s is negative"),
		Entry(nil, "variants:", "grade_facts: true\nvariants:", "grade_facts: toolrouter has no grader of facts"),
		Entry(nil, variants, "variants: []\n", "variants: the list is empty"),
		Entry(nil, "name: llm-first", "name: ''", "variants[0].name: is missing"),
		Entry("two variants with the same name", variants, variants+"  - {name: llm-first, router: rules}\n",
			`variants[1].name: "llm-first" is used twice`),
		Entry(nil, "variants:", "baseline_variant: llm-frist\nvariants:",
			`baseline_variant: unknown variant "llm-frist", did you mean "llm-first"?`),
		Entry(nil, "router: llm-first", "router: coin",
			`variants[0].router: unknown router "coin" (known: rules, llm, llm-first)`),
		Entry("an empty router", "router: llm-first", "router: ''", `variants[0].router: unknown router ""`),
		Entry(nil, "router: llm-first", "router: llm-first\n    threshold: 1.5",
			"variants[0].threshold: 1.5 is not in 0..1"),
		Entry(nil, "router: llm-first", "router: llm-first\n    threshold: .nan",
			"variants[0].threshold: NaN is not in 0..1"),
		Entry(nil, "router: llm-first", "router: llm-first\n    model: gpt",
			"variants[0].base_url: is required with model"),
		Entry(nil, "router: llm-first", "router: llm-first\n    base_url: http://x",
			"variants[0].model: is required with base_url"),
		Entry(nil, "variants:", "models: {oracle: {model: x}}\nvariants:",
			"models.oracle: toolrouter has no such component (known: router, chat"),
		Entry(nil, "variants:", "models: {chat: {base_url: 'http://x'}}\nvariants:",
			"models.chat.model: is required with base_url"),
		Entry(nil, "variants:", "models: {chat: {api_key_env: K}}\nvariants:",
			"models.chat.base_url: is required with api_key_env"),
		Entry(nil, "variants:", "models: {chat: {task_duration: 9s}}\nvariants:",
			"models.chat.task_duration: applies only to an image generator"),
		Entry(nil, "variants:", "models: {image: {task_duration: -9s}}\nvariants:",
			"models.image.task_duration: -9s is negative"),
	)
})

var _ = Describe("Load", func() {
	It("reads a suite file and resolves relative paths from its directory", func() {
		path := write("mine.yaml", small)
		s, err := suite.Load(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.ResolvePath("p.md")).To(Equal(filepath.Join(filepath.Dir(path), "p.md")))
		Expect(s.ResolvePath("/p.md")).To(Equal("/p.md"))
		Expect(s.ResolvePath("")).To(BeEmpty())
	})

	It("returns an error for a missing file", func() {
		_, err := suite.Load("nowhere.yaml")
		Expect(err).To(MatchError("suite nowhere.yaml: no such file"))
	})

	It("returns an error that starts with the path of an invalid file", func() {
		path := write("mine.yaml", small+"seeds: 3\n")
		_, err := suite.Load(path)
		Expect(err).To(MatchError(HavePrefix(path + ":7:1: ")))
	})
})

var _ = DescribeTable("prices are rejected if they are invalid", func(models, message string) {
	_, err := suite.Parse("mine.yaml", []byte(small+"models: "+models+"\n"))
	Expect(err).To(MatchError(ContainSubstring(message)))
},
	Entry("a negative price", "{chat: {model: a, price: {in: -1}}}", "models.chat.price: -1 is not a price"),
	Entry("two prices of the same model",
		"{chat: {model: deepseek:a, price: {in: 1}}, router: {model: a, price: {in: 2}}}",
		`models.router.price: differs from that of chat, which is the same model "a"`),
	Entry("a price with an unknown field", "{chat: {model: a, price: {on: 1}}}", `unknown field "on"`),
)
