package service

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/jpeg" // the formats of masks
	_ "image/png"
	"net/http"
	"net/url"
	"strings"
)

// readMask takes a mask as bare base64 or as a data URL and returns it as a
// data URL. Only its header is looked at: the pixels are the agent's concern.
func readMask(text string) (string, *problem) {
	if text == "" {
		return "", badMask("is missing")
	}
	data := text
	if strings.HasPrefix(text, "data:") {
		var ok bool
		if data, ok = pictureData(text); !ok {
			return "", badMask("is no base64 data URL of an image")
		}
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return "", badMask("%v", err)
	}
	c, format, err := image.DecodeConfig(bytes.NewReader(raw))
	switch {
	case err != nil:
		return "", badMask("is no PNG or JPEG: %v", err)
	case c.Width == 0 || c.Height == 0:
		return "", badMask("has no pixels")
	}
	return "data:image/" + format + ";base64," + oneLine.Replace(data), nil
}

func badMask(format string, args ...any) *problem {
	return refuse(http.StatusBadRequest, "BAD_MASK", "maskData.base64: %s", fmt.Sprintf(format, args...))
}

// oneLine drops the line breaks that base64 may have.
var oneLine = strings.NewReplacer("\r", "", "\n", "")

// pictureData is the base64 of an image's data URL.
func pictureData(text string) (data string, ok bool) {
	head, data, found := strings.Cut(text, ",")
	kind, isBase64 := strings.CutSuffix(head, ";base64")
	return data, found && isBase64 && strings.HasPrefix(kind, "data:image/")
}

func checkPictures(field string, urls []string) *problem {
	for i, u := range urls {
		if p := checkPicture(fmt.Sprintf("%s[%d]", field, i), u); p != nil {
			return p
		}
	}
	return nil
}

// checkPicture lets agents rely on what they may hand to a model.
func checkPicture(field, text string) *problem {
	if data, ok := pictureData(text); ok {
		if _, err := base64.StdEncoding.DecodeString(data); err != nil || data == "" {
			return malformed("%s: the data URL's base64 is empty or broken", field)
		}
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return malformed("%s: %s is neither an http(s) URL nor a base64 data URL of an image", field, piece(text))
	}
	return nil
}
