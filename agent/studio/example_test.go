package studio_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/studio"
	"evalctl/agent/trace"
	"evalctl/mocks"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
)

// The placeholder takes at least two seconds for an image, but the example returns immediately,
// because the model and the clock are simulated.
func Example() {
	server, err := mocks.New(mocks.Config{Model: model.Func(func(model.Request) model.Answer {
		return model.Answer{Content: `{"action":"generate_image","subject":"猫","style":"","confidence":0.95,"reasoning":"要一张新图"}`}
	})})
	if err != nil {
		log.Fatal(err)
	}
	model, err := llm.New(llm.Config{Node: "planner", Provider: "deepseek", Model: "deepseek-chat", APIKey: "sk-any",
		Timeout: studio.PlannerTimeout, HTTP: &http.Client{Transport: transport.Transport{Handler: server}}})
	if err != nil {
		log.Fatal(err)
	}
	imageGenerator, err := studio.New(studio.Config{Planner: model, ImageGenerator: studio.PlaceholderGenerator{}})
	if err != nil {
		log.Fatal(err)
	}
	start := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	err = clock.RunSimulated(context.Background(), start, func(ctx context.Context) error {
		reply, err := imageGenerator.Respond(ctx, agent.Turn{Text: "画一只打伞的猫"}, func(e trace.Event) {
			if e.Kind == trace.KindThoughtLog {
				fmt.Println(e.Text)
			}
		})
		fmt.Println(reply.AnsweredBy, reply.GeneratedImageURL)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 已识别意图：generate_image，置信度：0.95
	// 未检索到匹配的风格，使用原始 Prompt
	// 开始执行任务：generate_image
	// 任务执行完成
	// 开始质量审查...
	// 审查完成，得分：0.98，通过
	// generate_image https://picsum.photos/seed/11366386852831952164/800/600
}
