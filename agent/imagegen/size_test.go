package imagegen_test

import (
	"context"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/imagegen"
	"evalctl/mocks"
	"evalctl/mocks/transport"
)

var _ = Describe("Client.SizeFor", func() {
	DescribeTable("S4: returns the nearest size that the model supports and the service accepts",
		func(model string, width, height int, want string) {
			server, err := mocks.New(mocks.Config{})
			Expect(err).NotTo(HaveOccurred())
			r := &recorder{client: http.Client{Transport: transport.Transport{Handler: server}}}
			c, err := imagegen.New(imagegen.Config{APIKey: "k", HTTP: r, Model: model, Async: model[:3] == "wan"})
			Expect(err).NotTo(HaveOccurred())
			size := c.NearestSize(width, height)
			Expect(size).To(Equal(want))
			Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
				_, err := c.GenerateSized(ctx, "一只猫", size)
				return err
			})).To(Succeed())
			Expect(r.body).To(ContainSubstring(`"size":"` + want + `"`))
		},
		Entry("for another size with the shape of a fixed size", "qwen-image-plus", 800, 600, "1472*1104"),
		Entry("for one of the fixed sizes", "qwen-image", 1664, 928, "1664*928"),
		Entry("for nearly a square", "qwen-image-max", 1024, 1000, "1328*1328"),
		Entry("for an image taller than every fixed size", "qwen-image-max", 600, 4000, "928*1664"),
		Entry("for a size within the limits", "qwen-image-2.0", 1024, 768, "1024*768"),
		Entry("for a size that is too large", "qwen-image-2.0", 4096, 2048, "2048*1024"),
		Entry("for a size that is too small", "qwen-image-2.0", 100, 200, "512*1024"),
		Entry("for a size within the limits of models that create tasks", "wan2.2-t2i-plus", 800, 600, "800*600"),
		Entry("for a size that is too large for models that create tasks", "wanx2.1-t2i-turbo", 1920, 1080, "1440*810"),
		Entry("for a shape that is too long for models that create tasks", "wanx2.1-t2i-turbo", 4000, 100, "1440*512"),
	)

	It("S4: returns the requested size for an unknown model", func() {
		c, err := imagegen.New(imagegen.Config{APIKey: "k", Model: "mine"})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.NearestSize(800, 600)).To(Equal("800*600"))
		Expect(c.NearestSize(-1, 0)).To(Equal("1*1"))
	})
})
