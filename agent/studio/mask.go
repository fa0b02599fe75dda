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
	// maxSide is how many pixels DashScope takes a side; more might be a small file
	// that unpacks to a huge picture.
	maxSide = 4096
	// maxDecoded is how many bytes a decoder may take: what it takes for all that a
	// canvas of maxSide exports.
	maxDecoded = 64 << 20
)

// masks decodes the masks of one agent, one at a time: a few that come at once,
// small as they are on the wire, would take gigabytes.
type masks struct{ decoding sync.Mutex }

// check looks whether a mask is a data URL of a whole PNG or JPEG picture.
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
		return err // whoever asked has gone meanwhile
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

// decodedBytes is what the decoder takes for a picture: its pixels, once more
// where a PNG is interlaced, and four bytes a sample where a JPEG is progressive.
func decodedBytes(c image.Config, format string, raw []byte) int {
	const interlace = 28 // the place of the method in a PNG's header
	n := c.Width * c.Height * perPixel(c.ColorModel)
	switch {
	case format == "png" && raw[interlace] != 0:
		n *= 2
	case format == "jpeg" && bytes.Contains(raw, []byte{0xff, 0xc2}): // the marker of such a frame
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
	case color.RGBA64Model, color.NRGBA64Model, color.CMYKModel: // which is made out of four more planes
		return 8
	}
	return 4
}
