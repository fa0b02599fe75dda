package service_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"evalctl/agent"
	"evalctl/agent/service"
	"evalctl/agent/trace"
)

func Example() {
	greeter := agent.Func(func(_ context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
		emit(trace.Event{Kind: trace.KindChunk, Text: "Hello, "})
		emit(trace.Event{Kind: trace.KindChunk, Text: t.Text})
		return agent.Reply{Content: "Hello, " + t.Text, Predicted: "chat", AnsweredBy: "chat"}, nil
	})
	s, err := service.New(service.Config{Agents: map[string]agent.Agent{"greeter": greeter}})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(s)
	defer server.Close()
	r, err := http.Post(server.URL+"/v1/agents/greeter/chat", "application/json",
		strings.NewReader(`{"text":"Anna","sessionId":"s1"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	body, err := io.ReadAll(r.Body)
	fmt.Print(string(body), err)
	// Output:
	// event: chunk
	// id: 1
	// data: {"type":"chunk","data":{"text":"Hello, "}}
	//
	// event: chunk
	// id: 2
	// data: {"type":"chunk","data":{"text":"Anna"}}
	//
	// event: done
	// id: 3-done
	// data: {"type":"done","data":{"content":"Hello, Anna","answeredBy":"chat","predicted":"chat","sessionId":"s1"}}
	//
	// <nil>
}
