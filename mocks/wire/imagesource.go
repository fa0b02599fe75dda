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

// checkURL is for messages, which tell what is not an address from one that
// cannot be fetched.
func checkURL(u string) *model.Refusal {
	for _, scheme := range []string{"data:image/", "http://", "https://", "oss://"} {
		if strings.HasPrefix(u, scheme) {
			return checkSource(u)
		}
	}
	return native(400, "InvalidURL", "The provided URL is not valid.")
}

// checkSource takes the address of a picture or the picture itself as a data
// URL. Whatever else it is given cannot be downloaded.
func checkSource(u string) *model.Refusal {
	if data, found := strings.CutPrefix(u, "data:"); found {
		return checkDataURL(data)
	}
	if !reachable(u) {
		return native(400, "BadRequest.InputDownloadFailed", "Failed to download the input file: "+u)
	}
	return nil
}

// checkDataURL reads what follows "data:", without keeping the picture.
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

// reachable tells an address that could be downloaded from: only a host that
// never resolves is known not to answer.
func reachable(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "oss"}, u.Scheme) {
		return false
	}
	return !strings.HasSuffix(u.Hostname(), ".invalid") || strings.HasPrefix(address, ImageBaseURL)
}
