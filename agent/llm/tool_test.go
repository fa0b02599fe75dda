package llm_test

import (
	"context"
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
)

// calls is a step that answers with tool calls.
func calls(list ...string) step {
	return status(200, `{"choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[`+
		strings.Join(list, ",")+`]}}],`+usage+`}`)
}

var _ = Describe("Tools of a chat request", func() {
	look := llm.Tool{Name: "look_up", Description: "finds",
		Parameters: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}}}`)}

	It("are declared to the model, which calls them; results refer to the ID of the call", func() {
		s := &script{steps: []step{calls(
			`{"id":"a1","type":"function","function":{"name":"look_up","arguments":"{\"q\":\"tea\"}"}}`), says("done")}}
		c, r := client(s), ask("find tea")
		r.Tools = []llm.Tool{look, {Name: "stop"}}
		a, err := c.Chat(context.Background(), r)
		Expect(err).NotTo(HaveOccurred())
		Expect(a.ToolCalls).To(Equal([]llm.ToolCall{{ID: "a1", Name: "look_up", Arguments: `{"q":"tea"}`}}))
		r.Messages = append(r.Messages, llm.ToolCallMessage(a.Content, a.ToolCalls),
			llm.ToolResultMessage(a.ToolCalls[0], "green"))
		_, err = c.Chat(context.Background(), r)
		Expect(err).NotTo(HaveOccurred())

		tools := s.body(0)["tools"].([]any)
		Expect(tools).To(HaveLen(2))
		Expect(tools[1]).To(HaveKeyWithValue("function",
			HaveKeyWithValue("parameters", HaveKeyWithValue("type", "object"))))
		sent := s.body(1)["messages"].([]any)
		Expect(sent[1]).To(HaveKeyWithValue("tool_calls", ConsistOf(HaveKeyWithValue("id", "a1"))))
		Expect(sent[2]).To(And(HaveKeyWithValue("role", "tool"), HaveKeyWithValue("tool_call_id", "a1"),
			HaveKeyWithValue("content", "green")))
	})

	It("are called with a generated ID if the service sends none", func() {
		s := &script{steps: []step{calls(`{"type":"function","function":{"name":"look_up","arguments":"{}"}}`)}}
		a, err := client(s).Chat(context.Background(), ask("x"))
		Expect(err).NotTo(HaveOccurred())
		Expect(a.ToolCalls).To(HaveExactElements(HaveField("ID", "call_1")))
	})

	It("cannot be called more than 128 times in one answer", func() {
		one := `{"id":"a","type":"function","function":{"name":"look_up","arguments":"{}"}}`
		s := &script{steps: []step{calls(strings.Split(strings.Repeat(one+";", 128)+one, ";")...)}}
		_, err := client(s).Chat(context.Background(), ask("x"))
		Expect(err).To(MatchError(ContainSubstring("128 calls of tools")))
	})

	It("cannot have arguments of more than 1 MiB in one answer", func() {
		half := strings.Repeat("x", 600<<10)
		one := `{"id":"a","type":"function","function":{"name":"look_up","arguments":"` + half + `"}}`
		_, err := client(&script{steps: []step{calls(one)}}).Chat(context.Background(), ask("x"))
		Expect(err).NotTo(HaveOccurred())
		_, err = client(&script{steps: []step{calls(one, one)}}).Chat(context.Background(), ask("x"))
		Expect(err).To(MatchError(ContainSubstring("1048576 bytes of arguments for tools")))
	})

	It("are rejected by Client.Stream", func() {
		r := ask("x")
		r.Tools = []llm.Tool{look}
		_, err := client(&script{}).Stream(context.Background(), r, func(string) error { return nil })
		Expect(err).To(MatchError(ContainSubstring("a stream calls no tools")))
	})
})
