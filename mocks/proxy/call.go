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
	clean func(string) string // takes the keys of who asks out of a text
}

// call finds out whose request it is.
func (p *Proxy) call(w http.ResponseWriter, r *http.Request) *call {
	place := locate(p.cfg.To.Host, strings.TrimSuffix(p.cfg.To.Path, "/")+"/"+strings.TrimPrefix(r.URL.Path, "/"))
	c := &call{proxy: p, w: w, ctx: r.Context(), begin: clock.Now(r.Context()),
		Call:  wire.Call{Request: r, Place: place, ID: random.Mix(p.cfg.Seed, p.serial.Add(1)), Memory: &p.memory},
		clean: cassette.Credentials(r.Header)}
	c.told = Call{Method: r.Method, Path: cassette.Redact(r.URL.EscapedPath(), c.clean)}
	work := place.Endpoint.Component()
	switch {
	case !place.Endpoint.HasComponent() || r.Method != place.Endpoint.Method():
	case p.cfg.As != "" && work != component.Poll:
		c.told.Part = p.cfg.As
	case work != "":
		c.told.Part = p.cfg.Parts.ForRole(work)
	default:
		c.told.Part = c.speaker()
	}
	return c
}

// locate knows also the paths of those who speak OpenAI's format elsewhere.
func locate(host, path string) wire.Route {
	place := wire.ParsePath(host, path)
	if place.Endpoint != wire.UnknownEndpoint {
		return place
	}
	for suffix, e := range map[string]wire.Endpoint{"/chat/completions": wire.ChatCompletions, "/embeddings": wire.Embeddings} {
		if strings.HasSuffix(path, suffix) {
			return wire.Route{Dialect: wire.OpenAI, Endpoint: e}
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
	parts := c.proxy.cfg.Parts
	if !known {
		return parts.ForRole(component.Chat)
	}
	c.Model = b.Model
	req := b.View()
	req.Component = b.Component(&req)
	req.Part = parts.ForRole(req.Component)
	if c.proxy.cfg.MatchPrompt != nil {
		better := c.proxy.cfg.MatchPrompt(req)
		if work, _ := parts.Component(better); work.IsChatModel() {
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
		fault.DropConnection(c.w)
	case c.Place.Endpoint == wire.ImagesSync && c.fault.Kind == fault.TaskFailed:
		c.refuse(wire.Broken)
	case c.Place.Endpoint == wire.ImagesSync && c.fault.Kind == fault.TaskEndless:
		if clock.Sleep(c.ctx, mocks.SyncTimeout) == nil {
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

// isOurs refuses what nobody else need be asked of: a request past the bound, or one that
// this proxy has sent itself.
func (c *call) isOurs() bool {
	switch {
	case c.Request.ContentLength > wire.MaxBody:
		c.say(http.StatusRequestEntityTooLarge, errTooLarge)
	case strings.Contains(strings.Join(c.Request.Header["Via"], ","), c.proxy.name):
		c.say(http.StatusLoopDetected, errors.New("the provider's address leads back to the proxy"))
	default:
		return false
	}
	return true
}

var errTooLarge = fmt.Errorf("the request has more than %d bytes", wire.MaxBody)

// say answers with an error of the proxy's own.
func (c *call) say(status int, err error) {
	c.note(err.Error())
	c.told.Status, c.told.Faults = status, nil
	c.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	c.w.WriteHeader(status)
	_, _ = io.WriteString(c.w, "evalctl proxy: "+err.Error()+"\n") // nobody is left to tell when the client has gone
}

// rewrite sends the request on as it came.
func (c *call) rewrite(r *httputil.ProxyRequest) {
	r.SetURL(c.proxy.cfg.To)
	r.Out.Host = c.proxy.cfg.To.Host
	r.Out.Header.Add("Via", "1.1 "+c.proxy.name)
	if c.changes() {
		r.Out.Header.Set("Accept-Encoding", "identity") // it must be read
	}
}

// unreached is what a client sees of a provider that is not there.
func (c *call) unreached(_ http.ResponseWriter, _ *http.Request, err error) {
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		c.say(http.StatusRequestEntityTooLarge, errTooLarge)
		return
	}
	c.say(http.StatusBadGateway, errors.New("the provider did not answer"))
	c.note("the provider: " + err.Error())
}

// note says what else there is to know of the call, without keys: a provider may say them.
func (c *call) note(text string) { c.told.Note = cassette.Redact(text, c.clean) }

// spared says why the fault did not strike after all.
func (c *call) spared(why string) {
	c.told.Faults = slices.DeleteFunc(c.told.Faults, func(f string) bool { return f == c.fault.String() })
	c.note(c.fault.String() + " did not strike: " + why)
}

func (c *call) tell() {
	c.told.Duration = clock.Since(c.ctx, c.begin)
	c.proxy.cfg.Log(c.told)
}
