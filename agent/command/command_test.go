//go:build unix

package command_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/command"
	"evalctl/agent/foreign"
	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// pool returns a pool whose processes are this program as an agent with this mode.
func pool(mode string) *command.ProcessPool {
	p := command.NewPool([]string{os.Args[0], "agent", mode}, "")
	DeferCleanup(p.Close)
	return p
}

// conversationWith returns an agent for one conversation with a process of the pool.
func conversationWith(p *command.ProcessPool, timeout time.Duration) *foreign.Agent {
	return &foreign.Agent{Transport: &command.ProcessTransport{Pool: p, Timeout: timeout}, Session: "s",
		Labels: foreign.NewValidLabels([]system.Label{{Name: "refund"}, {Name: "delivery"}}, nil)}
}

func ask(ctx context.Context, a agent.Agent, text string) (r agent.Reply, events []trace.Event, err error) {
	r, err = a.Respond(ctx, agent.Turn{Text: text}, func(e trace.Event) { events = append(events, e) })
	return r, events, err
}

// answerText sends a turn, expects the label refund and returns the text of the answer.
func answerText(a agent.Agent, text string) string {
	GinkgoHelper()
	r, _, err := ask(context.Background(), a, text)
	Expect(err).NotTo(HaveOccurred())
	Expect(r.Predicted).To(Equal("refund"))
	return r.Content
}

// isRunning reports whether a process is running.
func isRunning(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) == nil
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

// onLinux returns a table entry that is pending on other systems.
func onLinux(description, mode string) TableEntry {
	if runtime.GOOS != "linux" {
		return PEntry(description, mode)
	}
	return Entry(description, mode)
}

var _ = Describe("An external agent that is a program", func() {
	ctx := context.Background()

	It("answers all turns of a conversation in one process, which the next conversation uses, too", func() {
		p := pool("by-request")
		var pid int
		for c := range 2 {
			a := conversationWith(p, 0)
			for i := range 2 {
				var of, turns, history int
				var session string
				_, err := fmt.Sscan(answerText(a, "hi"), &of, &turns, &session, &history)
				Expect(err).NotTo(HaveOccurred())
				Expect(turns).To(Equal(2*c+i+1), "the process goes on")
				Expect(session).To(Equal("s"))
				pid = max(pid, of)
				Expect(of).To(Equal(pid))
			}
			Expect(a.Close()).To(Succeed())
		}
	})

	It("runs in one process for each concurrent conversation", func() {
		p := pool("by-request")
		pids := map[string]bool{}
		one, other := conversationWith(p, 0), conversationWith(p, 0)
		for range 3 {
			for _, a := range []*foreign.Agent{one, other} {
				pid, _, _ := strings.Cut(answerText(a, "hi"), " ")
				pids[pid] = true
			}
		}
		Expect(pids).To(HaveLen(2))
	})

	DescribeTable("causes an error of the right kind if it fails, and is restarted for the next turn",
		func(mode string, kind llm.ErrorKind, trial eval.ErrorKind, message string) {
			p := pool("by-request")
			a := conversationWith(p, 20*time.Second)
			if kind == llm.KindTimeout {
				a = conversationWith(p, 300*time.Millisecond)
			}
			for range 2 {
				r, events, err := ask(ctx, a, mode)
				Expect(err).To(MatchError(kind))
				Expect(err).To(MatchError(ContainSubstring(message)))
				Expect(eval.ClassifyError(err).Kind).To(Equal(trial))
				Expect(r.Predicted).To(BeEmpty())
				Expect(events[len(events)-1].Kind).To(Equal(trace.KindDone))
				Expect(answerText(conversationWith(p, 0), "hi")).NotTo(BeEmpty())
			}
		},
		Entry("if it exits with an error", "dies", llm.KindTransport, eval.ProviderError,
			"exit status 3: KeyError: 'x'"),
		Entry("if it exits while its child process has its output open", "dies beside its child", llm.KindTransport,
			eval.ProviderError, "exit status 3"),
		Entry("if it exits without an answer", "leaves", llm.KindTransport, eval.ProviderError, "exit status 0"),
		Entry("if it does not answer in time", "hangs", llm.KindTimeout, eval.TimeoutError,
			"the program must flush each line"),
		Entry("if its output is not JSON", "prose", llm.KindMalformedResponse, eval.ProviderError, "is not JSON"),
		Entry("if its answer has the id of another request", "another", llm.KindMalformedResponse, eval.ProviderError,
			`for the question "another"`),
		Entry("if its answer has no label under a usual name", "pathless", llm.KindMalformedResponse,
			eval.ProviderError, `"result":[{"tag":"refund"}]}. Its label may be at /result/0/tag: --label-path /result/0/tag`),
		Entry("if its answer reports an error", "error", llm.KindServerError, eval.ProviderError, "out of cheese"),
		Entry("if it writes events without end", "floods", llm.KindMalformedResponse, eval.ProviderError,
			"more than 10000 events"),
		Entry("if it writes a line without end", "endless line", llm.KindMalformedResponse,
			eval.ProviderError, "bytes"),
	)

	It("makes a wrong decision if its label is unknown, and continues in the same process", func() {
		a := conversationWith(pool("by-request"), 0)
		first, _, _ := strings.Cut(answerText(a, "hi"), " ")
		r, _, err := ask(ctx, a, "lies")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Predicted).To(Equal("invalid"))
		second, _, _ := strings.Cut(answerText(a, "hi"), " ")
		Expect(second).To(Equal(first))
	})

	It("causes an error about the second answer if it answers a request twice", func() {
		a := conversationWith(pool("by-request"), 0)
		Expect(answerText(a, "twice")).To(Equal("refund"))
		_, _, err := ask(ctx, a, "hi")
		Expect(err).To(MatchError(llm.KindMalformedResponse))
		Expect(err).To(MatchError(ContainSubstring("the answer comes twice")))
	})

	It("30.5: may omit the id of the request in its answers", func() {
		a := conversationWith(pool("by-request"), 0)
		for range 2 {
			Expect(answerText(a, "nameless")).To(Equal("refund"))
			Expect(answerText(a, "hi")).NotTo(BeEmpty())
		}
	})

	It("30.5: causes an error if it answers twice without an id, in place of shifting its answers", func() {
		a := conversationWith(pool("by-request"), 0)
		Expect(answerText(a, "nameless twice")).To(Equal("refund"))
		_, _, err := ask(ctx, a, "nameless")
		Expect(err).To(MatchError(llm.KindMalformedResponse))
		Expect(err).To(MatchError(ContainSubstring("the answer comes twice")))
		Expect(answerText(a, "nameless with blank lines")).To(Equal("refund"))
		Expect(answerText(a, "nameless")).To(Equal("refund"))
	})

	It("may exit after one answer, and is restarted for the next turn", func() {
		a := conversationWith(pool("once"), 0)
		for range 5 {
			_, _, err := ask(ctx, a, "hi")
			Expect(err).NotTo(HaveOccurred())
		}
	})

	It("may answer with megabytes of text", func() {
		Expect(len(answerText(conversationWith(pool("by-request"), 0), "large"))).To(BeNumerically("<=", 1<<20))
	})

	It("adds its events to the trace, and the end of its stderr output", func() {
		_, events, err := ask(ctx, conversationWith(pool("by-request"), 0), "tells")
		Expect(err).NotTo(HaveOccurred())
		Expect(events).To(ContainElements(
			And(HaveField("Kind", trace.KindChunk), HaveField("Text", "gleich ")),
			And(HaveField("Kind", trace.KindSpan), HaveField("Node", "llm"))))
		_, events, err = ask(ctx, conversationWith(pool("by-request"), 0), "chatters")
		Expect(err).NotTo(HaveOccurred())
		var log string
		for _, e := range events {
			if e.Kind == trace.KindStderr {
				log += e.Text
			}
		}
		Expect(len(log)).To(And(BeNumerically(">", 100), BeNumerically("<=", 16<<10)))
		Expect(log).To(ContainSubstring("line 2999"))
	})

	It("adds its last stderr output to the trace if it exits with an error", func() {
		_, events, _ := ask(ctx, conversationWith(pool("dies"), 0), "hi")
		Expect(events).To(ContainElement(And(HaveField("Kind", trace.KindStderr),
			HaveField("Text", ContainSubstring("Traceback")))))
	})

	It("causes an error in each turn if it cannot be started", func() {
		p := command.NewPool([]string{"/nonexistent/agent"}, "")
		_, _, err := ask(ctx, conversationWith(p, 0), "hi")
		Expect(err).To(MatchError(llm.KindTransport))
		Expect(err).To(MatchError(ContainSubstring("cannot start the program")))
	})

	DescribeTable("is ended with all its child processes", func(mode string) {
		p := command.NewPool([]string{os.Args[0], "agent", mode}, "")
		var own, child int
		_, err := fmt.Sscan(answerText(conversationWith(p, 0), "hi"), &own, &child)
		Expect(err).NotTo(HaveOccurred())
		Expect(isRunning(own) && isRunning(child)).To(BeTrue())
		Expect(p.Close()).To(Succeed())
		Expect(isRunning(own)).To(BeFalse())
		Eventually(func() bool { return isRunning(child) }).Should(BeFalse())
		_, _, err = ask(ctx, conversationWith(p, 0), "hi")
		Expect(err).To(MatchError(ContainSubstring("have been ended")))
	},
		Entry("by closing its input", "child"), Entry("by force if it does not exit", "stubborn"),
		onLinux("including a child process in another session", "daemon"))

	Describe("with a slow start", func() {
		BeforeEach(func() {
			if runtime.GOOS != "linux" {
				Skip("where it is told what a program has read")
			}
		})

		It("has its start counted as time in a queue, not as latency", func() {
			a := conversationWith(pool("late"), 10*time.Second)
			for turn := range 2 {
				_, events, err := ask(ctx, a, "hi")
				Expect(err).NotTo(HaveOccurred())
				span := events[slices.IndexFunc(events, func(e trace.Event) bool { return e.Span != nil })].Span
				Expect(span.Duration).To(BeNumerically("<", 250*time.Millisecond))
				if turn == 0 {
					Expect(span.QueueTime).To(BeNumerically(">=", 250*time.Millisecond))
				} else {
					Expect(span.QueueTime).To(BeZero())
				}
			}
		})

		It("causes a timeout error if it does not read its first request in time", func() {
			_, _, err := ask(ctx, conversationWith(pool("deaf"), 100*time.Millisecond), "hi")
			Expect(err).To(MatchError(llm.KindTimeout))
			Expect(err).To(MatchError(ContainSubstring("did not read its question within 100ms")))
		})

		It("receives a request that is larger than a pipe's buffer", func() {
			Expect(answerText(conversationWith(pool("late"), 0), strings.Repeat("好", 100_000))).NotTo(BeEmpty())
		})
	})

	It("is killed if its turn is canceled", func() {
		ctx, cancel := context.WithCancel(ctx)
		a := conversationWith(pool("hangs"), 0)
		clock.AfterFunc(context.Background(), 100*time.Millisecond, cancel)
		_, _, err := ask(ctx, a, "hi")
		Expect(eval.ClassifyError(err).Kind).To(Equal(eval.CanceledError))
	})

	It("answers many concurrent conversations separately", func() {
		p := pool("by-request")
		g, _ := clock.NewGroup(ctx, 0)
		for range 16 {
			g.Go("talk", func(ctx context.Context) error {
				a := conversationWith(p, 0)
				for range 20 {
					if _, _, err := ask(ctx, a, "hi"); err != nil {
						return err
					}
				}
				return a.Close()
			})
		}
		Expect(g.Wait()).To(Succeed())
	})

	It("answers concurrent turns of one conversation in several processes", func() {
		a := conversationWith(pool("by-request"), 10*time.Second)
		g, _ := clock.NewGroup(ctx, 0)
		for range 4 {
			g.Go("turn", func(ctx context.Context) error { _, _, err := ask(ctx, a, "hi"); return err })
		}
		Expect(g.Wait()).To(Succeed())
		Expect(a.Close()).To(Succeed())
	})
})
