package wire

import (
	"encoding/base64"
	"io"
	"net/url"
	"slices"
	"strings"

	"evalctl/mocks/model"
)

const maxBase64 = 10 << 20 * 4 / 3 // 10 MB in base64

// checkURL validates an image in messages. There, an invalid URL and an unavailable one have
// different errors.
func checkURL(u string) *model.Refusal {
	for _, scheme := range []string{"data:image/", "http://", "https://", "oss://"} {
		if strings.HasPrefix(u, scheme) {
			return checkSource(u)
		}
	}
	return nativeRefusalOf(400, "InvalidURL", "The provided URL is not valid.")
}

// checkSource accepts the URL of an image or a data URL. Any other value gets the download error.
func checkSource(u string) *model.Refusal {
	if data, found := strings.CutPrefix(u, "data:"); found {
		return checkDataURL(data)
	}
	if !isDownloadable(u) {
		return nativeRefusalOf(400, "BadRequest.InputDownloadFailed", "Failed to download the input file: "+u)
	}
	return nil
}

// checkDataURL validates the text after "data:" without storing the image.
func checkDataURL(data string) *model.Refusal {
	kind, image, _ := strings.Cut(data, ",")
	if !strings.HasPrefix(kind, "image/") || !strings.HasSuffix(kind, ";base64") || image == "" {
		return badParameter("a picture in base64 must be of the form data:image/TYPE;base64,DATA")
	}
	if len(image) > maxBase64 {
		return badParameter("image size must not exceed 10 MB")
	}
	if _, err := io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, strings.NewReader(image))); err != nil {
		return badParameter("the picture is not valid base64")
	}
	return nil
}

// isDownloadable reports whether an address could be downloaded. Only hosts that never resolve are
// considered unreachable.
func isDownloadable(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "oss"}, u.Scheme) {
		return false
	}
	return !strings.HasSuffix(u.Hostname(), ".invalid") || strings.HasPrefix(address, ImageBaseURL)
}
