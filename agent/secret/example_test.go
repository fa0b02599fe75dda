package secret_test

import (
	"fmt"

	"evalctl/agent/secret"
)

func Example() {
	s := secret.NewSet("sk-0123456789", "http://me:passw0rd@127.0.0.1:8000/v1")
	fmt.Println(s.Redact("Incorrect API key provided: sk-0123456789"))
	fmt.Println(secret.RedactURL("http://me:passw0rd@127.0.0.1:8000/v1"))
	// Output:
	// Incorrect API key provided: [redacted]
	// http://[redacted]@127.0.0.1:8000/v1
}
