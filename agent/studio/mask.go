package studio

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // the formats of masks
	_ "image/png"
	"strings"
	"sync"
)

const (
	// maxSide is DashScope's limit of pixels per side. It also prevents small files that decode to
	// a huge image.
	maxSide = 4096
	// maxDecoded is the memory limit of a decoder in bytes. It suffices for every export of a
	// canvas of maxSide.
	maxDecoded = 64 << 20
)

// masks decodes the masks of one agent one at a time. Several small files at once could take
// gigabytes when decoded.
type masks struct{ decoding sync.Mutex }

// check verifies that a mask is a data URL of a complete PNG or JPEG image.
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

// decodedBytes is the memory that the decoder needs for an image. An interlaced PNG needs its
// pixels twice, and a progressive JPEG four more bytes per sample.
func decodedBytes(c image.Config, format string, raw []byte) int {
	const interlace = 28 // offset of the interlace method in a PNG's header
	n := c.Width * c.Height * perPixel(c.ColorModel)
	switch {
	case format == "png" && raw[interlace] != 0:
		n *= 2
	case format == "jpeg" && bytes.Contains(raw, []byte{0xff, 0xc2}): // the marker of a progressive frame
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
	case color.RGBA64Model, color.NRGBA64Model, color.CMYKModel: // converted from four more planes
		return 8
	}
	return 4
}
