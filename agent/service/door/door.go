// Package door protects a local HTTP server from web pages of other sites in the user's browser. It
// rejects requests to a foreign host name that resolves to this machine (DNS rebinding), and
// requests from other origins.
package door

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

const wildcard = "*"

// HostGuard decides which requests a local server accepts: those of programs on this machine, and
// those of allowed web pages. Create it with New.
type HostGuard struct {
	hosts   []string
	origins []string
	cross   *http.CrossOriginProtection
}

// RejectReason is why HostGuard rejects a request.
type RejectReason int

// The reasons for a rejection; ReasonNone means accepted.
const (
	ReasonNone   RejectReason = iota
	ReasonHost                // the Host header is not a name of this machine
	ReasonOrigin              // a web page of another origin sent the request
)

// New returns a guard. hosts are additional names of this machine; origins are those of web pages
// that may send requests. "*" in a list allows all.
func New(hosts, origins []string) (*HostGuard, error) {
	d := &HostGuard{cross: http.NewCrossOriginProtection()}
	for _, host := range hosts {
		d.hosts = append(d.hosts, hostName(host))
	}
	for _, o := range origins {
		if err := CheckOrigin(o); err != nil {
			return nil, err
		}
		o = strings.ToLower(o)
		d.origins = append(d.origins, o)
		if o == wildcard {
			continue
		}
		if err := d.cross.AddTrustedOrigin(o); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Check returns why a request is rejected, or ReasonNone. For accepted requests it sets the CORS
// headers in h.
func (d *HostGuard) Check(h http.Header, r *http.Request) RejectReason {
	if !d.isAllowedHost(r) {
		return ReasonHost
	}
	if len(d.origins) > 0 {
		h.Set("Vary", "Origin")
	}
	every := slices.Contains(d.origins, wildcard)
	if !every {
		same := *r
		same.Method = http.MethodPost // a GET is checked like a POST, because it can cost as much
		if d.cross.Check(&same) != nil {
			return ReasonOrigin
		}
	}
	if origin := r.Header.Get("Origin"); every && origin != "" || slices.Contains(d.origins, origin) {
		h.Set("Access-Control-Allow-Origin", origin)
	}
	return ReasonNone
}

// isAllowedHost reports whether the Host header names this machine: localhost, a loopback address,
// the local address of the connection, or a name given to New.
func (d *HostGuard) isAllowedHost(r *http.Request) bool {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = hostName(host)
	is := func(name string) bool { return name == wildcard || name == host }
	if is("localhost") || host != "" && slices.ContainsFunc(d.hosts, is) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && (ip.IsLoopback() || ip == localAddr(r))
}

// localAddr returns the address of this machine at which the request arrived.
func localAddr(r *http.Request) netip.Addr {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return local.AddrPort().Addr().Unmap().WithZone("")
}
