package transport

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// serverRequest returns the client's request in the form in which a server would read it from the
// network.
func serverRequest(ctx context.Context, req *http.Request) *http.Request {
	r := req.Clone(ctx)
	r.URL = &url.URL{
		Path:       req.URL.Path,
		RawPath:    req.URL.RawPath,
		RawQuery:   req.URL.RawQuery,
		ForceQuery: req.URL.ForceQuery,
	}
	if r.URL.Path == "" {
		r.URL.Path = "/"
	}
	r.RequestURI = req.URL.RequestURI()
	r.RemoteAddr = "127.0.0.1:1"
	r.Proto = "HTTP/1.1"
	r.ProtoMajor = 1
	r.ProtoMinor = 1
	r.GetBody, r.Response = nil, nil
	if r.Method == "" {
		r.Method = http.MethodGet
	}
	if r.Host == "" {
		r.Host = req.URL.Host
	}
	setTransferEncoding(r)
	if r.Header == nil {
		r.Header = http.Header{}
	}
	if asksForGzip(req) {
		r.Header.Set("Accept-Encoding", "gzip")
	}
	if agent, ok := req.Header["User-Agent"]; !ok {
		r.Header.Set("User-Agent", "Go-http-client/1.1")
	} else if len(agent) == 0 || agent[0] == "" {
		r.Header.Del("User-Agent")
	}
	if r.ContentLength > 0 || r.ContentLength == 0 && sendsZero(r.Method) {
		r.Header.Set("Content-Length", strconv.FormatInt(r.ContentLength, 10))
	}
	return r
}

// setTransferEncoding sets the transfer encoding of a request: chunked for a body of unknown
// length.
func setTransferEncoding(r *http.Request) {
	switch {
	case r.Body == nil || r.Body == http.NoBody:
		r.Body, r.ContentLength = http.NoBody, 0
	case r.ContentLength <= 0:
		r.ContentLength, r.TransferEncoding = -1, []string{"chunked"}
	}
}

// sendsZero reports whether net/http sends Content-Length: 0 for a request with this method and no
// body.
func sendsZero(method string) bool {
	return method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch
}

// asksForGzip reports whether net/http would request gzip for this request and decompress the
// response itself.
func asksForGzip(req *http.Request) bool {
	return req.Header.Get("Accept-Encoding") == "" && req.Header.Get("Range") == "" && req.Method != http.MethodHead
}

func isGzip(h http.Header) bool { return strings.EqualFold(h.Get("Content-Encoding"), "gzip") }
