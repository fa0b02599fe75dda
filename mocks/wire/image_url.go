package wire

import (
	"strconv"
	"strings"
	"time"

	"evalctl/mocks/random"
)

// ImageBaseURL is the base URL of generated images if ServeImages is false. Its host does not
// resolve. A simulated server itself answers GET /pictures/NAME under any host name.
const ImageBaseURL = "https://dashscope-result.invalid/pictures"

// imagesURL returns the base URL of generated images: on the host of the request if ServeImages is
// true, else ImageBaseURL.
func (c *Call) imagesURL() string {
	if !c.ServeImages || c.Request.Host == "" {
		return ImageBaseURL
	}
	scheme := "http://"
	if c.Request.TLS != nil {
		scheme = "https://"
	}
	return scheme + c.Request.Host + strings.TrimSuffix(imagePath, "/")
}

// imageURL returns the URL of the i-th generated image of a request. seed identifies the request.
// As in the real service, the URL states that it expires a day after it was made.
func (c *Call) imageURL(seed uint64, i int, made time.Time) string {
	b := appendHex([]byte(c.imagesURL()+"/"), random.Mix(seed, uint64(i)+20), 16)
	b = append(b, ".png?Expires="...)
	b = strconv.AppendInt(b, made.Add(24*time.Hour).Unix(), 10)
	b = append(b, "&OSSAccessKeyId=mock&Signature="...)
	return string(appendWord(b, random.Mix(seed, uint64(i)+30), 28))
}
