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

// allowedEndpoint is an address that --allow-endpoint permits a worker to contact.
type allowedEndpoint struct {
	scheme string // empty: any scheme
	host   string // lower-case name or IP address
	port   string // empty: any port
}

// parseAllowedEndpoint parses a value of --allow-endpoint: HOST, HOST:PORT or SCHEME://HOST[:PORT].
// An IPv6 address with a port requires brackets.
func parseAllowedEndpoint(text string) (a allowedEndpoint, err error) {
	invalid := fmt.Errorf("%q is not HOST, HOST:PORT or SCHEME://HOST:PORT (write an IPv6 address in brackets)", text)
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		scheme, rest = "", text
	}
	host, port := strings.TrimSuffix(rest, "/"), ""
	if name, number, err := net.SplitHostPort(host); err == nil {
		if n, err := strconv.ParseUint(number, 10, 16); err != nil || n == 0 {
			return a, invalid
		}
		host, port = name, number
	} else if inner, ok := strings.CutPrefix(host, "["); ok {
		if host, ok = strings.CutSuffix(inner, "]"); !ok || !strings.Contains(host, ":") {
			return a, invalid
		}
	}
	_, notIP := netip.ParseAddr(host)
	if host == "" || ok && scheme == "" || notIP != nil && strings.ContainsAny(host, ":/?#@[]$ \t\n") {
		return a, invalid
	}
	return allowedEndpoint{scheme: strings.ToLower(scheme), host: plainHost(host), port: port}, nil
}

// covers reports whether the allowed endpoint permits contact with an address. An address without a
// port has the default port of its scheme.
func (a allowedEndpoint) covers(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false
	}
	defaultValue := map[string]string{"http": "80", "https": "443", "redis": "6379", "rediss": "6379"}
	port := cmp.Or(u.Port(), defaultValue[u.Scheme])
	return plainHost(u.Hostname()) == a.host && (a.scheme == "" || a.scheme == u.Scheme) &&
		(a.port == "" || a.port == port)
}

// plainHost returns the canonical form of a host name or IP address, for comparisons.
func plainHost(host string) string {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().String()
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}
