package service

import (
	"encoding/base64"
	"net/http"
	"strings"
)

// maskURL takes a mask as bare base64 or as a data URL and returns it as a data
// URL of the kind that its first bytes show. Whether it can be decoded is for the
// agent to find out, and to tell its user: canvases send masks that cannot.
func maskURL(text string) string {
	data := oneLine.Replace(text)
	if strings.HasPrefix(data, "data:") {
		_, data, _ = strings.Cut(data, ",")
	}
	const sniffed = 64 // base64 digits: a signature has fewer
	head, _ := base64.StdEncoding.DecodeString(data[:min(len(data), sniffed)/4*4])
	kind := http.DetectContentType(head)
	if !strings.HasPrefix(kind, "image/") {
		kind = "image/png"
	}
	return "data:" + kind + ";base64," + data
}

// oneLine drops the line breaks that base64 may have.
var oneLine = strings.NewReplacer("\r", "", "\n", "")
