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

// questionAnswers returns a model that gives the answers one after the other and repeats the last.
// An answer is JSON, or the key of a question that the agent puts to the user.
func questionAnswers(answers ...string) func(model.Request) model.Answer {
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
	It("interrupts the work, and is emitted with the thread ID; the user's answer resumes the work", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["brief"] = questionAnswers("audience", briefed)
		a := s.open()
		first := s.runTurnsWith(a, in("s1", "写篇笔记"))[0]
		Expect(first.AnsweredBy).To(Equal("clarification"))
		Expect(first.Content).To(Equal("动笔之前，想先和你确认：\n- audience 是什么？"))
		Expect(path(first)).To(Equal([]string{"brief_compiler"}))
		Expect(s.eventLines(trace.KindQuestion)).To(Equal([]string{"brief_compiler_agent →"}))
		for _, e := range s.events {
			if e.Kind == trace.KindQuestion {
				Expect(e.Data).To(MatchJSON(
					`{"thread_id":"s1","creative_id":"creative-s1","questions":[{"key":"audience","question":"audience 是什么？"}]}`))
			}
		}
		second := s.runTurnsWith(a, in("s1", "给大学新生看"))[0]
		Expect(second.AnsweredBy).To(Equal("END"))
		Expect(path(second)).To(Equal([]string{"writer", "review", "END"}),
			"the agent that asked goes on without a decision")
		Expect(second.Predicted).To(Equal("writer_agent"))
		asked := s.requests["brief"][1]
		Expect(asked.Text).To(And(ContainSubstring("用户的要求：写篇笔记\n用户的回答：给大学新生看\n"), ContainSubstring("主编的要求：写具体些"),
			ContainSubstring(`["audience"]`)))
		Expect(asked.Messages[1].Text).To(Equal("写篇笔记"))
		Expect(asked.Messages[2].Text).To(Equal(first.Content), "its own question, before the answer")
		Expect(s.requests["router"][1].Text).To(HavePrefix("用户的要求：写篇笔记\n用户的回答：给大学新生看\n"))
		Expect(s.requests["writer"][0].Text).To(HavePrefix("用户的要求：写篇笔记\n用户的回答：给大学新生看\n"))
	})

	It("can be followed by more questions, whose answers are collected; a message after the end is a new request",
		func() {
			s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
			s.replies["brief"] = questionAnswers("audience", "length", briefed)
			a := s.open()
			for _, text := range []string{"a post", "2", "3", "and shorter"} {
				s.runTurnsWith(a, in("s1", text))
			}
			Expect(s.requests["writer"][0].Text).To(HavePrefix("用户的要求：a post\n用户的回答：2\n用户的回答：3\n"))
			Expect(s.requests["router"][3].Text).To(HavePrefix("用户的要求：and shorter\n\n"))
		})

	It("is in the language of the request, even if the answers to earlier questions have no language", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["brief"] = questionAnswers("audience", "length", briefed)
		a := s.open()
		s.runTurnsWith(a, in("s1", "a post"))
		Expect(s.runTurnsWith(a, in("s1", "2"))[0].Content).To(HavePrefix("Before we start"))
	})

	It("is repeated if the user's answer is empty", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["brief"] = questionAnswers("audience", briefed)
		a := s.open()
		first := s.runTurnsWith(a, in("s1", "写篇笔记"))[0]
		again := s.runTurnsWith(a, in("s1", " "))[0]
		Expect([]string{again.AnsweredBy, again.Content}).To(Equal([]string{"clarification", first.Content}))
		Expect(again.ErrorReply).To(BeNil())
		Expect(s.eventLines(trace.KindQuestion)).To(HaveLen(1))
		Expect(s.requests["brief"]).To(HaveLen(1))
		Expect(s.runTurnsWith(a, in("s1", "给大学新生看"))[0].AnsweredBy).To(Equal("END"))
	})

	It("without a key gets one from its text, so that a repetition is recognized", func() {
		for _, none := range []string{`{"questions":[{"question":"写给谁？"}]}`, `{"questions":["写给谁？"]}`,
			`{"questions":[{"key":" ","question":" 写给谁？ "}]}`} {
			s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
			s.replies["brief"] = questionAnswers(none, none, briefed)
			a := s.open()
			Expect(s.runTurnsWith(a, in("s1", sampleRequest))[0].Content).To(ContainSubstring("写给谁？"))
			Expect(s.runTurnsWith(a, in("s1", "学生"))[0].AnsweredBy).To(Equal("END"))
			Expect(s.eventLines(trace.KindFallback)).
				To(Equal([]string{"brief_compiler_agent question→assumption already_asked"}))
		}
	})

	It("is recognized as a repetition even if the case of its key differs", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["brief"] = questionAnswers("audience", "Audience", briefed)
		a := s.open()
		s.runTurnsWith(a, in("s1", sampleRequest))
		Expect(s.runTurnsWith(a, in("s1", "学生"))[0].AnsweredBy).To(Equal("END"))
	})

	It("in an answer with an artifact is put to the user after the artifact was stored", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["brief"] = questionAnswers(
			`{"creativeBrief":{"topic":"露营"},"questions":[{"key":"a","question":"几天？"}]}`,
			`{"creativeBrief":{"topic":"两天的露营"}}`)
		a := s.open()
		Expect(s.runTurnsWith(a, in("s1", sampleRequest))[0].AnsweredBy).To(Equal("clarification"))
		Expect(s.runTurnsWith(a, in("s1", "两天"))[0].AnsweredBy).To(Equal("END"))
		Expect(s.requests["brief"][1].Text).To(ContainSubstring(`"topic":"露营"`))
		Expect(s.requests["writer"][0].Text).To(ContainSubstring(`"topic":"两天的露营"`))
	})

	It("is dropped and traced if it comes with an approval or after an image", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["review"] = questionAnswers(`{` + good + `,"questions":[{"key":"a","question":"发吗？"}]}`)
		Expect(s.runTurns(in("s1", sampleRequest))[0].AnsweredBy).To(Equal("END"))
		Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"review_agent question→assumption approved"}))

		s = newStage(followPath("brief_compiler_agent", "image_planner_agent", "image_agent", "writer_agent",
			"review_agent", "END"))
		calls := 0
		s.replies["image_agent"] = func(model.Request) model.Answer {
			if calls++; calls == 1 {
				return model.Answer{ToolCalls: []model.ToolCall{{Name: "generate_image",
					Arguments: `{"plan_id":"p1"}`}}}
			}
			return model.Answer{Content: `{"questions":[{"key":"style","question":"写实还是插画？"}]}`}
		}
		Expect(s.runTurns(in("s1", sampleRequest))[0].AnsweredBy).To(Equal("END"))
		Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"image_agent question→assumption pictures_made"}))
	})

	It("is dropped if its key was used before; the agent must then make an assumption", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["brief"] = questionAnswers("audience", "audience", briefed)
		a := s.open()
		Expect(s.runTurnsWith(a, in("s1", "写篇笔记"))[0].AnsweredBy).To(Equal("clarification"))
		Expect(s.runTurnsWith(a, in("s1", "随便"))[0].AnsweredBy).To(Equal("END"))
		Expect(s.eventLines(trace.KindFallback)).
			To(Equal([]string{"brief_compiler_agent question→assumption already_asked"}))
		Expect(s.requests["brief"][2].Text).To(ContainSubstring("不能再提问"))
	})

	It("is put to the user in at most three rounds", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["brief"] = questionAnswers("a", "b", "c", "d", briefed)
		a := s.open()
		for range 3 {
			Expect(s.runTurnsWith(a, in("s1", "写篇笔记"))[0].AnsweredBy).To(Equal("clarification"))
		}
		Expect(s.runTurnsWith(a, in("s1", "写吧"))[0].AnsweredBy).To(Equal("END"))
		Expect(s.eventLines(trace.KindFallback)).
			To(Equal([]string{"brief_compiler_agent question→assumption max_clarification_rounds"}))
	})

	DescribeTable("is dropped and traced with the reason if it is not allowed",
		func(state string, set func(*stage), reason string) {
			s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
			s.replies["brief"] = questionAnswers("audience", briefed)
			set(s)
			Expect(s.runTurns(turnWithState("写篇笔记", state))[0].AnsweredBy).To(Equal("END"))
			Expect(s.eventLines(trace.KindFallback)).
				To(Equal([]string{"brief_compiler_agent question→assumption " + reason}))
			Expect(s.requests["brief"][0].Text).
				To(Or(ContainSubstring("不能再提问"), ContainSubstring("agentClarificationKeys")))
		},
		Entry(nil, `{}`, func(s *stage) { s.values["clarification"] = "off" }, "clarification_off"),
		Entry(nil, `{"clarificationRounds":3}`, func(*stage) {}, "max_clarification_rounds"),
		Entry(nil, `{"clarificationRounds":1}`, func(s *stage) { s.values["max-clarification-rounds"] = "1" },
			"max_clarification_rounds"),
		Entry(nil, `{"agentClarificationKeys":["audience"]}`, func(*stage) {}, "already_asked"),
	)

	It("results in no artifact if questions are off and the agent returns nothing else", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["brief"] = questionAnswers("audience")
		s.values["clarification"], s.values["max-iterations"] = "off", "4"
		Expect(s.runText("写篇笔记").AnsweredBy).To(Equal("exhausted"))
		Expect(s.requests["brief"]).To(HaveLen(8), "asked once more each time")
	})

	It("that is dropped does not invalidate the artifact in the same answer", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["brief"] = questionAnswers(
			`{"creativeBrief":{"topic":"露营"},"questions":[{"key":"a","question":"?"}]}`)
		s.values["clarification"] = "off"
		Expect(s.runText("写篇笔记").AnsweredBy).To(Equal("END"))
		Expect(s.requests["brief"]).To(HaveLen(1))
	})

	DescribeTable("N7: is lost if the stored work is invalid; the conversation starts anew, with an event",
		func(kept string) {
			s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
			s.values["store"] = filepath.Join(GinkgoT().TempDir(), "threads.db")
			store, err := newsroom.OpenFileStore(s.values["store"])
			Expect(err).NotTo(HaveOccurred())
			Expect(store.Save(context.Background(), "s1", []byte(kept))).To(Succeed())
			Expect(store.Close()).To(Succeed())
			replies := s.runTurns(in("s1", sampleRequest))
			Expect(replies[0].AnsweredBy).To(Equal("END"))
			Expect(path(replies[0])).To(Equal([]string{"brief_compiler", "writer", "review", "END"}))
			Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"checkpoint checkpoint→new_thread error"}))
		},
		Entry("stored work with too many decisions", `{"checkpoint":{"state":{"state":{"iterationCount":1000000}}}}`),
		Entry("stored work with a negative number of decisions",
			`{"waits":true,"checkpoint":{"next":"brief_compiler_agent","state":{"state":{"iterationCount":-1000000}}}}`),
		Entry("stored work with a negative limit of decisions",
			`{"waits":true,"checkpoint":{"next":"brief_compiler_agent","state":{"state":{"maxIterations":-1}}}}`),
		Entry("stored work with a limit of decisions that is too high",
			`{"checkpoint":{"state":{"state":{"maxIterations":1000000000}}}}`),
		Entry("stored work with a negative number of question rounds",
			`{"waits":true,"checkpoint":{"next":"brief_compiler_agent","state":{"state":{"clarificationRounds":-1000000000}}}}`),
		Entry("stored work that waits at an unknown node",
			`{"waits":true,"checkpoint":{"next":"nosuch","state":{"state":{}}}}`),
		Entry("stored work that waits at the end", `{"waits":true,"checkpoint":{"next":"END","state":{"state":{}}}}`),
		Entry("stored work that waits at no node", `{"waits":true,"checkpoint":{"next":"","state":{"state":{}}}}`),
		Entry("stored work that waits at a node that executes tool calls",
			`{"waits":true,"checkpoint":{"next":"image_tools","state":{"state":{}}}}`),
		Entry("stored work with a path that is too long",
			`{"waits":true,"checkpoint":{"next":"writer_agent","path":["a"`+strings.Repeat(`,"a"`, 5000)+
				`],"state":{"state":{}}}}`),
	)

	It("is dropped and traced if the work cannot be stored; the agent continues with an assumption", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["brief"] = questionAnswers("audience", briefed)
		s.faults = "checkpoint:server_error"
		Expect(s.runTurns(in("s1", "写篇笔记"))[0].AnsweredBy).To(Equal("END"))
		Expect(s.eventLines(trace.KindFallback)).
			To(Equal([]string{"checkpoint checkpoint→new_thread server_error",
				"checkpoint question→assumption server_error",
				"checkpoint checkpoint→unsaved server_error"}))
		Expect(s.requests["brief"][1].Text).
			To(And(ContainSubstring("不能再提问"), Not(ContainSubstring("agentClarificationKeys"))), "nobody was asked")
		Expect(s.requests["router"][1].Text).
			To(And(ContainSubstring("- ran: brief_compiler_agent(done)\n"), Not(ContainSubstring("asked"))))
		Expect(s.eventLines(trace.KindQuestion)).To(BeEmpty())
	})

	It("is lost if the stored work cannot be loaded; the conversation starts anew, with an event", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.faults = "checkpoint:timeout"
		r := s.runTurns(agent.Turn{Text: "给大学新生看", Session: "s1",
			History: []agent.Message{{Role: "user", Content: "写篇笔记"}, {Role: "assistant", Content: "给谁看？"}}})[0]
		Expect(r.AnsweredBy).To(Equal("END"))
		Expect(s.eventLines(trace.KindFallback)[0]).To(Equal("checkpoint checkpoint→new_thread timeout"))
		Expect(s.requests["brief"][0].Messages[1].Text).To(Equal("写篇笔记"))
	})

	It("can be answered in a turn that names the thread ID in its state and has no session", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["brief"] = questionAnswers("audience", briefed)
		a := s.open()
		s.runTurnsWith(a, agent.Turn{Text: "写篇笔记"})
		var asked struct {
			ThreadID string `json:"thread_id"`
		}
		for _, e := range s.events {
			if e.Kind == trace.KindQuestion {
				Expect(json.Unmarshal(e.Data, &asked)).To(Succeed())
			}
		}
		Expect(asked.ThreadID).To(HavePrefix("thread-"))
		Expect(s.runTurnsWith(a, turnWithState("给大学新生看", `{"threadId":"`+asked.ThreadID+`"}`))[0].AnsweredBy).
			To(Equal("END"))
		Expect(s.requests["brief"]).To(HaveLen(2))
	})

	It("does not affect other conversations", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["brief"] = questionAnswers("audience", briefed)
		a := s.open()
		s.runTurnsWith(a, in("s1", "写篇笔记"))
		Expect(path(s.runTurnsWith(a, in("s2", "写篇别的"))[0])).To(HaveLen(4))
	})

	It("31.1: is answered only by the user to whom it was put, if other users use the same session id", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["brief"] = questionAnswers("audience", briefed)
		a := s.open()
		from := func(user, text string) agent.Turn { return agent.Turn{User: user, Session: "s1", Text: text} }
		Expect(s.runTurnsWith(a, from("anna", "写篇笔记"))[0].AnsweredBy).To(Equal("clarification"))
		for _, stranger := range []string{"ben", ""} {
			s.runTurnsWith(a, from(stranger, "给大学新生看"))
			requests := s.requests["brief"]
			Expect(requests[len(requests)-1].Text).NotTo(ContainSubstring("写篇笔记"), stranger)
		}
		s.runTurnsWith(a, from("anna", "给大学新生看"))
		requests := s.requests["brief"]
		Expect(requests[len(requests)-1].Text).To(And(ContainSubstring("写篇笔记"), ContainSubstring("给大学新生看")))
	})
})

// threads is the environment variable that names the store file for the child process.
const threads = "NEWSROOM_THREADS"

// TestMain runs the tests. As the child process it instead runs a turn that ends with a question,
// and waits to be killed.
func TestMain(m *testing.M) {
	if file := os.Getenv(threads); file != "" {
		RegisterFailHandler(func(message string, _ ...int) { panic(message) })
		fmt.Println(question(file)[0].AnsweredBy)
		select {}
	}
	os.Exit(m.Run())
}

// question runs a first turn that ends with a question, then the turns more. It returns all
// replies.
func question(file string, more ...agent.Turn) []agent.Reply {
	return askingStage(file).runTurns(append([]agent.Turn{in("s1", "写篇笔记，两张图")}, more...)...)
}

// askingStage returns a stage with the store file. Its brief agent puts a question to the user in
// its first call only.
func askingStage(file string) *stage {
	s := newStage(followPath(whole...))
	s.values["store"] = file
	s.replies["brief"] = func(r model.Request) model.Answer {
		if strings.Contains(r.Text, "agentClarificationKeys") {
			return model.Answer{Content: briefed}
		}
		return questionAnswers("audience")(r)
	}
	return s
}

// storedThread returns the work of session s1 that is stored in a file, as JSON.
func storedThread(file string) string {
	GinkgoHelper()
	s, err := newsroom.OpenFileStore(file)
	Expect(err).NotTo(HaveOccurred())
	defer func() { Expect(s.Close()).To(Succeed()) }()
	raw, err := s.Load(context.Background(), "s1")
	Expect(err).NotTo(HaveOccurred())
	return string(raw)
}

var _ = Describe("N7: a newsroom process that is killed", func() {
	It("between a question and its answer loses nothing: another process continues the work with the same result",
		func() {
			answer := in("s1", "给大学新生看")
			dir := GinkgoT().TempDir()
			whole := filepath.Join(dir, "whole.db")
			want := question(whole, answer)[1]
			Expect(want.AnsweredBy).To(Equal("END"))
			Expect(storedThread(whole)).To(ContainSubstring(`"generatedContent"`))

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

			Expect(askingStage(file).runTurns(answer)[0]).To(Equal(want))
			Expect(storedThread(file)).To(MatchJSON(storedThread(whole)))
		})
})

var _ = Describe("A newsroom.FileStore", func() {
	It("returns the last version of a conversation, and OpenStore rejects a file that is not a store", func() {
		file := filepath.Join(GinkgoT().TempDir(), "a.db")
		s, err := newsroom.OpenFileStore(file)
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
		_, err = newsroom.OpenFileStore(other)
		Expect(err).To(MatchError(ContainSubstring(other)))
	})
})
