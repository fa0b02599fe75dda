// Package door keeps out what web pages of others send by way of their readers'
// browsers: requests for a host that is not this one, whose name was made to lead here
// (DNS rebinding), and requests of other origins.
package door

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// anyone stands for every host or origin.
const anyone = "*"

// HostGuard lets in what comes for this machine, from no page or one of its own. Make it
// with New.
type HostGuard struct {
	hosts   []string
	origins []string
	cross   *http.CrossOriginProtection
}

// Reason is what is wrong with a request.
type Reason int

// What may be.
const (
	ReasonNone   Reason = iota
	ReasonHost          // its host is no name of this machine
	ReasonOrigin        // it is of a page that may not ask
)

// New makes a door: hosts are further names of this machine, origins those of pages that
// may ask and read; "*" is any.
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
		if o == anyone {
			continue
		}
		if err := d.cross.AddTrustedOrigin(o); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Check finds a request from where it must not come, and tells the browser which origin
// may read the answer.
func (d *HostGuard) Check(h http.Header, r *http.Request) Reason {
	if !d.knows(r) {
		return ReasonHost
	}
	if len(d.origins) > 0 {
		h.Set("Vary", "Origin")
	}
	every := slices.Contains(d.origins, anyone)
	if !every {
		same := *r
		same.Method = http.MethodPost // to ask costs as much by GET
		if d.cross.Check(&same) != nil {
			return ReasonOrigin
		}
	}
	if origin := r.Header.Get("Origin"); every && origin != "" || slices.Contains(d.origins, origin) {
		h.Set("Access-Control-Allow-Origin", origin)
	}
	return ReasonNone
}

// knows tells whether the request is for a host that this is: the machine
// itself, the address that the connection has reached, or a name given.
func (d *HostGuard) knows(r *http.Request) bool {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = hostName(host)
	is := func(name string) bool { return name == anyone || name == host }
	if is("localhost") || host != "" && slices.ContainsFunc(d.hosts, is) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && (ip.IsLoopback() || ip == reached(r))
}

// reached is the address of the machine at which a request came in.
func reached(r *http.Request) netip.Addr {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return local.AddrPort().Addr().Unmap().WithZone("")
}
