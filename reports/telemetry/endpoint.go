package telemetry

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"evalctl/agent/secret"
)

// The variables that OpenTelemetry's own exporters read.
const (
	EndpointVar = "OTEL_EXPORTER_OTLP_ENDPOINT"
	HeadersVar  = "OTEL_EXPORTER_OTLP_HEADERS"
)

// fromEnv is the text that stands for the address in EndpointVar.
const fromEnv = "env"

// Endpoint is a collector's address, and what it is shown.
type Endpoint struct {
	base    *url.URL
	headers http.Header
}

// ParseEndpoint reads the base address of a collector, below which are v1/traces and
// v1/metrics, or fromEnv; headers, such as a key, are those in HeadersVar. What of it
// nobody may see becomes one of secrets.
func ParseEndpoint(text string, getenv func(string) string, secrets *secret.Set) (Endpoint, error) {
	if text == fromEnv {
		if text = getenv(EndpointVar); text == "" {
			return Endpoint{}, errors.New(EndpointVar + " is not set")
		}
	}
	secrets.AddURL(text)
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return Endpoint{}, errors.New("is not an address") // the error would show it
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return Endpoint{}, fmt.Errorf("%s: want http://HOST:PORT or https://HOST", secret.RedactURL(text))
	case u.RawQuery != "" || u.Fragment != "":
		return Endpoint{}, fmt.Errorf("%s: has a query or a fragment", secret.RedactURL(text))
	case strings.Contains(u.Path+"/", "/v1/traces/"), strings.Contains(u.Path+"/", "/v1/metrics/"):
		return Endpoint{}, fmt.Errorf("%s: leave out /v1/…, which is added", secret.RedactURL(text))
	}
	headers, err := parseHeaders(getenv(HeadersVar), secrets)
	return Endpoint{base: u, headers: headers}, err
}

// parseHeaders reads name=value,name=value, with values escaped as in addresses.
func parseHeaders(text string, secrets *secret.Set) (http.Header, error) {
	h := http.Header{}
	for i, pair := range strings.Split(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		plain, err := url.PathUnescape(strings.TrimSpace(value))
		name = strings.TrimSpace(name)
		if !ok || err != nil || name == "" || strings.ContainsAny(name+plain, "\r\n\x00") || strings.ContainsAny(name, " :\t") {
			return nil, fmt.Errorf("%s: entry %d is not NAME=VALUE", HeadersVar, i+1)
		}
		secrets.Add(plain, strings.TrimSpace(value))
		if _, key, two := strings.Cut(plain, " "); two { // as in Bearer KEY
			secrets.Add(key)
		}
		h.Add(name, plain)
	}
	return h, nil
}

// signal is the address of traces or metrics.
func (e Endpoint) signal(name string) string { return e.base.JoinPath("v1", name).String() }

// String is the address without its secrets.
func (e Endpoint) String() string { return secret.RedactURL(e.base.String()) }
