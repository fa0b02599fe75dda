package main

import (
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// allowance is a place that a worker may contact.
type allowance struct {
	scheme string // "": any
	host   string // a name in lower case, or an IP address
	port   string // "": any
}

// parseAllowance reads HOST, HOST:PORT or SCHEME://HOST[:PORT]. An IPv6 address stands in
// brackets where a port follows.
func parseAllowance(text string) (a allowance, err error) {
	bad := fmt.Errorf("%q is not HOST, HOST:PORT or SCHEME://HOST:PORT (write an IPv6 address in brackets)", text)
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		scheme, rest = "", text
	}
	host, port := strings.TrimSuffix(rest, "/"), ""
	if name, number, err := net.SplitHostPort(host); err == nil {
		if n, err := strconv.ParseUint(number, 10, 16); err != nil || n == 0 {
			return a, bad
		}
		host, port = name, number
	} else if inner, ok := strings.CutPrefix(host, "["); ok {
		if host, ok = strings.CutSuffix(inner, "]"); !ok || !strings.Contains(host, ":") {
			return a, bad
		}
	}
	_, notIP := netip.ParseAddr(host)
	if host == "" || ok && scheme == "" || notIP != nil && strings.ContainsAny(host, ":/?#@[]$ \t\n") {
		return a, bad
	}
	return allowance{scheme: strings.ToLower(scheme), host: plainHost(host), port: port}, nil
}

// covers reports whether an address is of the place. Its port is the usual one of its scheme
// where it names none.
func (a allowance) covers(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false
	}
	defaultValue := map[string]string{"http": "80", "https": "443", "redis": "6379", "rediss": "6379"}
	port := cmp.Or(u.Port(), defaultValue[u.Scheme])
	return plainHost(u.Hostname()) == a.host && (a.scheme == "" || a.scheme == u.Scheme) && (a.port == "" || a.port == port)
}

// plainHost is the one spelling of a host.
func plainHost(host string) string {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().String()
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}
