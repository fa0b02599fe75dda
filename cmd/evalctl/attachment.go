package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"evalctl/agent"
	"evalctl/agent/file"
)

// maxAttachment is the maximum size of an attached image, in bytes. Image services have the same
// limit.
const maxAttachment = 10 << 20

// attachmentURL converts the argument of the chat command /image or /mask to a URL. It returns an
// HTTP URL or data URL unchanged, and a file as a data URL.
func attachmentURL(what string) (string, error) {
	what = unquoted(what)
	switch {
	case what == "":
		return "", errors.New("requires a file or a URL")
	case strings.HasPrefix(what, "data:image/"):
		return what, nil
	case strings.HasPrefix(what, "http://"), strings.HasPrefix(what, "https://"):
		u, err := url.Parse(what)
		if err != nil || u.Hostname() == "" {
			return "", fmt.Errorf("%.80s is not a URL: it has no host", what)
		}
		return what, nil
	}
	what, err := expandHome(what)
	if err != nil {
		return "", err
	}
	b, err := file.Read(what, maxAttachment)
	if err != nil {
		return "", err
	}
	kind := http.DetectContentType(b)
	if !strings.HasPrefix(kind, "image/") {
		return "", fmt.Errorf("%s is not an image: it is %s", what, kind)
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(b), nil
}

// maxDocument is the maximum size of a text attachment, in bytes.
const maxDocument = 8 << 20

// readDocument reads the text file, in any encoding of [file.DecodeText], that is the argument of the
// chat command /document.
func readDocument(what string) (d agent.Document, err error) {
	what = unquoted(what)
	if what == "" {
		return d, errors.New("requires a file")
	}
	if what, err = expandHome(what); err != nil {
		return d, err
	}
	b, err := file.Read(what, maxDocument)
	if err != nil {
		return d, err
	}
	text, err := file.DecodeText(b)
	if err != nil {
		return d, fmt.Errorf("%s %w", what, err)
	}
	return agent.Document{Name: filepath.Base(what), Content: text}, nil
}

// unquoted removes quotes around a path. A terminal adds them when the user drops a file into it.
func unquoted(what string) string {
	if n := len(what); n >= 2 && (what[0] == '"' || what[0] == '\'') && what[n-1] == what[0] {
		return what[1 : n-1]
	}
	return what
}

// expandHome expands a leading ~ to the home directory.
func expandHome(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && rest[0] != '/' {
		return path, nil
	}
	home, err := os.UserHomeDir()
	return home + rest, err
}
