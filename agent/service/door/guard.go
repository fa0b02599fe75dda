package door

import (
	"encoding/json"
	"mime"
	"net/http"
	"strings"
)

// Protect returns a handler that passes accepted requests to next. It answers rejected ones with an
// error in OpenAI's format, and adds CORS headers for allowed origins.
//
// It also rejects content types that a web page may send without a CORS preflight: text/plain
// always, and forms if a browser sends them. Programs may send forms, because curl -d does so by
// default and clients upload files.
func (d *HostGuard) Protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch d.Check(w.Header(), r) {
		case ReasonHost:
			refuse(w, http.StatusForbidden, "foreign_host",
				"requests for the host "+clip(r.Host)+" are refused: to allow it, restart with --allow-host")
			return
		case ReasonOrigin:
			refuse(w, http.StatusForbidden, "foreign_origin",
				"requests from web pages of other origins are refused: to allow one, restart with --allow-origin")
			return
		case ReasonNone:
		}
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			h := w.Header()
			h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
			h.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if kind := r.Header.Get("Content-Type"); needsNoPreflight(kind, isFromBrowser(r)) {
			refuse(w, http.StatusUnsupportedMediaType, "unsupported_media_type",
				"Content-Type must be application/json, not "+clip(kind))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func isFromBrowser(r *http.Request) bool {
	return r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != ""
}

func needsNoPreflight(contentType string, ofBrowser bool) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind, _, _ = strings.Cut(strings.ToLower(contentType), ";")
	}
	switch strings.TrimSpace(kind) {
	case "text/plain":
		return true
	case "application/x-www-form-urlencoded", "multipart/form-data":
		return ofBrowser
	}
	return false
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	type problem struct {
		Message string `json:"message"`
		Type    string `json:"type"`
		Code    string `json:"code"`
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// the client may have disconnected
	_ = json.NewEncoder(w).Encode(map[string]problem{"error": {message, "invalid_request_error", code}})
}

func clip(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), 100)], "")
}
