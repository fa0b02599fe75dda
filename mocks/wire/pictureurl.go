package wire

import (
	"strconv"
	"strings"
	"time"

	"evalctl/mocks/random"
)

// ImageBaseURL is where pictures are said to be that nobody can fetch. A server
// answers GET /pictures/NAME itself, under any host name.
const ImageBaseURL = "https://dashscope-result.invalid/pictures"

// imagesURL is where pictures are: at the server that was asked, where they
// are served.
func (c *Call) imagesURL() string {
	if !c.Served || c.Request.Host == "" {
		return ImageBaseURL
	}
	scheme := "http://"
	if c.Request.TLS != nil {
		scheme = "https://"
	}
	return scheme + c.Request.Host + strings.TrimSuffix(imagePath, "/")
}

// imageURL is the address of the i-th picture that seed made; it is good
// for a day.
func (c *Call) imageURL(seed uint64, i int, made time.Time) string {
	b := appendHex([]byte(c.imagesURL()+"/"), random.Mix(seed, uint64(i)+20), 16)
	b = append(b, ".png?Expires="...)
	b = strconv.AppendInt(b, made.Add(24*time.Hour).Unix(), 10)
	b = append(b, "&OSSAccessKeyId=mock&Signature="...)
	return string(appendWord(b, random.Mix(seed, uint64(i)+30), 28))
}
