package suite_test

import (
	"fmt"
	"log"

	"evalctl/eval/suite"
)

// A suite with two variants; the second one also runs under a fault.
func ExampleParse() {
	s, err := suite.Parse("routers.yaml", []byte(`
name: routers
target: toolrouter
dataset: toolrouter
split: dev
variants:
  - name: rules
    router: rules
  - name: careful
    router: llm-first
    threshold: 0.8
    faults: ["router:timeout"]
`))
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range s.Variants {
		fmt.Println(v.Name, s.VariantFaults(v))
	}
	_, err = suite.Parse("routers.yaml", []byte("name: routers\nvariant: rules\n"))
	fmt.Println(err)
	// Output:
	// rules [none]
	// careful [none router:timeout]
	// routers.yaml:2:1: unknown field "variant", did you mean variants?
}
