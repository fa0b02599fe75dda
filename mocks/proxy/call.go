package proxy

import (
	"bytes"
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"strings"
	"time"

	"evalctl/agent/clock"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/random"
	"evalctl/mocks/wire"
)

// neverAnswer is how long a provider that hangs keeps the connection.
const neverAnswer = 10 * time.Minute

// discard is where package httputil says what the log says better, and without addresses.
var discard = log.New(io.Discard, "", 0)

// call is one request on its way.
type call struct {
	wire.Call
	proxy *Proxy
	w     http.ResponseWriter
	ctx   context.Context
	begin time.Time
	seed  uint64
	fault fault.Fault // the zero Fault: none
	slow  fault.Fault
	told  Call
}

// call finds out whose request it is.
func (p *Proxy) call(w http.ResponseWriter, r *http.Request) *call {
	place := locate(p.To.Host, strings.TrimSuffix(p.To.Path, "/")+"/"+strings.TrimPrefix(r.URL.Path, "/"))
	c := &call{proxy: p, w: w, ctx: r.Context(), begin: clock.Now(r.Context()),
		Call: wire.Call{Request: r, Place: place, ID: random.Mix(p.Seed, p.serial.Add(1)), Memory: &p.memory},
		told: Call{Method: r.Method, Path: r.URL.EscapedPath()}}
	work := place.Endpoint.Component()
	switch {
	case !place.Endpoint.Works() || r.Method != place.Endpoint.Method():
	case p.As != "" && work != component.Poll:
		c.told.Part = p.As
	case work != "":
		c.told.Part = p.Parts.Doing(work)
	default:
		c.told.Part = c.speaker()
	}
	return c
}

// locate knows also the paths of those who speak OpenAI's format elsewhere.
func locate(host, path string) wire.Place {
	place := wire.Locate(host, path)
	if place.Endpoint != wire.Nowhere {
		return place
	}
	for suffix, e := range map[string]wire.Endpoint{"/chat/completions": wire.ChatCompletions, "/embeddings": wire.Embeddings} {
		if strings.HasSuffix(path, suffix) {
			return wire.Place{Dialect: wire.OpenAI, Endpoint: e}
		}
	}
	return place
}

// speaker is the part that a chat request tells by what it asks. The body is read,
// and goes on as it came.
func (c *call) speaker() string {
	body, read := c.Request.Body, &bytes.Buffer{}
	c.Request.Body = io.NopCloser(io.TeeReader(body, read))
	b, known := c.chat()
	c.Request.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(read, body), body}
	parts := c.proxy.Parts
	if !known {
		return parts.Doing(component.Chat)
	}
	c.Model = b.Model
	req := b.View()
	req.Component = b.Component(&req)
	req.Part = parts.Doing(req.Component)
	if c.proxy.Recognise != nil {
		better := c.proxy.Recognise(req)
		if work, _ := parts.Component(better); work.Speaks() {
			return better
		}
	}
	return req.Part
}

// chat reads a chat request; what cannot be read is the provider's to refuse.
func (c *call) chat() (b *wire.ChatBody, ok bool) {
	if c.Place.Endpoint == wire.TextGeneration {
		var t wire.TextBody
		if c.Decode(&t) != nil {
			return nil, false
		}
		b, refused := c.Chat(&t)
		return b, refused == nil
	}
	b = &wire.ChatBody{}
	return b, c.Decode(b) == nil
}

// failed plays the faults that need no answer of the provider. It says true when
// the call is over.
func (c *call) failed() bool {
	if c.slow.Delay > 0 && clock.Sleep(c.ctx, c.slow.Delay) != nil {
		return true
	}
	if why, ok := wire.ReasonFor(c.fault.Kind); ok {
		if c.fault.Kind == fault.RateLimited {
			c.w.Header().Set("Retry-After", wire.RetryAfter(c.Limited))
		}
		c.refuse(why)
		return true
	}
	switch {
	case c.fault.Kind == fault.Timeout:
		c.hang()
	case c.fault.Kind == fault.Reset:
		fault.Drop(c.w)
	case c.Place.Endpoint == wire.ImagesSync && c.fault.Kind == fault.TaskFailed:
		c.refuse(wire.Broken)
	case c.Place.Endpoint == wire.ImagesSync && c.fault.Kind == fault.TaskEndless:
		if clock.Sleep(c.ctx, mocks.SyncPatience) == nil {
			c.refuse(wire.TimedOut)
		}
	default:
		return false
	}
	return true
}

// hang is silence until the client goes or the provider loses patience.
func (c *call) hang() {
	if clock.Sleep(c.ctx, neverAnswer) == nil {
		panic(http.ErrAbortHandler) // closes the connection
	}
}

// refuse answers with the provider's error for a reason.
func (c *call) refuse(why wire.Reason) {
	r := c.Refusal(why)
	c.told.Status = r.Status
	c.w.Header().Set("Content-Type", "application/json")
	c.SetHeaders(c.w.Header())
	c.w.WriteHeader(r.Status)
	_, _ = c.w.Write(c.AppendError(nil, r)) // nobody is left to tell when the client has gone
}

// rewrite sends the request on as it came.
func (c *call) rewrite(r *httputil.ProxyRequest) {
	r.SetURL(c.proxy.To)
	r.Out.Host = c.proxy.To.Host
	if c.changes() {
		r.Out.Header.Set("Accept-Encoding", "identity") // it must be read
	}
}

// unreached is what a client sees of a provider that is not there.
func (c *call) unreached(w http.ResponseWriter, _ *http.Request, err error) {
	c.note("the provider: " + err.Error())
	c.told.Status = http.StatusBadGateway
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusBadGateway)
	_, _ = io.WriteString(w, "evalctl proxy: the provider did not answer\n") // as above
}

func (c *call) note(text string) { c.told.Note = text }

func (c *call) tell() {
	c.told.Took = clock.Since(c.ctx, c.begin)
	c.proxy.Log(c.told)
}
