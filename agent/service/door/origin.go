package door

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// CheckOrigin returns an error for a value that no browser sends as an origin. Upper case and "*"
// (any origin) are accepted.
func CheckOrigin(origin string) error {
	if origin == wildcard {
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
		return fmt.Errorf("invalid origin %q: its host is not a plain name; * alone is any, and other scripts are written as xn--", origin)
	}
	if port := u.Port(); u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" ||
		strings.HasSuffix(u.Host, ":") {
		return fmt.Errorf("invalid origin %q: browsers leave this port out", origin)
	}
	return nil
}

// CheckHost returns an error unless a value is a host name or IP address without scheme and port,
// or "*" (any host).
func CheckHost(name string) error {
	if name == wildcard || plainName(hostName(name)) {
		return nil
	}
	return fmt.Errorf("%q is not a name of a host, without scheme and port", name)
}

// plainName reports whether host is an IP address or contains only characters of a host name.
func plainName(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	other := func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-_.", r) }
	return host != "" && !strings.ContainsFunc(host, other)
}

// hostName returns a host in the form used for comparisons: lower case, without a final dot, and
// IPv6 addresses in short form without brackets.
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
