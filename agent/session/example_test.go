package session_test

import (
	"context"
	"fmt"

	"evalctl/agent"
	"evalctl/agent/session"
	"evalctl/agent/trace"
)

func Example() {
	counter := agent.Func(func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
		return agent.Reply{Content: fmt.Sprintf("I know of %d messages", len(t.History))}, nil
	})
	store, err := session.New(session.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	a := &session.Agent{Next: counter, Store: store}
	for _, id := range []string{"anna", "anna", "bert"} {
		reply, err := a.Respond(context.Background(), agent.Turn{Session: id, Text: "hello"}, nil)
		fmt.Println(id, reply.Content, err)
	}
	// Output:
	// anna I know of 0 messages <nil>
	// anna I know of 2 messages <nil>
	// bert I know of 0 messages <nil>
}
