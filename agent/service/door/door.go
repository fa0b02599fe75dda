// Package door blocks requests that web pages of other sites send through a user's browser:
// requests for a foreign host name that resolves to this machine (DNS rebinding), and requests from
// other origins.
package door

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// wildcard matches every host or origin.
const wildcard = "*"

// HostGuard accepts requests for this machine from programs and allowed pages. Create it with New.
type HostGuard struct {
	hosts   []string
	origins []string
	cross   *http.CrossOriginProtection
}

// Reason is why a request is rejected.
type Reason int

// The reasons.
const (
	ReasonNone   Reason = iota
	ReasonHost          // its host is not a name of this machine
	ReasonOrigin        // it comes from a page of another origin
)

// New creates a guard. hosts are additional names of this machine, origins those of pages with
// access; "*" is any.
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

// Check returns why a request is rejected, and sets the CORS headers of the answer.
func (d *HostGuard) Check(h http.Header, r *http.Request) Reason {
	if !d.isLocal(r) {
		return ReasonHost
	}
	if len(d.origins) > 0 {
		h.Set("Vary", "Origin")
	}
	every := slices.Contains(d.origins, wildcard)
	if !every {
		same := *r
		same.Method = http.MethodPost // a GET can be as expensive as a POST
		if d.cross.Check(&same) != nil {
			return ReasonOrigin
		}
	}
	if origin := r.Header.Get("Origin"); every && origin != "" || slices.Contains(d.origins, origin) {
		h.Set("Access-Control-Allow-Origin", origin)
	}
	return ReasonNone
}

// isLocal reports whether the host of the request is this machine, the local address of the
// connection, or a configured name.
func (d *HostGuard) isLocal(r *http.Request) bool {
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

// localAddr returns the local address of the request's connection.
func localAddr(r *http.Request) netip.Addr {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return local.AddrPort().Addr().Unmap().WithZone("")
}
