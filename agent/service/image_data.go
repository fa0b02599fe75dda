package service

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// imageData returns the base64 data of an image data URL; ok is false for other texts.
func imageData(text string) (data string, ok bool) {
	head, data, found := strings.Cut(text, ",")
	kind, isBase64 := strings.CutSuffix(head, ";base64")
	return data, found && isBase64 && strings.HasPrefix(kind, "data:image/")
}

// hasSignature reports whether images of this data URL's type can be recognized by their first
// bytes.
func hasSignature(text string) bool {
	return slices.ContainsFunc([]string{"png", "jpeg", "gif", "webp", "bmp"}, func(kind string) bool {
		return strings.HasPrefix(text, "data:image/"+kind+";")
	})
}

func checkImages(field string, urls []string) *problem {
	for i, u := range urls {
		if p := checkImage(fmt.Sprintf("%s[%d]", field, i), u); p != nil {
			return p
		}
	}
	return nil
}

// checkImage rejects an image that cannot be passed to a model: a broken data URL, or an address
// other than http(s).
func checkImage(field, text string) *problem {
	if data, ok := imageData(text); ok {
		// decoded without storing the result, because images are large
		digits := base64.NewDecoder(base64.StdEncoding, strings.NewReader(data))
		if _, err := io.Copy(io.Discard, digits); err != nil || data == "" {
			return malformed("%s: the data URL's base64 is empty or broken", field)
		}
		const sniffed = 684 // base64 digits that encode the 512 bytes read by DetectContentType
		head, _ := base64.StdEncoding.DecodeString(data[:min(len(data), sniffed)/4*4])
		if kind := http.DetectContentType(head); hasSignature(text) && !strings.HasPrefix(kind, "image/") {
			return malformed("%s: the data URL has no picture but %s", field, kind)
		}
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return malformed("%s: %s is neither an http(s) URL nor a base64 data URL of an image", field, quoteShort(text))
	}
	return nil
}
