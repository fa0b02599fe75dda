package tokens_test

import (
	"fmt"

	"evalctl/agent/tokens"
)

func Example() {
	fmt.Println(tokens.Count("图像分割的方法有哪些？"))
	fmt.Println(tokens.Truncate("图像分割的方法有哪些？", 4))
	// Output:
	// 7
	// 图像分割
}
