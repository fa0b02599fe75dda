package wire

import (
	"encoding/base64"
	"io"
	"net/url"
	"slices"
	"strings"

	"evalctl/mocks/model"
)

const maxBase64 = 10 << 20 * 4 / 3 // an image of 10 MB in base64

// checkURL validates the URL of an input image in a message. An invalid URL and a failed download
// have different errors.
func checkURL(u string) *model.ErrorResponse {
	for _, scheme := range []string{"data:image/", "http://", "https://", "oss://"} {
		if strings.HasPrefix(u, scheme) {
			return checkSource(u)
		}
	}
	return nativeRefusalOf(400, "InvalidURL", "The provided URL is not valid.")
}

// checkSource validates the source of an input image: a URL or a data URL. All other values get the
// error of a failed download.
func checkSource(u string) *model.ErrorResponse {
	if data, found := strings.CutPrefix(u, "data:"); found {
		return checkDataURL(data)
	}
	if !isDownloadable(u) {
		return nativeRefusalOf(400, "BadRequest.InputDownloadFailed", "Failed to download the input file: "+u)
	}
	return nil
}

// checkDataURL validates the part of a data URL after "data:".
func checkDataURL(data string) *model.ErrorResponse {
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

// isDownloadable reports whether the server treats a URL as downloadable. It downloads nothing:
// only hosts that never resolve (.invalid) count as unreachable.
func isDownloadable(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "oss"}, u.Scheme) {
		return false
	}
	return !strings.HasSuffix(u.Hostname(), ".invalid") || strings.HasPrefix(address, ImageBaseURL)
}
