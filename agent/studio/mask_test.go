package studio_test

import (
	"context"
	"encoding/base64"
	"image"
	"image/color"
	"io"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/studio"
)

var _ = DescribeTable("S8: decodes a mask once a turn, however often the critic sends it back",
	func(profile studio.Profile, answer string, pictures int) {
		decoded := 0
		config := image.Config{ColorModel: color.GrayModel, Width: 8, Height: 8}
		magic := "counted by " + string(profile)
		image.RegisterFormat(magic, magic,
			func(io.Reader) (image.Image, error) {
				decoded++
				return image.NewGray(image.Rect(0, 0, 8, 8)), nil
			},
			func(io.Reader) (image.Config, error) { return config, nil })
		s := newStage(profile, answer)
		s.config.Critic, s.review = studio.LLM, scores(0.1)
		s.within(func(_ context.Context, respond func(agent.Turn) agent.Reply) {
			for turn := range 2 {
				t := repaint()
				t.Mask = "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(magic))
				Expect(respond(t).Served).To(Equal("inpainting"))
				Expect(reviews(s)).To(HaveLen(pictures))
				Expect(decoded).To(Equal(turn + 1))
			}
		})
	},
	Entry(nil, studio.V2, planV2("inpainting", 0.9), 4), Entry(nil, studio.V1, planV1("inpainting"), 3),
)
