package outbound_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/outbound"
)

var _ = DescribeTable("15.1: ParseURL accepts a text only if it is exactly one http URL", func(text, host string) {
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
	Entry("a URL without a host", "http:///v1", ""),
	Entry("a URL with the scheme ftp", "ftp://h/", ""),
	Entry("a URL of a file", "file:///etc/passwd", ""),
	Entry("a URL that contains a space", "http://h/a b", ""),
	Entry("a command that contains a URL", "sh -c 'curl http://h/'", ""),
	Entry("two URLs on two lines", "http://h/\nhttp://g/", ""),
	Entry("a URL with a non-ASCII space", "http://h/\u00a0x", ""),
	Entry("a URL with a leading space", " http://h/", ""),
	Entry("two URLs joined by a plus sign", "http://h+http://g", ""),
	Entry("two URLs with ports joined by a plus sign", "http://h:1+http://g:2", ""),
	Entry("a URL with an empty port", "http://h:/", ""),
	Entry("a URL with an escaped character in the host", "http://h%2fg/", ""),
	Entry("an IP address in brackets, without http://", "[::1]", ""),
)

var _ = It("15.1: ParseSingleURL rejects a URL that contains a second \"://\"; ParseURL accepts it", func() {
	for _, text := range []string{"http://gateway/https://api.example.com/v1", "http://h/v1+http://g/v1",
		"http://h/?next=http://g"} {
		_, err := outbound.ParseURL(text)
		Expect(err).NotTo(HaveOccurred(), text)
		_, err = outbound.ParseSingleURL(text)
		Expect(err).To(HaveOccurred(), text)
	}
})
