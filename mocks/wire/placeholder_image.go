package wire

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
)

const imageSide = 16

// PlaceholderPNG returns a small square PNG in one color, which depends on seed. It is the content
// of every simulated image.
func PlaceholderPNG(seed uint64) ([]byte, error) {
	img := image.NewPaletted(image.Rect(0, 0, imageSide, imageSide), color.Palette{
		color.RGBA{
			R: byte(seed),
			G: byte(seed >> 8),
			B: byte(seed >> 16),
			A: 255,
		},
	})
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}
