package mocks_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	openai "github.com/sashabaranov/go-openai"

	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
)

// Example uses a router of known accuracy whose second call is rate-limited.
func Example() {
	faults, err := fault.Parse("router:rate_limited@2", nil)
	if err != nil {
		log.Fatal(err)
	}
	server, err := mocks.New(mocks.Config{
		Model: &model.SimulatedRouter{
			CorrectLabel: func(text string) (string, bool) { return "image_gen", text == "画一只猫" },
			Labels:       []string{"image_gen", "chat"},
			Accuracy:     1,
		},
		Faults: faults,
	})
	if err != nil {
		log.Fatal(err)
	}
	web := httptest.NewServer(server)
	defer web.Close()

	cfg := openai.DefaultConfig("sk-any")
	cfg.BaseURL = web.URL + "/compatible-mode/v1"
	client := openai.NewClientWithConfig(cfg)
	for range 2 {
		res, err := client.CreateChatCompletion(context.Background(), askJSON("qwen-plus", "画一只猫"))
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(res.Choices[0].Message.Content)
	}
	// Output:
	// {"route":"image_gen","confidence":1,"reason":"用户的话里有明确的意图线索"}
	// error, status code: 429, status: 429 Too Many Requests, message: You exceeded your current requests list.
}
