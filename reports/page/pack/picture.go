package pack

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"evalctl/reports/event"
)

// maxImage bounds a picture that goes into the file, in bytes of its address.
const maxImage = 64 << 10

// image is a small picture itself, where its data are in the address and are what it
// says; of any other the address, or in words what it is.
func image(url string) string {
	if isImage(url) {
		return url
	}
	return remark(event.ImageLink(url))
}

// isImage tells the address of a picture of a kind in which nothing runs.
func isImage(url string) bool {
	kind, data, ok := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
	known := slices.Contains([]string{"image/png", "image/jpeg", "image/webp", "image/gif"}, kind)
	if !ok || !known || len(url) > maxImage || !strings.HasPrefix(url, "data:") {
		return false
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(data)
	return err == nil && !strings.ContainsAny(data, "\r\n") && http.DetectContentType(raw) == kind
}
