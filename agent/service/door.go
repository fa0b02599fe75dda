package service

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// anyone stands for every host or origin.
const anyone = "*"

// door keeps out what web pages of others send by way of their readers'
// browsers: requests for a host that is not this one, whose name was made to
// lead here (DNS rebinding), and requests of other origins.
type door struct {
	hosts   []string
	origins []string
	cross   *http.CrossOriginProtection
}

func newDoor(hosts, origins []string) (*door, error) {
	d := &door{cross: http.NewCrossOriginProtection()}
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

// check refuses a request from where it must not come, and tells the browser
// which origin may read the answer.
func (d *door) check(h http.Header, r *http.Request) *problem {
	if !d.knows(r) {
		return refuse(http.StatusForbidden, "FOREIGN_HOST", "%s is no name of this service", piece(r.Host))
	}
	if len(d.origins) > 0 {
		h.Set("Vary", "Origin")
	}
	every := slices.Contains(d.origins, anyone)
	if !every {
		same := *r
		same.Method = http.MethodPost // to ask costs as much by GET
		if d.cross.Check(&same) != nil {
			return foreign(r.Header.Get("Origin"))
		}
	}
	if origin := r.Header.Get("Origin"); every && origin != "" || slices.Contains(d.origins, origin) {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", "X-Session-Id, Retry-After")
	}
	return nil
}

func foreign(origin string) *problem {
	pages := "pages of other sites"
	if origin != "" {
		pages = "pages of " + piece(origin)
	}
	return refuse(http.StatusForbidden, "FOREIGN_ORIGIN", "%s may not ask here", pages)
}

// knows tells whether the request is for a host that this is: the machine
// itself, the address that the connection has reached, or a name given.
func (d *door) knows(r *http.Request) bool {
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

// isPreflight tells whether a browser asks beforehand what another origin may do.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// preflight answers for an origin that the door has let in.
func preflight(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", "GET, POST")
	h.Set("Access-Control-Allow-Headers", "Content-Type, Last-Event-ID")
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
}
