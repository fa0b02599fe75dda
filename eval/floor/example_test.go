package floor_test

import (
	"fmt"

	"evalctl/agent/system"
	"evalctl/eval/floor"
)

func Example() {
	m, err := floor.Train(floor.Linear, []system.LabeledExample{
		{Text: "where is my parcel", Label: "delivery"}, {Text: "the parcel has not arrived", Label: "delivery"},
		{Text: "I want my money back", Label: "refund"}, {Text: "please return the money", Label: "refund"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	label, _ := m.Predict("has the parcel been sent?")
	fmt.Println(label)
	// Output: delivery
}
