package newsroom_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/newsroom"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

// asking are answers of an agent, one after the other: keys that it asks for, or
// JSON.
func asking(answers ...string) func(model.Request) model.Answer {
	n := 0
	return func(model.Request) model.Answer {
		a := answers[min(n, len(answers)-1)]
		n++
		if !strings.HasPrefix(a, "{") {
			a = fmt.Sprintf(`{"questions":[{"key":%q,"question":"%s 是什么？"}]}`, a, a)
		}
		return model.Answer{Content: a}
	}
}

const briefed = `{"creativeBrief":{"topic":"露营"}}`

func in(session, text string) agent.Turn { return agent.Turn{Text: text, Session: session} }

var _ = Describe("N7: a question to the user", func() {
	It("stops the work, with its thread and the questions, and the answer has it go on", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking("audience", briefed)
		a := s.open()
		first := s.playBy(a, in("s1", "写篇笔记"))[0]
		Expect(first.AnsweredBy).To(Equal("clarification"))
		Expect(first.Content).To(Equal("动笔之前，想先和你确认：\n- audience 是什么？"))
		Expect(path(first)).To(Equal([]string{"brief_compiler"}))
		Expect(s.of(trace.KindQuestion)).To(Equal([]string{"brief_compiler_agent →"}))
		for _, e := range s.events {
			if e.Kind == trace.KindQuestion {
				Expect(e.Data).To(MatchJSON(`{"thread_id":"s1","creative_id":"creative-s1","questions":[{"key":"audience","question":"audience 是什么？"}]}`))
			}
		}
		second := s.playBy(a, in("s1", "给大学新生看"))[0]
		Expect(second.AnsweredBy).To(Equal("END"))
		Expect(path(second)).To(Equal([]string{"writer", "review", "END"}), "the agent that asked goes on without a decision")
		Expect(second.Predicted).To(Equal("writer_agent"))
		asked := s.asked["brief"][1]
		Expect(asked.Text).To(And(ContainSubstring("用户的要求：写篇笔记\n用户的回答：给大学新生看\n"), ContainSubstring("主编的要求：写具体些"), ContainSubstring(`["audience"]`)))
		Expect(asked.Messages[1].Text).To(Equal("写篇笔记"))
		Expect(asked.Messages[2].Text).To(Equal(first.Content), "its own question, beside the answer")
		Expect(s.asked["router"][1].Text).To(HavePrefix("用户的要求：写篇笔记\n用户的回答：给大学新生看\n"))
		Expect(s.asked["writer"][0].Text).To(HavePrefix("用户的要求：写篇笔记\n用户的回答：给大学新生看\n"))
	})

	It("that is answered in several rounds is answered by all of them; what comes after the end is a request", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking("audience", "length", briefed)
		a := s.open()
		for _, text := range []string{"a post", "2", "3", "and shorter"} {
			s.playBy(a, in("s1", text))
		}
		Expect(s.asked["writer"][0].Text).To(HavePrefix("用户的要求：a post\n用户的回答：2\n用户的回答：3\n"))
		Expect(s.asked["router"][3].Text).To(HavePrefix("用户的要求：and shorter\n\n"))
	})

	It("is put in the language of the request, also behind an answer that has none", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking("audience", "length", briefed)
		a := s.open()
		s.playBy(a, in("s1", "a post"))
		Expect(s.playBy(a, in("s1", "2"))[0].Content).To(HavePrefix("Before we start"))
	})

	It("is asked once more where the answer is empty", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking("audience", briefed)
		a := s.open()
		first := s.playBy(a, in("s1", "写篇笔记"))[0]
		again := s.playBy(a, in("s1", " "))[0]
		Expect([]string{again.AnsweredBy, again.Content}).To(Equal([]string{"clarification", first.Content}))
		Expect(again.ErrorReply).To(BeNil())
		Expect(s.of(trace.KindQuestion)).To(HaveLen(1))
		Expect(s.asked["brief"]).To(HaveLen(1))
		Expect(s.playBy(a, in("s1", "给大学新生看"))[0].AnsweredBy).To(Equal("END"))
	})

	It("gets a key where it has none, and is known by it", func() {
		for _, none := range []string{`{"questions":[{"question":"写给谁？"}]}`, `{"questions":["写给谁？"]}`, `{"questions":[{"key":" ","question":" 写给谁？ "}]}`} {
			s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
			s.says["brief"] = asking(none, none, briefed)
			a := s.open()
			Expect(s.playBy(a, in("s1", wish))[0].Content).To(ContainSubstring("写给谁？"))
			Expect(s.playBy(a, in("s1", "学生"))[0].AnsweredBy).To(Equal("END"))
			Expect(s.of(trace.KindFallback)).To(Equal([]string{"brief_compiler_agent question→assumption already_asked"}))
		}
	})

	It("is known by its key in any case of letters", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking("audience", "Audience", briefed)
		a := s.open()
		s.playBy(a, in("s1", wish))
		Expect(s.playBy(a, in("s1", "学生"))[0].AnsweredBy).To(Equal("END"))
	})

	It("beside something made is asked once that is kept", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking(`{"creativeBrief":{"topic":"露营"},"questions":[{"key":"a","question":"几天？"}]}`, `{"creativeBrief":{"topic":"两天的露营"}}`)
		a := s.open()
		Expect(s.playBy(a, in("s1", wish))[0].AnsweredBy).To(Equal("clarification"))
		Expect(s.playBy(a, in("s1", "两天"))[0].AnsweredBy).To(Equal("END"))
		Expect(s.asked["brief"][1].Text).To(ContainSubstring(`"topic":"露营"`))
		Expect(s.asked["writer"][0].Text).To(ContainSubstring(`"topic":"两天的露营"`))
	})

	It("beside an approval or a picture is not asked, and the trace says so", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["review"] = asking(`{` + good + `,"questions":[{"key":"a","question":"发吗？"}]}`)
		Expect(s.play(in("s1", wish))[0].AnsweredBy).To(Equal("END"))
		Expect(s.of(trace.KindFallback)).To(Equal([]string{"review_agent question→assumption approved"}))

		s = newStage(along("brief_compiler_agent", "image_planner_agent", "image_agent", "writer_agent", "review_agent", "END"))
		calls := 0
		s.says["image_agent"] = func(model.Request) model.Answer {
			if calls++; calls == 1 {
				return model.Answer{ToolCalls: []model.ToolCall{{Name: "generate_image", Arguments: `{"plan_id":"p1"}`}}}
			}
			return model.Answer{Content: `{"questions":[{"key":"style","question":"写实还是插画？"}]}`}
		}
		Expect(s.play(in("s1", wish))[0].AnsweredBy).To(Equal("END"))
		Expect(s.of(trace.KindFallback)).To(Equal([]string{"image_agent question→assumption pictures_made"}))
	})

	It("is not asked twice: then the agent has to assume", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking("audience", "audience", briefed)
		a := s.open()
		Expect(s.playBy(a, in("s1", "写篇笔记"))[0].AnsweredBy).To(Equal("clarification"))
		Expect(s.playBy(a, in("s1", "随便"))[0].AnsweredBy).To(Equal("END"))
		Expect(s.of(trace.KindFallback)).To(Equal([]string{"brief_compiler_agent question→assumption already_asked"}))
		Expect(s.asked["brief"][2].Text).To(ContainSubstring("不能再提问"))
	})

	It("comes in three rounds at most", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking("a", "b", "c", "d", briefed)
		a := s.open()
		for range 3 {
			Expect(s.playBy(a, in("s1", "写篇笔记"))[0].AnsweredBy).To(Equal("clarification"))
		}
		Expect(s.playBy(a, in("s1", "写吧"))[0].AnsweredBy).To(Equal("END"))
		Expect(s.of(trace.KindFallback)).To(Equal([]string{"brief_compiler_agent question→assumption max_clarification_rounds"}))
	})

	DescribeTable("is not asked where it may not be", func(state string, set func(*stage), reason string) {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking("audience", briefed)
		set(s)
		Expect(s.play(on("写篇笔记", state))[0].AnsweredBy).To(Equal("END"))
		Expect(s.of(trace.KindFallback)).To(Equal([]string{"brief_compiler_agent question→assumption " + reason}))
		Expect(s.asked["brief"][0].Text).To(Or(ContainSubstring("不能再提问"), ContainSubstring("agentClarificationKeys")))
	},
		Entry(nil, `{}`, func(s *stage) { s.values["clarification"] = "off" }, "clarification_off"),
		Entry(nil, `{"clarificationRounds":3}`, func(*stage) {}, "max_clarification_rounds"),
		Entry(nil, `{"clarificationRounds":1}`, func(s *stage) { s.values["max-clarification-rounds"] = "1" }, "max_clarification_rounds"),
		Entry(nil, `{"agentClarificationKeys":["audience"]}`, func(*stage) {}, "already_asked"),
	)

	It("is left by an agent that does nothing but ask", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking("audience")
		s.values["clarification"], s.values["max-iterations"] = "off", "4"
		Expect(s.say("写篇笔记").AnsweredBy).To(Equal("exhausted"))
		Expect(s.asked["brief"]).To(HaveLen(8), "asked once more each time")
	})

	It("takes what the agent has made beside questions that are not asked", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking(`{"creativeBrief":{"topic":"露营"},"questions":[{"key":"a","question":"?"}]}`)
		s.values["clarification"] = "off"
		Expect(s.say("写篇笔记").AnsweredBy).To(Equal("END"))
		Expect(s.asked["brief"]).To(HaveLen(1))
	})

	DescribeTable("N7: that was kept and is of no use wedges no conversation: it begins anew, and says so", func(kept string) {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.values["store"] = filepath.Join(GinkgoT().TempDir(), "threads.db")
		store, err := newsroom.OpenStore(s.values["store"])
		Expect(err).NotTo(HaveOccurred())
		Expect(store.Save(context.Background(), "s1", []byte(kept))).To(Succeed())
		Expect(store.Close()).To(Succeed())
		replies := s.play(in("s1", wish))
		Expect(replies[0].AnsweredBy).To(Equal("END"))
		Expect(path(replies[0])).To(Equal([]string{"brief_compiler", "writer", "review", "END"}))
		Expect(s.of(trace.KindFallback)).To(Equal([]string{"checkpoint checkpoint→new_thread error"}))
	},
		Entry("many iterations", `{"checkpoint":{"state":{"state":{"iterationCount":1000000}}}}`),
		Entry("fewer than none", `{"waits":true,"checkpoint":{"next":"brief_compiler_agent","state":{"state":{"iterationCount":-1000000}}}}`),
		Entry("a limit below 0", `{"waits":true,"checkpoint":{"next":"brief_compiler_agent","state":{"state":{"maxIterations":-1}}}}`),
		Entry("no limit", `{"checkpoint":{"state":{"state":{"maxIterations":1000000000}}}}`),
		Entry("rounds", `{"waits":true,"checkpoint":{"next":"brief_compiler_agent","state":{"state":{"clarificationRounds":-1000000000}}}}`),
		Entry("a node that there is not", `{"waits":true,"checkpoint":{"next":"nosuch","state":{"state":{}}}}`),
		Entry("the end", `{"waits":true,"checkpoint":{"next":"END","state":{"state":{}}}}`),
		Entry("nowhere", `{"waits":true,"checkpoint":{"next":"","state":{"state":{}}}}`),
		Entry("a node of tools", `{"waits":true,"checkpoint":{"next":"image_tools","state":{"state":{}}}}`),
		Entry("a path without end", `{"waits":true,"checkpoint":{"next":"writer_agent","path":["a"`+strings.Repeat(`,"a"`, 5000)+`],"state":{"state":{}}}}`),
	)

	It("that cannot be kept is not asked: the work goes on, and says so", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking("audience", briefed)
		s.faults = "checkpoint:server_error"
		Expect(s.play(in("s1", "写篇笔记"))[0].AnsweredBy).To(Equal("END"))
		Expect(s.of(trace.KindFallback)).To(Equal([]string{"checkpoint checkpoint→new_thread server_error", "checkpoint question→assumption server_error",
			"checkpoint checkpoint→unsaved server_error"}))
		Expect(s.asked["brief"][1].Text).To(And(ContainSubstring("不能再提问"), Not(ContainSubstring("agentClarificationKeys"))), "nobody was asked")
		Expect(s.asked["router"][1].Text).To(And(ContainSubstring("- ran: brief_compiler_agent(done)\n"), Not(ContainSubstring("asked"))))
		Expect(s.of(trace.KindQuestion)).To(BeEmpty())
	})

	It("whose answer finds no thread begins anew", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.faults = "checkpoint:timeout"
		r := s.play(agent.Turn{Text: "给大学新生看", Session: "s1", History: []agent.Message{{Role: "user", Content: "写篇笔记"}, {Role: "assistant", Content: "给谁看？"}}})[0]
		Expect(r.AnsweredBy).To(Equal("END"))
		Expect(s.of(trace.KindFallback)[0]).To(Equal("checkpoint checkpoint→new_thread timeout"))
		Expect(s.asked["brief"][0].Messages[1].Text).To(Equal("写篇笔记"))
	})

	It("may be answered under the thread's name, without a session", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking("audience", briefed)
		a := s.open()
		s.playBy(a, agent.Turn{Text: "写篇笔记"})
		var asked struct {
			ThreadID string `json:"thread_id"`
		}
		for _, e := range s.events {
			if e.Kind == trace.KindQuestion {
				Expect(json.Unmarshal(e.Data, &asked)).To(Succeed())
			}
		}
		Expect(asked.ThreadID).To(HavePrefix("thread-"))
		Expect(s.playBy(a, on("给大学新生看", `{"threadId":"`+asked.ThreadID+`"}`))[0].AnsweredBy).To(Equal("END"))
		Expect(s.asked["brief"]).To(HaveLen(2))
	})

	It("keeps one thread out of another", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.says["brief"] = asking("audience", briefed)
		a := s.open()
		s.playBy(a, in("s1", "写篇笔记"))
		Expect(path(s.playBy(a, in("s2", "写篇别的"))[0])).To(HaveLen(4))
	})
})

// threads is where a process that is to be killed keeps its threads.
const threads = "NEWSROOM_THREADS"

// TestMain is a process that asks a question and waits to be killed, where it is
// told to be.
func TestMain(m *testing.M) {
	if file := os.Getenv(threads); file != "" {
		RegisterFailHandler(func(message string, _ ...int) { panic(message) })
		fmt.Println(question(file)[0].AnsweredBy)
		select {}
	}
	os.Exit(m.Run())
}

// question plays the first turn, and then the others.
func question(file string, more ...agent.Turn) []agent.Reply {
	return asker(file).play(append([]agent.Turn{in("s1", "写篇笔记，两张图")}, more...)...)
}

// asker has an agent that asks in its first visit, and not in one with an answer.
func asker(file string) *stage {
	s := newStage(along(whole...))
	s.values["store"] = file
	s.says["brief"] = func(r model.Request) model.Answer {
		if strings.Contains(r.Text, "agentClarificationKeys") {
			return model.Answer{Content: briefed}
		}
		return asking("audience")(r)
	}
	return s
}

// kept is a thread as it lies in a file.
func kept(file string) string {
	GinkgoHelper()
	s, err := newsroom.OpenStore(file)
	Expect(err).NotTo(HaveOccurred())
	defer func() { Expect(s.Close()).To(Succeed()) }()
	raw, err := s.Load(context.Background(), "s1")
	Expect(err).NotTo(HaveOccurred())
	return string(raw)
}

var _ = Describe("N7: a process that is killed", func() {
	It("between question and answer loses nothing: the work ends as if it had gone on", func() {
		answer := in("s1", "给大学新生看")
		dir := GinkgoT().TempDir()
		whole := filepath.Join(dir, "whole.db")
		want := question(whole, answer)[1]
		Expect(want.AnsweredBy).To(Equal("END"))
		Expect(kept(whole)).To(ContainSubstring(`"generatedContent"`))

		file := filepath.Join(dir, "killed.db")
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), threads+"="+file)
		out, err := child.StdoutPipe()
		Expect(err).NotTo(HaveOccurred())
		Expect(child.Start()).To(Succeed())
		said := make([]byte, len("clarification"))
		_, err = out.Read(said)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(said)).To(Equal("clarification"))
		Expect(child.Process.Kill()).To(Succeed())
		Expect(child.Wait()).NotTo(Succeed())

		Expect(asker(file).play(answer)[0]).To(Equal(want))
		Expect(kept(file)).To(MatchJSON(kept(whole)))
	})
})

var _ = Describe("A store", func() {
	It("keeps the last of a thread, and refuses a file of another program", func() {
		file := filepath.Join(GinkgoT().TempDir(), "a.db")
		s, err := newsroom.OpenStore(file)
		Expect(err).NotTo(HaveOccurred())
		ctx := context.Background()
		Expect(s.Load(ctx, "a")).To(BeNil())
		Expect(s.Save(ctx, "a", []byte("1"))).To(Succeed())
		Expect(s.Save(ctx, "b", []byte("2"))).To(Succeed())
		Expect(s.Save(ctx, "a", []byte("3"))).To(Succeed())
		Expect(s.Load(ctx, "a")).To(Equal([]byte("3")))
		Expect(s.Close()).To(Succeed())
		other := filepath.Join(GinkgoT().TempDir(), "b.db")
		Expect(os.WriteFile(other, []byte("no database at all, but long enough"), 0o600)).To(Succeed())
		_, err = newsroom.OpenStore(other)
		Expect(err).To(MatchError(ContainSubstring(other)))
	})
})
