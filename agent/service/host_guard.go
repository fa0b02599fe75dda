package service

import (
	"net/http"

	"evalctl/agent/service/door"
)

// checkOrigin rejects requests to a host name that is not allowed, and requests from web pages of
// other origins. For accepted requests, it sets the CORS headers of the response.
func (s *Service) checkOrigin(h http.Header, r *http.Request) *problem {
	switch s.guard.Check(h, r) {
	case door.ReasonHost:
		return newProblem(http.StatusForbidden, "HOST_NOT_ALLOWED", "%s is not a name of this service",
			quoteShort(r.Host))
	case door.ReasonOrigin:
		return foreignOrigin(r.Header.Get("Origin"))
	case door.ReasonNone:
	}
	if h.Get("Access-Control-Allow-Origin") != "" {
		h.Set("Access-Control-Expose-Headers", "X-Session-Id, Retry-After")
	}
	return nil
}

func foreignOrigin(origin string) *problem {
	pages := "pages of other sites"
	if origin != "" {
		pages = "pages of " + quoteShort(origin)
	}
	return newProblem(http.StatusForbidden, "ORIGIN_NOT_ALLOWED", "%s may not ask here", pages)
}

// isPreflight reports whether a browser sends this request to check whether a page may send the
// actual one (CORS preflight).
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

func preflight(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", "GET, POST")
	h.Set("Access-Control-Allow-Headers", "Content-Type, Last-Event-ID")
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
}
