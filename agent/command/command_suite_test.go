package command_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// TestMain also makes this program the agent under test: with the argument "agent" and a mode.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "agent" {
		serve(os.Args[2])
		return
	}
	os.Exit(m.Run())
}

func TestCommand(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "command")
}

// question is the part of a request that the agent reads.
type question struct {
	ID, Text, Session string
	History           []struct{ Content string }
}

// serve answers requests in the way that mode determines. In the mode "by-request", the text of
// each request is its mode.
func serve(mode string) {
	switch mode {
	case "late":
		time.Sleep(300 * time.Millisecond)
	case "deaf":
		time.Sleep(time.Hour)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	turns := 0
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			fmt.Println("no question")
			continue
		}
		turns++
		do := mode
		if do == "by-request" {
			do = q.Text
		}
		answer(do, q, turns)
	}
	if mode == "stubborn" {
		time.Sleep(time.Hour)
	}
}

func say(id string, more string) { fmt.Printf("{\"id\":%q,%s}\n", id, more) }

func answer(do string, q question, turns int) {
	switch do {
	case "hangs":
		time.Sleep(time.Hour)
	case "dies":
		fmt.Fprintln(os.Stderr, "Traceback\nKeyError: 'x'")
		os.Exit(3)
	case "dies beside its child":
		child := exec.Command("sleep", "3600")
		child.Stdout = os.Stdout
		_ = child.Start()
		os.Exit(3)
	case "leaves":
		os.Exit(0)
	case "prose":
		fmt.Println("Sure, a refund!")
	case "another":
		say("another", `"label":"refund"`)
	case "nameless":
		fmt.Println(`{"label":"refund"}`)
	case "nameless twice": // in one write, so that both lines arrive together
		fmt.Print(`{"label":"refund"}` + "\n" + `{"label":"refund"}` + "\n")
	case "nameless with blank lines":
		fmt.Print(`{"label":"refund"}` + "\n\n \n")
	case "lies":
		say(q.ID, `"label":"cake"`)
	case "twice":
		say(q.ID, `"label":"refund"`)
		say(q.ID, `"label":"refund"`)
	case "pathless":
		say(q.ID, `"result":[{"tag":"refund"}]`)
	case "error":
		say(q.ID, `"error":"out of cheese"`)
	case "floods":
		for {
			say(q.ID, `"event":{"kind":"thought_log","text":"hm"}`)
		}
	case "endless line":
		for {
			fmt.Print(strings.Repeat("x", 1<<20))
		}
	case "large":
		say(q.ID, `"label":"refund","text":"`+strings.Repeat("好", 700_000)+`"`)
	case "chatters":
		for i := range 3000 {
			fmt.Fprintln(os.Stderr, "line", i)
		}
		time.Sleep(50 * time.Millisecond) // until stderr has been read
		say(q.ID, `"label":"refund"`)
	case "tells":
		say(q.ID, `"event":{"kind":"chunk","text":"gleich "}`)
		say(q.ID, `"event":{"kind":"span","node":"llm","model":"m","in":5,"out":1}`)
		say(q.ID, `"label":"refund","confidence":0.5`)
	case "once":
		say(q.ID, `"label":"refund"`)
		os.Exit(0)
	case "child", "stubborn", "daemon":
		child := exec.Command("sleep", "3600")
		if do == "daemon" {
			// setsid runs it in the same process, because that does not lead a process group
			child = exec.Command("setsid", "sleep", "3600")
		}
		_ = child.Start()
		say(q.ID, fmt.Sprintf(`"label":"refund","text":"%d %d"`, os.Getpid(), child.Process.Pid))
	default:
		say(q.ID, fmt.Sprintf(`"label":"refund","text":"%d %d %s %d","usage":{"in":1,"out":2}`, os.Getpid(), turns,
			q.Session, len(q.History)))
	}
}
