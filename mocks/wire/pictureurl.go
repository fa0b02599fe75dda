package wire

import (
	"strconv"
	"time"

	"evalctl/mocks/random"
)

// PicturesURL is where pictures are said to be. Nothing is there; a server
// answers GET /pictures/NAME itself, under any host name.
const PicturesURL = "https://dashscope-result.invalid/pictures"

// pictureURL is the address of the i-th picture that seed made; it is good
// for a day.
func pictureURL(seed uint64, i int, made time.Time) string {
	b := appendHex([]byte(PicturesURL+"/"), random.Mix(seed, uint64(i)+20), 16)
	b = append(b, ".png?Expires="...)
	b = strconv.AppendInt(b, made.Add(24*time.Hour).Unix(), 10)
	b = append(b, "&OSSAccessKeyId=mock&Signature="...)
	return string(appendWord(b, random.Mix(seed, uint64(i)+30), 28))
}
