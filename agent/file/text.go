package file

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// DecodeText returns the text of a file in UTF-8 or in an encoding of [DetectDecoder], without a
// byte order mark. The error says what other content is, such as a PDF; it does not contain the
// name of the file.
func DecodeText(raw []byte) (string, error) {
	text, decoder := raw, DetectDecoder(raw)
	if !isUTF16(raw) && isBinary(raw) {
		return "", fmt.Errorf("is not text: it is %s. Convert it to UTF-8 text", http.DetectContentType(raw))
	}
	if decoder != nil {
		var err error
		if text, err = decoder.Bytes(raw); err != nil || bytes.ContainsRune(text, utf8.RuneError) {
			return "", errNotText
		}
	}
	if !utf8.Valid(text) {
		return "", errNotText
	}
	return strings.TrimPrefix(string(text), "\uFEFF"), nil
}

// DetectDecoder returns the decoder for a text that begins with sample: UTF-16 with a byte order
// mark, or GBK (GB18030), which Chinese editors write. It returns nil for UTF-8 and for other
// content.
func DetectDecoder(sample []byte) *encoding.Decoder {
	switch {
	case isUTF16(sample):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()
	case !utf8.Valid(sample) && !isDamagedUTF8(sample) && isGBK(sample):
		return simplifiedchinese.GB18030.NewDecoder()
	}
	return nil
}

func isUTF16(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff"))
}

var errNotText = errors.New("is not text in UTF-8 or GBK. Convert it to UTF-8")

// isBinary reports whether the content has the signature of a format that is not text, or a NUL
// character.
func isBinary(raw []byte) bool {
	if bytes.IndexByte(raw, 0) >= 0 {
		return true
	}
	switch kind := http.DetectContentType(raw); kind {
	case "image/bmp", "audio/mpeg": // texts also begin with their signatures BM and ID3: "BM25 ranks…"
		return false
	default:
		return !strings.HasPrefix(kind, "text/")
	}
}

// isDamagedUTF8 reports whether content has more characters of three or four bytes in UTF-8 than
// invalid bytes. In GBK nearly every Chinese character has invalid bytes.
func isDamagedUTF8(raw []byte) bool {
	valid, invalid := 0, 0
	for len(raw) > 0 {
		r, n := utf8.DecodeRune(raw)
		switch {
		case n > 2:
			valid++
		case r == utf8.RuneError:
			invalid++
		}
		raw = raw[n:]
	}
	return valid > invalid
}

// isGBK reports whether content that is not UTF-8 is Chinese text in GBK or GB18030. Most of its
// characters have two bytes and are common: those of GB 2312, and of its Chinese characters the
// 3,755 of level 1. Other encodings, decoded as GBK, have mostly rare characters.
func isGBK(raw []byte) bool {
	const commonShare = 0.7
	pairs, standard, common, characters := 0, 0, 0, 0
	for i := 0; i < len(raw); {
		switch {
		case raw[i] < utf8.RuneSelf:
			i++
			continue
		case raw[i] == 0x80 || raw[i] == 0xff || i+1 == len(raw):
			return false
		case '0' <= raw[i+1] && raw[i+1] <= '9': // four bytes, of GB18030
			i += 4
			continue
		case raw[i+1] < 0x40 || raw[i+1] == 0x7f || raw[i+1] == 0xff:
			return false
		}
		pairs++
		if raw[i] >= 0xa1 && raw[i+1] >= 0xa1 {
			standard++
		}
		if raw[i] >= 0xb0 {
			characters++
			if raw[i] <= 0xd7 && raw[i+1] >= 0xa1 {
				common++
			}
		}
		i += 2
	}
	return characters > 0 && float64(standard) >= commonShare*float64(pairs) &&
		float64(common) >= commonShare*float64(characters)
}
