package wire

import (
	"strconv"
	"strings"
	"time"

	"evalctl/mocks/random"
)

// ImageBaseURL is the base URL of images that cannot be downloaded. The server itself answers GET
// /pictures/NAME under any host name.
const ImageBaseURL = "https://dashscope-result.invalid/pictures"

// imagesURL returns the base URL of images: the host of the request if images are served, else
// ImageBaseURL.
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

// imageURL returns the URL of the i-th image of a seed. It expires after a day.
func (c *Call) imageURL(seed uint64, i int, made time.Time) string {
	b := appendHex([]byte(c.imagesURL()+"/"), random.Mix(seed, uint64(i)+20), 16)
	b = append(b, ".png?Expires="...)
	b = strconv.AppendInt(b, made.Add(24*time.Hour).Unix(), 10)
	b = append(b, "&OSSAccessKeyId=mock&Signature="...)
	return string(appendWord(b, random.Mix(seed, uint64(i)+30), 28))
}
