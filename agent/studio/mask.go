package studio

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // decoders for the image types of masks
	_ "image/png"
	"strings"
	"sync"
)

const (
	// maxSide is the maximal width and height of a mask in pixels, which is DashScope's limit. It
	// also excludes small files that decode to a huge image.
	maxSide = 4096
	// maxDecoded is the maximal memory for decoding a mask, in bytes. It is enough for every
	// drawing of maxSide by maxSide.
	maxDecoded = 64 << 20
)

// masks checks masks one at a time. Several at once could take gigabytes, even if their files are
// small.
type masks struct{ decoding sync.Mutex }

// check returns an error unless a mask is a data URL with a complete PNG or JPEG image of an
// accepted size.
func (m *masks) check(ctx context.Context, mask string) error {
	head, data, found := strings.Cut(mask, ",")
	kind, isData := strings.CutPrefix(head, "data:")
	kind, isBase64 := strings.CutSuffix(kind, ";base64")
	if !found || !isData || !isBase64 || !strings.HasPrefix(kind, "image/") {
		return errors.New("not a base64 data URL of an image")
	}
	m.decoding.Lock()
	defer m.decoding.Unlock()
	if err := ctx.Err(); err != nil {
		return err // canceled while waiting for the lock
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return err
	}
	c, format, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	if max(c.Width, c.Height) > maxSide || decodedBytes(c, format, raw) > maxDecoded {
		return fmt.Errorf("%s of %d×%d pixels", format, c.Width, c.Height)
	}
	_, _, err = image.Decode(bytes.NewReader(raw))
	return err
}

// decodedBytes returns the memory that is needed to decode an image. An interlaced PNG needs twice
// the memory of its pixels, a progressive JPEG four more bytes per sample.
func decodedBytes(c image.Config, format string, raw []byte) int {
	const interlace = 28 // offset of the interlace method in a PNG's header
	n := c.Width * c.Height * perPixel(c.ColorModel)
	switch {
	case format == "png" && raw[interlace] != 0:
		n *= 2
	case format == "jpeg" && bytes.Contains(raw, []byte{0xff, 0xc2}): // marker of a progressive JPEG
		n *= 5
	}
	return n
}

func perPixel(m color.Model) int {
	switch m {
	case color.GrayModel:
		return 1
	case color.Gray16Model:
		return 2
	case color.YCbCrModel:
		return 3
	case color.RGBA64Model, color.NRGBA64Model,
		color.CMYKModel: // also covers the four planes that CMYK is converted from
		return 8
	}
	return 4
}
