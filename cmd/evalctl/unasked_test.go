package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

var _ = It("15.6: evalctl never shows responses that a provider sends without a request, with or without -q", func() {
	const key = "sk-unsolicited-0123456789"
	GinkgoT().Setenv("UNASKED_KEY", key)
	answer := completeAnswer("chat")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(listener.Close)
	var unasked atomic.Int64
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				in := bufio.NewReader(c)
				for {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, r.Body)
					fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%sunasked: %s", len(answer), answer, r.Header.Get("Authorization"))
					unasked.Add(1)
				}
			}()
		}
	}()
	var read bytes.Buffer
	before := log.Writer()
	log.SetOutput(&read) // the writer that each command restores when it ends
	defer log.SetOutput(before)
	for _, quiet := range [][]string{nil, {"-q"}} {
		got := evalctl(append([]string{"run", "--target", "prompt", "--dataset", fileOf("c.jsonl", threeCases),
			"-j", "1", "--model", "m",
			"--base-url", "http://" + listener.Addr().String() + "/v1", "--api-key-env", "UNASKED_KEY", "--out",
			newRunDir()}, quiet...)...)
		Expect(got.code).NotTo(Equal(exit.InvalidUsage), got.stderr)
		Expect(got.stderr).NotTo(Or(ContainSubstring("Unsolicited"), ContainSubstring(key)))
	}
	Expect(unasked.Load()).To(BeNumerically(">", 0))
	Expect(read.String()).To(BeEmpty())
})
