package cache_test

import (
	"context"
	"io"
	"net"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/cache"
	"evalctl/agent/llm"
)

// misbehavingServer starts a server that sends the same reply to every MGET command. It returns its
// address.
func misbehavingServer(reply string) string {
	GinkgoHelper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(l.Close)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go answerAll(conn, reply)
		}
	}()
	return "redis://" + l.Addr().String()
}

func answerAll(conn net.Conn, reply string) {
	defer conn.Close()
	request := make([]byte, 64<<10)
	for {
		n, err := conn.Read(request)
		if err != nil {
			return
		}
		answer := reply
		if !strings.Contains(strings.ToLower(string(request[:n])), "mget") {
			answer = "-ERR unknown command\r\n"
		}
		if _, err := io.WriteString(conn, answer); err != nil {
			return
		}
	}
}

var _ = DescribeTable("L6: a reply of a Redis server that announces an invalid length is rejected",
	func(ctx context.Context, says, why string) {
		store := redisAt(cache.RedisConfig{URL: misbehavingServer(says)})
		_, err := store.GetAll(ctx, []string{"a"})
		Expect(llm.KindOf(err)).To(Equal(llm.KindMalformedResponse), "%v", err)
		Expect(err).To(MatchError(ContainSubstring(why)))
	},
	Entry("for a string of a trillion bytes", "$1000000000000\r\n", "1000000000000 bytes"),
	Entry("for a string of a trillion bytes in an array", "*1\r\n$1000000000000\r\n", "1000000000000 bytes"),
	Entry("for a second string of 500 MB in an array", "*2\r\n$1\r\na\r\n$500000000\r\n", "500000000 bytes"),
	Entry("for a string of the largest int64", "*1\r\n$9223372036854775807\r\n", "9223372036854775807 bytes"),
	Entry("for a string longer than an int64 can represent", "*1\r\n$9223372036854775808\r\n", "a length of"),
	Entry("for a string of a negative length", "*1\r\n$-5\r\n", "a length of"),
	Entry("for an array of a trillion elements", "*1000000000000\r\n", "1000000000000 values"),
	Entry("for 300 million elements in a nested array", "*1\r\n*300000000\r\n", "300000000 values"),
	Entry("for arrays that are nested too deep", strings.Repeat("*1\r\n", 1000)+":1\r\n", "8 lists deep"),
	Entry("for a line that does not end", "+"+strings.Repeat("x", 100_000), "a line of more than"),
	Entry("for a type of another protocol version", "~1000000000000\r\n", "~1000"),
)

var _ = It("L6: a reply of a Redis server with nested arrays, and with strings that look like headers, is read correctly", func(ctx context.Context) {
	store := redisAt(cache.RedisConfig{URL: misbehavingServer("*3\r\n$-1\r\n*2\r\n:1\r\n*0\r\n$6\r\n\r\n$9\r\n\r\n")})
	found, err := store.GetAll(ctx, []string{"a", "b", "c"})
	Expect(err).NotTo(HaveOccurred())
	Expect(found).To(Equal(map[string]string{"c": "\r\n$9\r\n"}))
})
