package wire

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
)

const pictureSide = 16

// Picture is a small square, as PNG, whose colour seed decides.
func Picture(seed uint64) ([]byte, error) {
	img := image.NewPaletted(image.Rect(0, 0, pictureSide, pictureSide), color.Palette{
		color.RGBA{R: byte(seed), G: byte(seed >> 8), B: byte(seed >> 16), A: 255},
	})
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}
