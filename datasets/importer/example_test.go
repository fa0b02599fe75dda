package importer_test

import (
	"context"
	"fmt"
	"os"

	"evalctl/datasets/importer"
)

func ExampleImporter_Import() {
	i, _ := importer.Find("banking77")
	sum, err := i.Import(context.Background(), importer.Config{
		Path:     "testdata/banking77/test.csv",
		Out:      os.Stdout,
		Rejected: func(r importer.Rejection) { fmt.Println(r) },
	})
	fmt.Println(sum.Cases, sum.Rejected, err)
	// Output:
	// {"id":"banking77-test-1","text":"The \"new\" card is late","label":"card_arrival","split":"test","lang":"en","source":"PolyAI/banking77"}
	// {"id":"banking77-test-2","text":"no cash came out","label":"cash_withdrawal","split":"test","lang":"en","source":"PolyAI/banking77"}
	// 2 0 <nil>
}
