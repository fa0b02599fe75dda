package door

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// CheckOrigin finds what no browser calls an origin, and so would let nobody in.
// Upper case is forgiven, and "*" is any.
func CheckOrigin(origin string) error {
	if origin == anyone {
		return nil
	}
	origin = strings.ToLower(origin)
	if err := http.NewCrossOriginProtection().AddTrustedOrigin(origin); err != nil {
		return err
	}
	u, err := url.Parse(origin)
	if err != nil {
		return err
	}
	if !plainName(u.Hostname()) {
		return fmt.Errorf("invalid origin %q: its host is no plain name; * alone is any, and other scripts are written as xn--", origin)
	}
	if port := u.Port(); u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" || strings.HasSuffix(u.Host, ":") {
		return fmt.Errorf("invalid origin %q: browsers leave this port out", origin)
	}
	return nil
}

// CheckHost finds what is more than a host's name or address, and so would let
// nobody in. "*" is any.
func CheckHost(name string) error {
	if name == anyone || plainName(hostName(name)) {
		return nil
	}
	return fmt.Errorf("%q is no name of a host, without scheme and port", name)
}

// plainName tells whether it is an address, or a name as it stands in a URL.
func plainName(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	other := func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-_.", r) }
	return host != "" && !strings.ContainsFunc(host, other)
}

// hostName is a host without port as names are compared: in lower case, without
// the dot of the root, and an IPv6 address in its short form without brackets.
func hostName(host string) string {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if inner, ok := strings.CutPrefix(host, "["); ok {
		host = strings.TrimSuffix(inner, "]")
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.String()
	}
	return host
}
