package studio_test

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"io"
	"runtime"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/studio"
)

var _ = DescribeTable("S8: The executor decodes a mask once per turn, even if the critic rejects images",
	func(profile studio.Profile, answer string, images int) {
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
		s.config.Critic, s.review = studio.CriticLLM, scores(0.1)
		s.inSimulation(func(_ context.Context, respond func(agent.Turn) agent.Reply) {
			for turn := range 2 {
				t := repaint()
				t.Mask = "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(magic))
				Expect(respond(t).AnsweredBy).To(Equal("inpainting"))
				Expect(reviews(s)).To(HaveLen(images))
				Expect(decoded).To(Equal(turn + 1))
			}
		})
	},
	Entry(nil, studio.ProfileV2, planV2("inpainting", 0.9), 4), Entry(nil, studio.ProfileV1, planV1("inpainting"), 3),
)

var _ = DescribeTable("S8: The executor rejects an invalid mask even if the action does not use it",
	func(profile studio.Profile, answer string) {
		s := newStage(profile, answer)
		reply := s.runTurn(agent.Turn{Text: "机械头盔", Mask: "data:image/png;base64,"})
		Expect(failure(reply)).To(Equal("INVALID_MASK executor"))
	},
	Entry(nil, studio.ProfileV2, planV2("generate_image", 0.9)), Entry(nil, studio.ProfileV1, planV1("generate_image")),
)

// headPNG returns a PNG that ends after its header. The header has this size, bit depth, color type
// and interlacing.
func headPNG(side uint32, depth, color, interlaced byte) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), side), side)
	head = append(head, depth, color, 0, 0, interlaced)
	b := binary.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), 13)
	return binary.BigEndian.AppendUint32(append(b, head...), crc32.ChecksumIEEE(head))
}

// headJPEG returns a JPEG with three colors that ends after its frame header. The marker selects
// baseline or progressive.
func headJPEG(side uint16, marker byte) []byte {
	b := append([]byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00"), make([]byte, 9)...)
	b = append(b, 0xff, marker, 0, 17, 8)
	b = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, side), side)
	return append(b, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0)
}

var _ = DescribeTable("S8: A mask is rejected before decoding if it has more than 4096 pixels per side or decoding would need more than 64 MiB",
	func(raw []byte, tooLarge bool) {
		err := studio.CheckMask("data:image/png;base64," + base64.StdEncoding.EncodeToString(raw))
		if tooLarge {
			Expect(err).To(MatchError(HaveSuffix(" pixels")))
			return
		}
		Expect(err).To(MatchError(io.ErrUnexpectedEOF), "it has begun to, where there is nothing")
	},
	Entry("an RGBA PNG of 4096 pixels per side, as drawing tools export it, is accepted",
		headPNG(4096, 8, 6, 0), false),
	Entry("an interlaced RGBA PNG of 4096 pixels per side is rejected", headPNG(4096, 8, 6, 1), true),
	Entry("a PNG of 4097 pixels per side is rejected", headPNG(4097, 1, 0, 0), true),
	Entry("an interlaced gray PNG of 4096 pixels per side is accepted", headPNG(4096, 8, 0, 1), false),
	Entry("a PNG of 4096 pixels per side with 16 bits per color is rejected", headPNG(4096, 16, 6, 0), true),
	Entry("a PNG of 2896 pixels per side with 16 bits per color is accepted", headPNG(2896, 16, 6, 0), false),
	Entry("a JPEG of 4096 pixels per side is accepted", headJPEG(4096, 0xc0), false),
	Entry("a progressive JPEG of 4096 pixels per side is rejected", headJPEG(4096, 0xc2), true),
	Entry("a progressive JPEG of 2048 pixels per side is accepted", headJPEG(2048, 0xc2), false),
	Entry("a PNG of 134,217,728 pixels per side is rejected", headPNG(1<<27, 16, 6, 1), true),
)

var _ = It("S8: The executor decodes one mask at a time", func() {
	var at, most atomic.Int32
	const magic = "counted at once"
	image.RegisterFormat(magic, magic,
		func(io.Reader) (image.Image, error) {
			most.Store(max(most.Load(), at.Add(1)))
			defer at.Add(-1)
			runtime.Gosched()
			return image.NewGray(image.Rect(0, 0, 8, 8)), nil
		},
		func(io.Reader) (image.Config, error) {
			return image.Config{ColorModel: color.GrayModel, Width: 8, Height: 8}, nil
		})
	s := newStage(studio.ProfileV2, planV2("inpainting", 0.9))
	s.config.ImageGenerator = imageGenerator(func(context.Context, studio.ImageRequest) (studio.Image, error) {
		return studio.Image{URL: "https://a.example/1.png"}, nil
	})
	a := s.open()
	t := repaint()
	t.Text, t.Mask = "", "data:image/png;base64,"+base64.StdEncoding.EncodeToString([]byte(magic))
	g, _ := clock.NewGroup(context.Background(), 0)
	for range 100 {
		g.Go("user", func(ctx context.Context) error {
			reply, err := a.Respond(ctx, t, nil)
			Expect(reply.AnsweredBy).To(Equal("inpainting"))
			return err
		})
	}
	Expect(g.Wait()).To(Succeed())
	Expect(most.Load()).To(BeEquivalentTo(1))
})
