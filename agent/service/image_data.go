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

// imageData returns the base64 part of an image data URL.
func imageData(text string) (data string, ok bool) {
	head, data, found := strings.Cut(text, ",")
	kind, isBase64 := strings.CutSuffix(head, ";base64")
	return data, found && isBase64 && strings.HasPrefix(kind, "data:image/")
}

// hasSignature reports whether the image format of a data URL has a recognizable signature.
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

// checkImage rejects images that agents cannot pass to a model.
func checkImage(field, text string) *problem {
	if data, ok := imageData(text); ok {
		// streamed, because an image is large
		digits := base64.NewDecoder(base64.StdEncoding, strings.NewReader(data))
		if _, err := io.Copy(io.Discard, digits); err != nil || data == "" {
			return malformed("%s: the data URL's base64 is empty or broken", field)
		}
		const sniffed = 684 // base64 digits of the 512 bytes that DetectContentType reads
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
