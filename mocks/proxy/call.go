package proxy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"slices"
	"strings"
	"time"

	"evalctl/agent/clock"
	"evalctl/mocks"
	"evalctl/mocks/cassette"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/random"
	"evalctl/mocks/wire"
)

// neverAnswer is how long a connection stays open when an injected timeout fault leaves a request
// unanswered.
const neverAnswer = 10 * time.Minute

// discard is the error log of httputil.ReverseProxy. The proxy's own log reports the same errors,
// without addresses.
var discard = log.New(io.Discard, "", 0)

// call is the state of one request that passes the proxy.
type call struct {
	wire.Call
	proxy   *Proxy
	w       http.ResponseWriter
	ctx     context.Context
	started time.Time
	seed    uint64
	fault   fault.Fault // the injected fault, except a delay; zero: none
	slow    fault.Fault
	entry   LogEntry
	redact  func(string) string // removes the client's API keys from a text
}

// call returns the state of a new request. It determines which component of the agent the request
// comes from.
func (p *Proxy) call(w http.ResponseWriter, r *http.Request) *call {
	place := routeOf(p.cfg.Target.Host,
		strings.TrimSuffix(p.cfg.Target.Path, "/")+"/"+strings.TrimPrefix(r.URL.Path, "/"))
	c := &call{
		proxy:   p,
		w:       w,
		ctx:     r.Context(),
		started: clock.Now(r.Context()),
		Call: wire.Call{
			Request: r,
			Route:   place,
			IDSeed:  random.Mix(p.cfg.Seed, p.serial.Add(1)),
			Memory:  &p.memory,
		},
		redact: cassette.CredentialRedactor(r.Header),
	}
	c.entry = LogEntry{Method: r.Method, Path: cassette.Redact(r.URL.EscapedPath(), c.redact)}
	role := place.Endpoint.Role()
	switch {
	case !place.Endpoint.IsComponentCall() || r.Method != place.Endpoint.HTTPMethod():
	case p.cfg.ComponentName != "" && role != component.Poll:
		c.entry.Component = p.cfg.ComponentName
	case role != "":
		c.entry.Component = p.cfg.Components.NameForRole(role)
	default:
		c.entry.Component = c.chatPart()
	}
	return c
}

// routeOf returns the route of a URL path. In addition to wire.ParsePath, it recognizes other
// providers whose API is compatible with OpenAI's by the end of the path.
func routeOf(host, path string) wire.Route {
	place := wire.ParsePath(host, path)
	if place.Endpoint != wire.UnknownEndpoint {
		return place
	}
	for suffix, e := range map[string]wire.Endpoint{"/chat/completions": wire.ChatCompletions,
		"/embeddings": wire.Embeddings} {
		if strings.HasSuffix(path, suffix) {
			return wire.Route{Dialect: wire.OpenAI, Endpoint: e}
		}
	}
	return place
}

// chatPart returns the component that a chat request comes from, derived from its content. It reads
// the body and restores it for forwarding.
func (c *call) chatPart() string {
	body, read := c.Request.Body, &bytes.Buffer{}
	c.Request.Body = io.NopCloser(io.TeeReader(body, read))
	b, ok := c.chat()
	c.Request.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(read, body), body}
	parts := c.proxy.cfg.Components
	if !ok {
		return parts.NameForRole(component.Chat)
	}
	c.Model = b.Model
	req := b.ModelRequest()
	req.Role = b.GuessRole(&req)
	req.ComponentName = parts.NameForRole(req.Role)
	if c.proxy.cfg.ComponentOfPrompt != nil {
		matched := c.proxy.cfg.ComponentOfPrompt(req)
		if role, _ := parts.RoleOf(matched); role.IsChatModel() {
			return matched
		}
	}
	return req.ComponentName
}

// chat decodes the body of a chat request. ok is false for an invalid request. It is forwarded
// nevertheless, so that the provider rejects it.
func (c *call) chat() (b *wire.ChatBody, ok bool) {
	if c.Route.Endpoint == wire.TextGeneration {
		var t wire.TextGenerationBody
		if c.Decode(&t) != nil {
			return nil, false
		}
		b, refused := c.ToChatBody(&t)
		return b, refused == nil
	}
	b = &wire.ChatBody{}
	return b, c.Decode(b) == nil
}

// applyFault handles faults for which the provider is not called, such as an error response or a
// timeout. It reports whether the call is finished.
func (c *call) applyFault() bool {
	if c.slow.Delay > 0 && clock.Sleep(c.ctx, c.slow.Delay) != nil {
		return true
	}
	if reason, ok := wire.ReasonForFault(c.fault.Kind); ok {
		if c.fault.Kind == fault.RateLimited {
			c.w.Header().Set("Retry-After", wire.FormatRetryAfter(c.RetryAfter))
		}
		c.refuse(reason)
		return true
	}
	switch {
	case c.fault.Kind == fault.Timeout:
		c.hang()
	case c.fault.Kind == fault.Reset:
		fault.DropConnection(c.w)
	case c.Route.Endpoint == wire.ImagesSync && c.fault.Kind == fault.TaskFailed:
		c.refuse(wire.ServerError)
	case c.Route.Endpoint == wire.ImagesSync && c.fault.Kind == fault.TaskNeverEnds:
		if clock.Sleep(c.ctx, mocks.SyncImageTimeout) == nil {
			c.refuse(wire.TimedOut)
		}
	default:
		return false
	}
	return true
}

// hang sends nothing until the client disconnects, or until neverAnswer has passed and the
// connection is closed.
func (c *call) hang() {
	if clock.Sleep(c.ctx, neverAnswer) == nil {
		panic(http.ErrAbortHandler) // makes net/http close the connection
	}
}

// refuse sends an error response in the format of the provider.
func (c *call) refuse(reason wire.ErrorReason) {
	r := c.ErrorResponse(reason)
	c.entry.Status = r.Status
	c.w.Header().Set("Content-Type", "application/json")
	c.SetHeaders(c.w.Header())
	c.w.WriteHeader(r.Status)
	_, _ = c.w.Write(c.AppendError(nil, r)) // a failed write only means that the client has disconnected
}

// rejectUnforwardable answers requests that must not be forwarded: those that are too large, and
// those that this proxy has sent itself (a loop). It reports whether the call is finished.
func (c *call) rejectUnforwardable() bool {
	switch {
	case c.Request.ContentLength > wire.MaxBodyBytes:
		c.sendProxyError(http.StatusRequestEntityTooLarge, errTooLarge)
	case strings.Contains(strings.Join(c.Request.Header["Via"], ","), c.proxy.name):
		c.sendProxyError(http.StatusLoopDetected, errors.New("the provider's address leads back to the proxy"))
	default:
		return false
	}
	return true
}

var errTooLarge = fmt.Errorf("the request has more than %d bytes", wire.MaxBodyBytes)

// sendProxyError sends an error of the proxy itself, as opposed to an error of the provider.
func (c *call) sendProxyError(status int, err error) {
	c.setNote(err.Error())
	c.entry.Status, c.entry.Faults = status, nil
	c.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	c.w.WriteHeader(status)
	// a failed write only means that the client has disconnected
	_, _ = io.WriteString(c.w, "evalctl proxy: "+err.Error()+"\n")
}

// rewrite prepares the request for forwarding to the provider. Except for the Via header and the
// encoding, it stays unchanged.
func (c *call) rewrite(r *httputil.ProxyRequest) {
	r.SetURL(c.proxy.cfg.Target)
	r.Out.Host = c.proxy.cfg.Target.Host
	r.Out.Header.Add("Via", "1.1 "+c.proxy.name)
	if c.mayChangeAnswer() {
		r.Out.Header.Set("Accept-Encoding", "identity") // an answer that may be changed must not be compressed
	}
}

// sendUnreachable answers the client when the provider cannot be reached or the request is too
// large.
func (c *call) sendUnreachable(_ http.ResponseWriter, _ *http.Request, err error) {
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		c.sendProxyError(http.StatusRequestEntityTooLarge, errTooLarge)
		return
	}
	c.sendProxyError(http.StatusBadGateway, errors.New("the provider did not answer"))
	c.setNote("the provider: " + err.Error())
}

// setNote sets the note in the log entry. Keys are redacted, because a provider may repeat them in
// errors.
func (c *call) setNote(text string) { c.entry.Note = cassette.Redact(text, c.redact) }

// noteNotApplied removes the fault from the log entry and notes the reason why it was not injected.
func (c *call) noteNotApplied(reason string) {
	c.entry.Faults = slices.DeleteFunc(c.entry.Faults, func(f string) bool { return f == c.fault.String() })
	c.setNote(c.fault.String() + " was not applied: " + reason)
}

func (c *call) log() {
	c.entry.Duration = clock.Since(c.ctx, c.started)
	c.proxy.cfg.Log(c.entry)
}
