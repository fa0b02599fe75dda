package page

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"evalctl/reports/finding"
)

// maxImage is the maximum length of a data URL that the data contain, in bytes.
const maxImage = 64 << 10

// image returns the data URL of a small image if its content matches its declared type. For other
// images it returns the URL or a description.
func image(url string) string {
	if isImage(url) {
		return url
	}
	return shorten(finding.ImageText(url))
}

// isImage reports whether a URL is a small data URL with an image that cannot contain scripts.
func isImage(url string) bool {
	kind, data, ok := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
	known := slices.Contains([]string{"image/png", "image/jpeg", "image/webp", "image/gif"}, kind)
	if !ok || !known || len(url) > maxImage || !strings.HasPrefix(url, "data:") {
		return false
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(data)
	return err == nil && !strings.ContainsAny(data, "\r\n") && http.DetectContentType(raw) == kind
}
