package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval/journal"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// refuses expects a usage error of evalctl: one line on stderr, nothing on stdout, and no run
// directory.
func refuses(want string, args ...string) {
	GinkgoHelper()
	dir := newRunDir()
	got := evalctl(append(args, "--out", dir)...)
	// printed before any request
	notices := regexp.MustCompile(`^(hosts that the suite file names: .*\n)?(keys: .*\n)?`)
	Expect(notices.ReplaceAllString(got.stderr, "")).To(Equal("evalctl: " + want + "\n"))
	Expect(got.code).To(Equal(exit.InvalidUsage))
	Expect(got.stdout).To(BeEmpty())
	Expect(dir).NotTo(BeADirectory())
}

var _ = DescribeTable("evalctl run reports a bad flag in one line with its name", func(want string, args ...string) {
	refuses(want, append([]string{"run"}, args...)...)
},
	Entry(nil, `unknown flag: --traget, did you mean --target?`, "--traget", "x"),
	Entry(nil, `suite toolruter: no such file, did you mean the shipped suite "toolrouter"?`, "toolruter"),
	Entry(nil, `suite nope.yaml: no such file, and no shipped suite (those are: `+
		suggest.JoinWords(datasets.BuiltInNames())+`)`,
		"nope.yaml"),
	Entry(nil, `suite fault: no such file, did you mean the shipped suite "faults"?`, "fault"),
	Entry(nil, `--fault: unknown fault "alll", did you mean "all"?`, "--fault", "alll"),
	Entry(nil, `suite toolrouter: is named twice`, "toolrouter", "toolrouter"),
	Entry(nil, `--target: unknown system "toolruter", did you mean "toolrouter"?`, "--target", "toolruter"),
	Entry(nil, `--target: cannot be combined with a suite: name one of them`, "toolrouter", "--target", "toolrouter"),
	Entry(nil, `--router: unknown router "ruels", did you mean "rules"?`, "--router", "ruels"),
	Entry(nil, `--router: unknown router "dice" (known: rules, llm, llm-first)`, "--router", "dice"),
	Entry(nil, `--split: unknown split "tset", did you mean "test"?`, "--split", "tset"),
	Entry(nil, `dataset toolrouter: no case of 1719 is left after split test and tags nope`, "--tags", "nope"),
	Entry(nil, `--limit: "x" is not a whole number`, "--limit", "x"),
	Entry(nil, `--limit: must be at least 1, got -1`, "--limit", "-1"),
	Entry(nil, `--sample: must be at least 1, got 0`, "--sample", "0"),
	Entry(nil, `--sample: cannot be combined with --limit`, "--sample", "5", "--limit", "5"),
	Entry(nil, `--epochs: must be at least 1, got 0`, "--epochs", "0"),
	Entry(nil, `--parallel: must be at least 1, got -3`, "-j", "-3"),
	Entry("28.5: zero parallel trials", `--parallel: must be at least 1, got 0`, "-j", "0"),
	Entry(nil, `--seed: "-1" is not a whole number from 0 on`, "--seed", "-1"),
	Entry(nil, `--threshold: 2 is not in 0..1`, "--threshold", "0.5,2"),
	Entry(nil, `--threshold: NaN is not in 0..1`, "--threshold", "nan"),
	Entry(nil, `--threshold: no variant makes use of it`, "--threshold", "0.5", "--router", "rules,llm"),
	Entry(nil, `--prompt: load prompt: open nope.md: no such file or directory`, "toolrouter", "--prompt", "nope.md"),
	Entry(nil, `--prompt: name the one suite that the file is for: `+suggest.JoinWords(datasets.BuiltInNames()),
		"--prompt",
		"badinput_test.go"),
	Entry(nil, "--router: "+suite.UnknownSettingError("router", "studio").Error(), "studio", "--router", "llm"),
	Entry(nil, "--critic: "+suite.UnknownSettingError("critic", "toolrouter").Error(), "toolrouter", "--critic", "llm"),
	Entry(nil, `no shipped suite (`+suggest.JoinWords(datasets.BuiltInNames())+`) has all of these settings and faults`,
		"--router", "llm", "--critic", "llm"),
	Entry(nil, `--clock: unknown clock "fast" (known: real, simulated)`, "--clock", "fast"),
	Entry(nil, `--fault: fault "ruoter:timeout": unknown component "ruoter", did you mean "router"?`,
		"--fault", "ruoter:timeout"),
	Entry(nil, `--fault: fault "router:timeout+image:task_faild": unknown kind "task_faild", did you mean "task_failed"?`,
		"--fault", "router:timeout+image:task_faild"),
	Entry("a fault whose component has its name in traces, not its name in suites",
		`--fault: fault "supervisor:timeout": the part at the node supervisor is called router: router:timeout`,
		"newsroom", "--fault", "supervisor:timeout"),
	Entry("a fault of an unknown component: the line lists the known ones",
		`--fault: fault "xyz:timeout": unknown component "xyz": known are router, chat, summary, knowledge, store`,
		"--target", "companion", "--fault", "xyz:timeout"),
	Entry("a fault of the grader, a component that only measures answers",
		`suite scholar: faults: fault "grader:timeout": the grader measures the answers: faults do not apply to it`,
		"scholar", "--fault", "grader:timeout"),
	Entry("a fault of an unknown component: the list of known ones omits the grader",
		`--fault: fault "xyz:timeout": unknown component "xyz": known are router, answer, chat, compression, report, summary, sub_questions, retrieval, search, cache`, "scholar", "--fault", "xyz:timeout"),
	Entry(nil, `--fault: is empty`, "--fault", ""),
	Entry(nil, `--dataset: is empty`, "--dataset", ""),
	Entry(nil, `--resume: is empty`, "--resume", ""),
	Entry(nil, `--format: unknown format "tabel", did you mean "table"?`, "--format", "tabel"),
	Entry(nil, `--format json=/nowhere/r.json: open /nowhere/r.json: no such file or directory`, "toolrouter",
		"--format", "json=/nowhere/r.json"),
	Entry(nil, `--gate: "route.accuracy = 1", column 16: expected >=, >, <=, <, == or != here`, "toolrouter", "--gate",
		"route.accuracy = 1"),
	Entry(nil, `--model: is required with --base-url or --api-key-env`, "--base-url", "http://127.0.0.1:1/v1"),
	Entry(nil, `--model: m needs --base-url, or a provider before it, as in deepseek:m`, "--model", "m"),
	Entry(nil, `--model: deepsek:m needs --base-url: unknown provider "deepsek", did you mean "deepseek"?`,
		"--model", "deepsek:m"),
	Entry(nil, `--base-url: "127.0.0.1:1" is not an address like http://127.0.0.1:8000/v1`, "--base-url",
		"127.0.0.1:1", "--model", "m"),
	Entry(nil, `--api-key-env: the environment has no EVALCTL_NO_SUCH_KEY`,
		"--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--api-key-env", "EVALCTL_NO_SUCH_KEY"),
	Entry(nil, `--clock: a real endpoint cannot be waited for in simulated time`,
		"toolrouter", "--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--clock", "simulated"),
	Entry(nil, `suite toolrouter: faults: fault "router:timeout": router is a real endpoint in variant llm, faults are injected into simulated ones`,
		"--router", "llm", "--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--fault", "router:timeout"),
)

var _ = DescribeTable("evalctl run reports a bad dataset with file and line:", func(content, want string) {
	path := fileOf("cases.jsonl", content)
	refuses(strings.ReplaceAll(want, "FILE", path), "run", "--target", "toolrouter", "--router",
		"rules", "--dataset", path)
},
	Entry("an empty file", "", "FILE: contains no case"),
	Entry("a file of blank lines", "\n \n", "FILE: contains no case"),
	Entry("an unknown label", threeCases+`{"id":"d","text":"x","label":"caht"}`,
		"FILE:4: label: unknown label caht (known: image_gen, web_search, time_query, chat)"),
	Entry("an unknown field", `{"id":"a","input":{"text":"x","txet":1},"expect":{"route":"chat"}}`,
		"FILE:1: input.txet: unknown field"),
	Entry("a duplicate id", threeCases+`{"id":"a","text":"x","label":"chat"}`, "FILE:4: id: a is used before"),
	Entry("invalid UTF-8", "{\"id\":\"a\",\"text\":\"\xff\",\"label\":\"chat\"}", "FILE:1: line is not valid UTF-8"),
	Entry("a truncated line", threeCases+`{"id":"d","te`, "FILE:4: is not valid JSON: the line ends too early"),
)

var _ = Describe("evalctl run", func() {
	plain := []string{"run", "--target", "toolrouter", "--router", "rules", "--dataset"}

	It("refuses a line of 100 MB without storing it", func() {
		path := filepath.Join(GinkgoT().TempDir(), "long.jsonl")
		Expect(os.WriteFile(path, nil, 0o644)).To(Succeed())
		Expect(os.Truncate(path, 100<<20)).To(Succeed())
		refuses(path+":1: line is longer than 16 MiB", append(plain, path)...)
	})

	It("refuses a directory, a missing file and a misspelled dataset", func() {
		at := GinkgoT().TempDir()
		refuses("dataset "+at+": is a directory, not a file", append(plain, at)...)
		refuses("dataset nope.jsonl: file does not exist, and there is no shipped dataset of this name (shipped: "+
			suggest.JoinWords(datasets.BuiltInNames())+")", append(plain, "nope.jsonl")...)
		refuses(`dataset toolruoter: file does not exist, and there is no shipped dataset of this name (shipped: `+
			suggest.JoinWords(datasets.BuiltInNames())+`), did you mean "toolrouter"?`, append(plain, "toolruoter")...)
	})

	It("refuses an invalid --out and one that contains a run", func() {
		f := fileOf("f", "")
		Expect(evalctl("run", "toolrouter", "--limit", "1", "--out", f).stderr).
			To(Equal("evalctl: --out: mkdir " + f + ": not a directory\n"))
		Expect(evalctl("run", "toolrouter", "--limit", "1", "--out", filepath.Join(f, "x")).code).
			To(Equal(exit.InvalidUsage))
		Expect(evalctl("run", "toolrouter", "--limit", "1", "--out", "/proc/nope").code).To(Equal(exit.InvalidUsage))
		dir := newRunDir()
		Expect(evalctl("run", "toolrouter", "--limit", "1", "--router", "rules", "--out", dir).code).
			To(Equal(exit.Passed))
		before := read(dir, journal.ManifestFile)
		got := evalctl("run", "toolrouter", "--limit", "1", "--router", "llm", "--out", dir)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(Equal("evalctl: --out: " + dir +
			" already holds a run: give another folder, or go on with --resume\n"))
		Expect(read(dir, journal.ManifestFile)).To(Equal(before))
	})

	It("refuses a job summary that cannot be written, before any trial runs", func() {
		GinkgoT().Setenv("GITHUB_STEP_SUMMARY", "/nowhere/summary.md")
		refuses("GITHUB_STEP_SUMMARY: open /nowhere/summary.md: no such file or directory", "run",
			"toolrouter", "--limit", "1")
	})
})

var _ = DescribeTable("evalctl run refuses a suite file with its line and column:", func(more, want string) {
	path := fileOf("s.yaml",
		"name: mine\ntarget: toolrouter\ndataset: toolrouter\nlimit: 3\nvariants:\n  - {name: m, router: llm}\n"+more)
	refuses(strings.ReplaceAll(want, "FILE", path), "run", path, "--trust")
},
	Entry("an unknown field", "colour: red\n", `FILE:7:1: unknown field "colour"`),
	Entry("a duplicate field", "name: again\n", `FILE:7:1: mapping key "name" already defined at [1:1]`),
	Entry("a value of the wrong type", "tags: chat\n", `FILE:7:7: string was used where sequence is expected`),
	Entry("a negative number of epochs", "epochs: -1\n", `FILE:7:9: epochs: -1 is negative`),
	Entry("a sample together with a limit", "sample: 4\n", `FILE:7:9: sample: cannot be combined with limit`),
	Entry("an unknown component", "models: {ruoter: {behavior: labeled}}\n",
		`FILE:7:18: models.ruoter: toolrouter has no such component (known: router, chat, vision, search, image)`),
	Entry("an invalid accuracy", "models: {router: {accuracy: 1.5}}\n",
		`FILE:7:29: models.router.accuracy: 1.5 is not in 0..1`),
	Entry("an invalid confidence",
		"models: {router: {behavior: labeled, accuracy: 0.9, calibration: [{confidence: 9, accuracy: 1}]}}\n",
		`FILE:7:80: models.router.calibration[0].confidence: 9 is not in 0..1`),
	Entry("a fault of a component that the system does not have", "faults: [critic:timeout]\n",
		`FILE:7:9: faults: fault "critic:timeout": toolrouter has no critic`),
	Entry("an unknown fault", "faults: [router:timeot]\n",
		`FILE:7:9: faults: fault "router:timeot": unknown kind "timeot", did you mean "timeout"?`),
	Entry("an unknown behavior of a simulated model", "models: {router: {behavior: labelled}}\n",
		`FILE:7:29: models.router.behavior: unknown behavior "labelled": it is now "labeled"`),
	Entry("a behavior that only models of other components can have", "models: {chat: {behavior: labeled}}\n",
		`FILE:7:27: models.chat.behavior: labeled is for what decides or judges`),
	Entry("a scripted model without a script", "models: {chat: {behavior: scripted}}\n",
		`FILE:7:16: models.chat.script: is required with behavior: scripted`),
	Entry("an invalid address of a model", "models: {chat: {model: m, base_url: nowhere}}\n",
		`FILE:7:37: models.chat.base_url: "nowhere" is not an address like http://127.0.0.1:8000/v1`),
	Entry("an API key variable that is not set",
		"models: {chat: {model: m, base_url: 'http://127.0.0.1:1/v1', api_key_env: EVALCTL_NO_SUCH_KEY}}\n",
		`FILE:7:75: models.chat.api_key_env: the environment has no EVALCTL_NO_SUCH_KEY`),
)

var _ = DescribeTable("evalctl refuses an invalid command in one line", func(want string, args ...string) {
	got := evalctl(args...)
	Expect(got).To(Equal(cliResult{exit.InvalidUsage, "", "evalctl: " + want + "\n"}))
},
	Entry(nil, `unknown command "runn", did you mean "run"?`, "runn"),
	Entry(nil, `unknown command "lst", did you mean "list"?`, "dataset", "lst"),
	Entry(nil, `dataset: requires one of check, import, list, show`, "dataset"),
	Entry(nil, `mock: requires one of serve`, "mock"),
	Entry(nil, `dataset check: requires a shipped dataset or a file, got 0 arguments`, "dataset", "check"),
	Entry(nil, `show: requires a run directory and a case, or a run directory and --failing, got 1 arguments`,
		"show", "x"),
	Entry(nil, `gate: nowhere contains no run: stat nowhere: no such file or directory`, "gate", "nowhere",
		"route.accuracy > 0"),
	Entry(nil, `show: nowhere contains no run: it has no traces.jsonl`, "show", "nowhere", "x"),
	Entry(nil, `dataset toolrouter: no case "nope"`, "dataset", "show", "toolrouter", "nope"),
	Entry(nil, `--latency: unknown component "chta", did you mean "chat"?`, "mock", "serve", "--latency",
		"chta=constant:1s"),
	Entry(nil, `--accuracy: 2 is not in 0..1`, "mock", "serve", "--accuracy", "2"),
	Entry(nil, `--task-queue-time: -1s is negative`, "mock", "serve", "--task-queue-time", "-1s"),
	Entry(nil, `--task-duration: "3" is not a duration like 3s`, "mock", "serve", "--task-duration", "3"),
	Entry(nil, `--script: open nope.yaml: no such file or directory`, "mock", "serve", "--script", "nope.yaml"),
	Entry(nil, `--addr: listen tcp: address nowhere: missing port in address`, "mock", "serve", "--addr", "nowhere"),
)

var _ = Describe("a dataset for studio", func() {
	const good = `{"id":"a","input":{"text":"画一只水墨猫"},"expect":{"action":"generate_image","styles":["ink-wash"]}}`

	It("is assigned to this system because of its cases, even if the first one is invalid", func() {
		bad := `{"id":"b","input":{"text":"画"},"expect":{"action":"generate_image","images":[{"description":"x","quality":1.5,"acceptable":true}]}}`
		for _, lines := range []string{bad + "\n" + good + "\n", bad + "\n"} {
			path := fileOf("studio.jsonl", lines)
			Expect(evalctl("dataset", "check", path).stdout).
				To(ContainSubstring(path + ":1: expect.images[0].quality: "))
		}
	})

	It("can name styles of the shipped style library and of a custom one", func() {
		path := fileOf("studio.jsonl", strings.Replace(good, "ink-wash", "ink-wahs", 1)+"\n")
		Expect(evalctl("dataset", "check", path).stdout).
			To(Equal(path + `:1: expect.styles[0]: unknown id "ink-wahs", did you mean "ink-wash"?` + "\n"))
		Expect(evalctl("run", "--target", "studio", "--dataset", path).code).To(Equal(exit.InvalidUsage))
		library := filepath.Join(GinkgoT().TempDir(), "own.db")
		Expect(evalctl("style-library", "create", library).code).To(Equal(exit.Passed))
		own := fileOf("own.yaml",
			"name: own\ntarget: studio\ndataset: "+path+"\nvariants: [{name: v2, style-library: "+library+"}]\n")
		Expect(evalctl("run", own, "--out", newRunDir(), "-q").code).To(Equal(exit.Passed))
	})
})

var _ = Describe("a failed gate", func() {
	It("is printed on stderr if the report on stdout does not show it", func() {
		args := []string{"run", "toolrouter", "--router", "rules", "--limit", "3", "-q", "--gate", "route.accuracy > 1"}
		got := evalctl(append(args, "--format", "csv", "--out", newRunDir())...)
		Expect(got.code).To(Equal(exit.GateFailed))
		Expect(got.stderr).To(HavePrefix("evalctl: gate failed: route.accuracy > 1 — "))
		got = evalctl(append(args, "--out", newRunDir())...)
		Expect(got.code).To(Equal(exit.GateFailed))
		Expect(got.stderr).To(BeEmpty())
	})
})
