package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"
)

var _ = Describe("evalctl chat", Label("concurrent"), func() {
	It("talks line by line until the input ends", func() {
		got := playOn(context.Background(), "/image https://example.org/a.png\n\n/what\n/new\n现在几点\n", "chat", "toolrouter", "--router", "rules")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(HavePrefix("· goes with the next message\n! /what is none of /document, /help, /image, /mask, /new, /quit, /set\n· a new conversation\n现在是 "))
	})

	It("S6: shows the studio's thoughts and components", func() {
		got := playOn(context.Background(), "你好\n/quit\n不再读\n", "chat", "studio")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(HavePrefix("· planner  已识别意图：unknown"))
		Expect(strings.Count(got.stdout, "\n")).To(Equal(3), got.stdout)
	})

	It("ends at once when it is interrupted", func() {
		ctx, stop := context.WithCancel(context.Background())
		stop()
		Expect(playOn(ctx, "画一只猫\n", "chat", "studio").code).To(Equal(exit.Interrupted))
	})

	It("shows a picture once, also where the plan was read by its words", func() {
		shown := 0
		for seed := range uint64(20) { // one broken answer in five names the action
			f := agentFlags{seed: seed, faults: []string{"router:malformed_json"}}
			made, err := f.agents(context.Background(), []string{"studio"})
			Expect(err).NotTo(HaveOccurred())
			DeferCleanup(closeAll, made.all)
			out := gbytes.NewBuffer()
			c := &chat{agent: made.all["studio"], out: terminal.Printer{W: out}, session: newSession()}
			Expect(clock.Run(context.Background(), time.Unix(0, 0), func(ctx context.Context) error {
				c.say(ctx, "画一只猫")
				return nil
			})).To(Succeed())
			images := strings.Count(string(out.Contents()), "▣ ")
			Expect(images).To(BeNumerically("<=", 1), string(out.Contents()))
			shown += images
		}
		Expect(shown).To(BeNumerically(">", 0))
	})

	It("says which call failed, and how", func() {
		got := playOn(context.Background(), "画一只猫\n", "chat", "studio", "--fault", "router:auth")
		Expect(got.stdout).To(MatchRegexp(`(?m)^! planner  auth: .+$`))
		Expect(got.stdout).To(ContainSubstring("暂时没能理解你的需求"))
	})

	It("says what is no picture", func() {
		got := playOn(context.Background(), "/mask "+fileOf("mask.png", "no picture")+"\n/mask\n/image nowhere.png\n/image /dev/zero\n", "chat", "studio")
		Expect(got.stdout).To(MatchRegexp(`^! /mask: .*mask.png is not an image: it is text/plain; charset=utf-8\n! /mask: requires a file or a URL\n! /image: open nowhere.png: no such file or directory\n! /image: open /dev/zero: is a pipe or a device, not a file\n$`))
	})

	It("sends what begins with a slash and is no command", func() {
		got := playOn(context.Background(), "/home/me/x.png is broken\n//x\n/what is this\n/what\n", "chat", "toolrouter", "--router", "rules", "--base-url", serveModel(unhindered), "--model", "m", "--allow-simulated")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).NotTo(ContainSubstring("! /home"))
		Expect(strings.Count(got.stdout, "is none of")).To(Equal(1), got.stdout)
		Expect(got.stdout).To(HaveSuffix("! /what is none of /document, /help, /image, /mask, /new, /quit, /set\n"))
		Expect(strings.Count(got.stdout, "\n")).To(BeNumerically(">", 3), got.stdout)
	})

	It("attaches files by the names that a shell would take, and no address without a host", func() {
		home := GinkgoT().TempDir()
		GinkgoT().Setenv("HOME", home)
		Expect(os.WriteFile(home+"/my x.png", []byte("\x89PNG\r\n\x1a\n"), 0o600)).To(Succeed())
		got := playOn(context.Background(), "/image ~/my x.png\n/image \""+home+"/my x.png\"\n/image '~/my x.png'\n/image http://\n/mask https:///a.png\n", "chat", "studio")
		Expect(got.stdout).To(Equal(strings.Repeat("· goes with the next message\n", 3) +
			"! /image: http:// is not a URL: it has no host\n! /mask: https:///a.png is not a URL: it has no host\n"))
	})

	It("sets options and state for all messages that follow, and sends a text file along", func() {
		got := playOn(context.Background(), "/set\n/set nobody x\n/set time_zone nowhere\n/set agent ada\n/set agent\n/document nowhere.txt\n/document "+fileOf("a.txt", "\xff")+"\n/document "+
			fileOf("b.txt", "一")+"\n", "chat", "companion")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(MatchRegexp(`^· agent, messages, time_zone\n! /set: nobody is none of agent, messages, time_zone\n! /set: time_zone: .*nowhere.*\n· holds from now on\n· holds from now on\n` +
			`! /document: open nowhere.txt: no such file or directory\n! /document: .*a.txt is not UTF-8 text\n· goes with the next message\n$`))
	})

	It("brings what was set with every message until a new conversation begins", func() {
		var got []agent.Turn
		whole := func(raw json.RawMessage) error { return json.Unmarshal(raw, new(int)) }
		list := func(raw json.RawMessage) error { return json.Unmarshal(raw, new([]string)) }
		c := &chat{out: terminal.Printer{W: io.Discard}, agent: agent.Func(func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
			got = append(got, t)
			return agent.Reply{}, nil
		}), contract: system.Contract{Options: []string{"loud"}, OptionChecks: map[string]func(json.RawMessage) error{"n": whole}, StateFields: map[string]func(json.RawMessage) error{"of": list}}}
		for _, line := range []string{"/set loud true", "/set n 3", "/set of a, b", "x", "y", "/set n", "z", "/new", "x"} {
			c.line(context.Background(), line)
		}
		options := func(s string) (m map[string]json.RawMessage) {
			Expect(json.Unmarshal([]byte(s), &m)).To(Succeed())
			return m
		}
		Expect(got).To(HaveLen(4))
		Expect(got[1].Options).To(Equal(options(`{"loud":true,"n":3}`)))
		Expect(got[1].State).To(Equal(options(`{"of":["a","b"]}`)))
		Expect(got[2].Options).To(Equal(options(`{"loud":true}`)))
		Expect(got[3].Options).To(BeEmpty())
		Expect(got[3].State).To(BeEmpty())
	})

	It("wants one agent", func() {
		Expect(evalctl("chat").stderr).To(Equal("evalctl: chat: requires one of " + suggest.Join(suite.Targets()) + "\n"))
		Expect(evalctl("chat", "studoi").stderr).To(Equal("evalctl: unknown agent \"studoi\", did you mean \"studio\"?\n"))
	})

	It("says that a line is too long to be a message, and goes on", func() {
		got := playOn(context.Background(), strings.Repeat("长", 1<<19)+"\n现在几点\n"+strings.Repeat("x", 1<<20)+"y", "chat", "toolrouter", "--router", "rules")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(MatchRegexp(`^! the line has more than 1048576 bytes: it was not sent\n现在是 .*\n· simulated: .*\n! the line has more than 1048576 bytes: it was not sent\n$`))
	})

	It("takes a line of exactly as many bytes as may be, without an end", func() {
		got := playOn(context.Background(), "/"+strings.Repeat("x", 1<<20-1), "chat", "prompt")
		Expect(got.stdout).To(MatchRegexp("^! /x{39} is none of"))
	})

	It("says what lines may be, and nothing unasked where nobody sits", func() {
		got := playOn(context.Background(), "/help\n", "chat", "studio")
		Expect(got.stdout).To(Equal(chatHelp))
		Expect(evalctl("chat", "--help").stdout).To(ContainSubstring(chatHelp))
	})
})

var _ = Describe("a person's Ctrl-C in evalctl chat", Label("concurrent"), func() {
	// conversation is a chat with an agent that says what it is told and then waits
	// for its end, unless that is "go on".
	conversation := func(keyboard ...typed) (c *chat, out *gbytes.Buffer) {
		out = gbytes.NewBuffer()
		waiting := agent.Func(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			emit(trace.Event{Kind: trace.KindChunk, Text: t.Text})
			if t.Text != "go on" {
				<-ctx.Done()
			}
			return agent.Reply{Content: t.Text}, ctx.Err()
		})
		return &chat{agent: waiting, keyboard: &typist{lines: keyboard}, out: terminal.Printer{W: out}, interrupts: make(chan os.Signal, 1)}, out
	}

	It("ends the answer, and not the program", func(ctx SpecContext) {
		c, out := conversation(typed{line: "one"}, typed{line: "go on"}, typed{err: io.EOF})
		ended := make(chan error, 1)
		go func() { ended <- c.run(ctx) }()
		Eventually(out).Should(gbytes.Say("one"))
		c.interrupts <- os.Interrupt
		Eventually(ended).Should(Receive(BeNil()))
		Expect(string(out.Contents())).To(Equal("one\n· stopped\ngo on\n\n"))
	})

	It("does not show the apology of an answer that it has ended", func(ctx SpecContext) {
		c, out := conversation()
		c.agent = agent.Func(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			c.interrupts <- os.Interrupt
			<-ctx.Done()
			return agent.Reply{Content: "抱歉", ErrorReply: &agent.ErrorReply{Code: "X"}}, nil
		})
		c.say(ctx, "one")
		Expect(string(out.Contents())).To(Equal("· stopped\n"))
	})

	It("is told at the prompt how to end, and then ends", func(ctx SpecContext) {
		abort := typed{err: terminal.ErrAborted}
		c, out := conversation(abort, typed{line: "go on"}, abort, abort, typed{line: "never"})
		Expect(c.run(ctx)).To(Succeed())
		const hint = "· Ctrl-D or /quit ends, and so does another Ctrl-C\n"
		Expect(string(out.Contents())).To(Equal(hint + "go on\n" + hint))
	})

	It("does so as a signal, too", func(ctx SpecContext) {
		c, out := conversation()
		c.keyboard.(*typist).stuck = true
		ended := make(chan error, 1)
		go func() { ended <- c.run(ctx) }()
		c.interrupts <- os.Interrupt
		Eventually(out).Should(gbytes.Say("another Ctrl-C"))
		c.interrupts <- os.Interrupt
		Eventually(ended).Should(Receive(BeNil()))
	})

	It("does not end the next answer where it came too late for the last", func(ctx SpecContext) {
		c, out := conversation()
		c.interrupts <- os.Interrupt
		c.say(ctx, "go on")
		Expect(string(out.Contents())).To(Equal("go on\n"))
	})
})

var _ = It("C10: chat sends a line as a batch of its own where the agent takes batches", func(ctx SpecContext) {
	for _, batches := range []bool{true, false} {
		var got agent.Turn
		c := &chat{contract: system.Contract{AllowBatch: batches}, out: terminal.Printer{W: io.Discard}, agent: agent.Func(
			func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
				got = t
				return agent.Reply{}, nil
			})}
		c.say(ctx, "在吗 在的")
		Expect(got.Text).To(Equal("在吗 在的"))
		if batches {
			Expect(got.Batch).To(Equal([]string{"在吗 在的"}))
		} else {
			Expect(got.Batch).To(BeNil())
		}
	}
})

// typist is a keyboard that types what it is told.
type typist struct {
	lines []typed
	stuck bool // after those, nothing comes
}

func (t *typist) Line() (string, error) {
	if t.stuck {
		select {}
	}
	next := t.lines[0]
	t.lines = t.lines[1:]
	return next.line, next.err
}

func (t *typist) Close() error { return nil }
