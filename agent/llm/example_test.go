package llm_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"evalctl/agent/label"
	"evalctl/agent/llm"
)

// ExampleJSON requests the decision of a router as ChatJSON and validates it.
func ExampleJSON() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"choices":[{"message":{"content":"Sure: {\"route\":\"chat\",\"confidence\":0.9}"},"finish_reason":"stop"}]}`)
	}))
	defer srv.Close()
	c, err := llm.New(llm.Config{Node: "router", Provider: "deepseek", Model: "deepseek-flash", BaseURL: srv.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	type decision struct {
		Route      string  `json:"route"`
		Confidence float64 `json:"confidence"`
	}
	form := llm.AnswerSpec{Key: "route", Labels: label.NewSet("chat", "image_gen"), Confidence: llm.RequiredConfidence}
	d, _, err := llm.ChatJSON[decision](context.Background(), c,
		llm.Request{Messages: []llm.Message{llm.SystemMessage("Answer in json."), llm.UserMessage("hello")}}, form)
	fmt.Println(d.Route, d.Confidence, err)
	// Output: chat 0.9 <nil>
}
