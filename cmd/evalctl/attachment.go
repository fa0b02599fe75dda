package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"evalctl/agent/file"
)

// maxAttachment is what image services take.
const maxAttachment = 10 << 20

// attachment is an http address as it is, or a file as a data URL.
func attachment(what string) (string, error) {
	if strings.HasPrefix(what, "http://") || strings.HasPrefix(what, "https://") || strings.HasPrefix(what, "data:image/") {
		return what, nil
	}
	if what == "" {
		return "", errors.New("wants a file or an address")
	}
	b, err := file.Read(what, maxAttachment)
	if err != nil {
		return "", err
	}
	kind := http.DetectContentType(b)
	if !strings.HasPrefix(kind, "image/") {
		return "", fmt.Errorf("%s is no picture but %s", what, kind)
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(b), nil
}
