package pack

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"evalctl/reports/event"
)

// maxPicture bounds a picture that goes into the file, in bytes of its address.
const maxPicture = 64 << 10

// picture is a small picture itself, where its data are in the address and are what it
// says; of any other the address, or in words what it is.
func picture(url string) string {
	if isPicture(url) {
		return url
	}
	return remark(event.Picture(url))
}

// isPicture tells the address of a picture of a kind in which nothing runs.
func isPicture(url string) bool {
	kind, data, ok := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
	known := slices.Contains([]string{"image/png", "image/jpeg", "image/webp", "image/gif"}, kind)
	if !ok || !known || len(url) > maxPicture || !strings.HasPrefix(url, "data:") {
		return false
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(data)
	return err == nil && !strings.ContainsAny(data, "\r\n") && http.DetectContentType(raw) == kind
}
