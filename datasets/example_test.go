package datasets_test

import (
	"fmt"

	"evalctl/agent/toolrouter"
	"evalctl/datasets"
)

func Example() {
	d, err := datasets.Open("toolrouter", datasets.Schema{Target: "toolrouter", Contract: toolrouter.System().Contract})
	if err != nil {
		fmt.Println(err)
		return
	}
	for c, err := range d.Stream(datasets.Filter{Split: "dev", Tags: []string{"rule:image.5"}, Limit: 1}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(c.ID, c.Turns[0].Text, string(c.Turns[0].Expected))
	}
	// Output: tr-img-204 生成一只穿西装打领结的柯基 {"route":"image_gen"}
}
