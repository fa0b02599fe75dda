package studio

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // the formats of masks
	_ "image/png"
	"strings"
)

// maxSide is how many pixels DashScope takes a side; more might be a small file
// that unpacks to a huge picture.
const maxSide = 4096

// checkMask looks whether a mask is a data URL of a whole PNG or JPEG picture.
func checkMask(mask string) error {
	head, data, found := strings.Cut(mask, ",")
	kind, isData := strings.CutPrefix(head, "data:")
	kind, isBase64 := strings.CutSuffix(kind, ";base64")
	if !found || !isData || !isBase64 || !strings.HasPrefix(kind, "image/") {
		return errors.New("not a base64 data URL of an image")
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return err
	}
	c, format, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	if max(c.Width, c.Height) > maxSide {
		return fmt.Errorf("%s of %d×%d pixels", format, c.Width, c.Height)
	}
	_, _, err = image.Decode(bytes.NewReader(raw))
	return err
}
