package outbound_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/outbound"
)

var _ = DescribeTable("15.1: an address is exactly one http URL", func(text, host string) {
	u, err := outbound.ParseURL(text)
	if host == "" {
		Expect(err).To(MatchError("is not an http or https URL with a host"))
		return
	}
	Expect(err).NotTo(HaveOccurred())
	Expect(u.Host).To(Equal(host))
},
	Entry(nil, "http://127.0.0.1:8000/v1", "127.0.0.1:8000"),
	Entry(nil, "HTTPS://API.example.com", "API.example.com"),
	Entry(nil, "http://[::1]:8000/v1", "[::1]:8000"),
	Entry(nil, "http://allowed@elsewhere:1/v1?x=a+b", "elsewhere:1"),
	Entry(nil, "http://模型.example/v1", "模型.example"),
	Entry("no host", "http:///v1", ""),
	Entry("another scheme", "ftp://h/", ""),
	Entry("a file", "file:///etc/passwd", ""),
	Entry("a space inside", "http://h/a b", ""),
	Entry("a command with an address", "sh -c 'curl http://h/'", ""),
	Entry("a line break", "http://h/\nhttp://g/", ""),
	Entry("a space that is not ASCII", "http://h/\u00a0x", ""),
	Entry("a space before it", " http://h/", ""),
	Entry("two addresses", "http://h+http://g", ""),
	Entry("two addresses with ports", "http://h:1+http://g:2", ""),
	Entry("an empty port", "http://h:/", ""),
	Entry("an escaped host", "http://h%2fg/", ""),
	Entry("not an address", "[::1]", ""),
)

var _ = It("15.1: an address that contains another one is accepted only outside of lists", func() {
	for _, text := range []string{"http://gateway/https://api.example.com/v1", "http://h/v1+http://g/v1",
		"http://h/?next=http://g"} {
		_, err := outbound.ParseURL(text)
		Expect(err).NotTo(HaveOccurred(), text)
		_, err = outbound.ParseOne(text)
		Expect(err).To(HaveOccurred(), text)
	}
})
