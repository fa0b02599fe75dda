package outbound

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"unicode"
)

// errInvalidURL is the error for an invalid URL. It does not contain the URL, which may include a
// password.
var errInvalidURL = errors.New("is not an http or https URL with a host")

// ParseURL parses the http or https URL of an endpoint. It is stricter than url.Parse: the whole
// text must be one URL, without spaces or control characters. The host must be a name or an IP
// address.
func ParseURL(text string) (*url.URL, error) {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		return nil, errInvalidURL
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || !HasValidHost(u) {
		return nil, errInvalidURL
	}
	return u, nil
}

// ParseSingleURL works like ParseURL, but also rejects text with a second "://", such as a list of
// URLs with the wrong separator.
func ParseSingleURL(text string) (*url.URL, error) {
	if strings.Count(text, "://") > 1 {
		return nil, errInvalidURL
	}
	return ParseURL(text)
}

// HasValidHost reports whether the host of a URL is a valid name or IP address.
func HasValidHost(u *url.URL) bool {
	name := u.Hostname()
	if strings.HasPrefix(u.Host, "[") {
		_, err := netip.ParseAddr(name)
		return err == nil
	}
	isOdd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !strings.ContainsRune(".-_", r)
	}
	return name != "" && !strings.HasSuffix(u.Host, ":") && // Hostname drops the colon of an empty port
		!strings.ContainsFunc(name, isOdd)
}
