package service

import (
	"encoding/base64"
	"net/http"
	"strings"
)

// maskURL converts a mask, given as base64 or as a data URL, to a data URL with the image's actual
// type. It does not reject an invalid mask: some drawing tools send such masks, and the agent then
// informs its user.
func maskURL(text string) string {
	data := oneLine.Replace(text)
	if strings.HasPrefix(data, "data:") {
		_, data, _ = strings.Cut(data, ",")
	}
	const sniffed = 64 // base64 digits that contain the signature of every image type
	head, _ := base64.StdEncoding.DecodeString(data[:min(len(data), sniffed)/4*4])
	kind := http.DetectContentType(head)
	if !strings.HasPrefix(kind, "image/") {
		kind = "image/png"
	}
	return "data:" + kind + ";base64," + data
}

var oneLine = strings.NewReplacer("\r", "", "\n", "")
