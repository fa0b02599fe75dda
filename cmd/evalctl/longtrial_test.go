package main

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

// busyAgent is a program that calls two models alternately for the message "busy", 150 times each.
const busyAgent = `import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    for call in range(300 if request["text"] == "busy" else 2):
        time.sleep(.001)
        span = {"kind": "span", "node": ["llm", "search"][call % 2], "duration_ms": 0.5}
        print(json.dumps({"id": request.get("id"), "event": span}), flush=True)
    print(json.dumps({"id": request.get("id"), "label": "a", "text": "x"}), flush=True)
`

var _ = It("reports, evaluates and resumes a run with a trial of 300 node visits and a conversation of 260 turns",
	func() {
		turn := `{"input":{"text":"short"},"expect":{"label":"a"}}`
		cases := fileOf("cases.jsonl", `{"id":"busy","text":"busy","label":"a"}
{"id":"long","turns":[`+strings.Repeat(turn+",", 259)+turn+`]}
`)
		dir := newRunDir()
		got := evalctl("run", "--target", "exec", "--dataset", cases, "--labels", "a,b", "--out", dir, "--",
			interpreter("python3"), "-c", busyAgent)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		visits := map[string]int{}
		for _, r := range resultsOf(dir) {
			visits[r.Case] = len(r.Nodes)
		}
		Expect(visits["busy"]).To(BeNumerically(">", 256), fmt.Sprint(visits))
		Expect(visits["long"]).To(BeNumerically(">", 3*256), fmt.Sprint(visits))
		for _, args := range [][]string{
			{"report", dir},
			{"gate", dir, "route.accuracy >= 50%"},
			{"run", "--resume", dir, "--trust"},
		} {
			got := evalctl(args...)
			Expect(got.code).To(Equal(exit.Passed), "%v: %s", args, got.stderr)
		}
	})
