package service

import (
	"encoding/base64"
	"net/http"
	"strings"
)

// maskURL converts a mask, as bare base64 or data URL, to a data URL with the detected type. It
// does not check that the mask can be decoded: some canvases send invalid masks, and the agent
// reports that to its user.
func maskURL(text string) string {
	data := oneLine.Replace(text)
	if strings.HasPrefix(data, "data:") {
		_, data, _ = strings.Cut(data, ",")
	}
	const sniffed = 64 // base64 digits, more than any signature has
	head, _ := base64.StdEncoding.DecodeString(data[:min(len(data), sniffed)/4*4])
	kind := http.DetectContentType(head)
	if !strings.HasPrefix(kind, "image/") {
		kind = "image/png"
	}
	return "data:" + kind + ";base64," + data
}

// oneLine removes line breaks in base64.
var oneLine = strings.NewReplacer("\r", "", "\n", "")
