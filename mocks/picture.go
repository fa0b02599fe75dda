package mocks

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
)

// picturePath is where a Server keeps its pictures.
const picturePath = "/pictures/"

const pictureSide = 16

// picture sends a small square whose colour the name decides.
func (c *call) picture() {
	x := hashText(c.s.cfg.Seed, c.place.id)
	img := image.NewPaletted(image.Rect(0, 0, pictureSide, pictureSide), color.Palette{
		color.RGBA{R: byte(x), G: byte(x >> 8), B: byte(x >> 16), A: 255},
	})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		c.refuse(broken, err.Error())
		return
	}
	c.record(http.StatusOK)
	c.begin(http.StatusOK, "image/png")
	c.write(b.Bytes())
}
