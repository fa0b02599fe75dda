package toolrouter_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/toolrouter"
	"evalctl/mocks"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
)

// The deciding model replies "chat" with a low confidence, so the rules decide. The models and the
// clock are simulated.
func Example() {
	server, err := mocks.New(mocks.Config{Model: model.Func(func(model.Request) model.Answer {
		return model.Answer{Content: `{"route":"chat","confidence":0.4,"reason":"不确定"}`}
	})})
	if err != nil {
		log.Fatal(err)
	}
	model, err := llm.New(llm.Config{Provider: "deepseek", Model: "deepseek-chat", APIKey: "sk-any",
		HTTP: &http.Client{Transport: transport.Transport{Handler: server}}})
	if err != nil {
		log.Fatal(err)
	}
	router, err := toolrouter.New(toolrouter.Config{Router: model, Chat: model, Vision: model,
		Disabled: toolrouter.DisabledFeatures{DashScope: true}})
	if err != nil {
		log.Fatal(err)
	}
	start := time.Date(2026, 11, 20, 10, 0, 0, 0, time.FixedZone("CST", 8*60*60))
	err = clock.RunSimulated(context.Background(), start, func(ctx context.Context) error {
		reply, err := router.Respond(ctx, agent.Turn{Text: "现在几点了"},
			toolrouter.NewStreamCallback(func(chunk string, done bool) {
				fmt.Println(done, chunk)
			}))
		fmt.Println(reply.AnsweredBy, "by", reply.DecidedBy, reply.Rule)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// false 现在是 2026年11月20日 10:00:00，星期五，时区 CST (UTC+08:00)，Unix 时间戳 1795140000。
	// true 现在是 2026年11月20日 10:00:00，星期五，时区 CST (UTC+08:00)，Unix 时间戳 1795140000。
	// time_query by rules time.clock
}
