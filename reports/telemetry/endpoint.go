package telemetry

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"evalctl/agent/secret"
)

// Environment variables of OpenTelemetry exporters for the address and the headers.
const (
	EndpointVar = "OTEL_EXPORTER_OTLP_ENDPOINT" // address of the collector
	headersVar  = "OTEL_EXPORTER_OTLP_HEADERS"
)

// fromEnv is the address text that selects the value of [EndpointVar].
const fromEnv = "env"

// Endpoint contains the address of a collector and the headers for requests to it.
type Endpoint struct {
	base    *url.URL
	headers http.Header
}

// ParseEndpoint parses the base address of a collector, to which exports append v1/traces and
// v1/metrics. The text "env" selects the address in the variable [EndpointVar]. It reads the
// headers from OTEL_EXPORTER_OTLP_HEADERS. It adds secrets in the address and the headers to
// secrets, so that they are redacted.
func ParseEndpoint(text string, getenv func(string) string, secrets *secret.Set) (Endpoint, error) {
	if text == fromEnv {
		if text = getenv(EndpointVar); text == "" {
			return Endpoint{}, errors.New(EndpointVar + " is not set")
		}
	}
	secrets.AddFromURL(text)
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return Endpoint{}, errors.New("is not an address") // without the original error, which contains the address
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return Endpoint{}, fmt.Errorf("%s: want http://HOST:PORT or https://HOST", secret.RedactURL(text))
	case u.RawQuery != "" || u.Fragment != "":
		return Endpoint{}, fmt.Errorf("%s: has a query or a fragment", secret.RedactURL(text))
	case strings.Contains(u.Path+"/", "/v1/traces/"), strings.Contains(u.Path+"/", "/v1/metrics/"):
		return Endpoint{}, fmt.Errorf("%s: leave out /v1/…, which is added", secret.RedactURL(text))
	}
	headers, err := parseHeaders(getenv(headersVar), secrets)
	return Endpoint{base: u, headers: headers}, err
}

// parseHeaders parses headers in the form name=value,name=value. Values are percent-encoded.
func parseHeaders(text string, secrets *secret.Set) (http.Header, error) {
	h := http.Header{}
	for i, pair := range strings.Split(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		plain, err := url.PathUnescape(strings.TrimSpace(value))
		name = strings.TrimSpace(name)
		if !ok || err != nil || name == "" || strings.ContainsAny(name+plain, "\r\n\x00") ||
			strings.ContainsAny(name, " :\t") {
			return nil, fmt.Errorf("%s: entry %d is not NAME=VALUE", headersVar, i+1)
		}
		secrets.Add(plain, strings.TrimSpace(value))
		// the key in a value such as "Bearer KEY" is a secret of its own
		if _, key, two := strings.Cut(plain, " "); two {
			secrets.Add(key)
		}
		h.Add(name, plain)
	}
	return h, nil
}

// signal returns the URL for a signal, which is "traces" or "metrics".
func (e Endpoint) signal(name string) string { return e.base.JoinPath("v1", name).String() }

// String returns the address without secrets.
func (e Endpoint) String() string { return secret.RedactURL(e.base.String()) }
