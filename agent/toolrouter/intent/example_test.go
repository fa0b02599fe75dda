package intent_test

import (
	"fmt"

	"evalctl/agent/toolrouter/intent"
)

func ExampleDecide() {
	open := intent.RouteImageGen | intent.RouteTimeQuery | intent.RouteWebSearch
	for _, text := range []string{"帮我画一只猫", "现在几点了", "明天天气怎么样", "讲个笑话"} {
		route, rule := intent.Decide(text, open)
		fmt.Printf("%d %q\n", route, rule)
	}
	// Output:
	// 1 "image.1"
	// 2 "time.clock"
	// 4 "search.2"
	// 0 ""
}
