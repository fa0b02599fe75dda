package proxy

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"

	"evalctl/agent/clock"
	"evalctl/mocks/fault"
	"evalctl/mocks/wire"
)

// changes reports whether the provider's answer may be changed.
func (c *call) changes() bool { return c.fault.Kind != "" || c.Place.Endpoint == wire.TaskPoll }

// change applies the faults to the provider's answer.
func (c *call) change(resp *http.Response) error {
	c.told.Status = resp.StatusCode
	if c.slow.Kind != "" && c.slow.Delay == 0 { // ten times the original duration
		if err := clock.Sleep(c.ctx, 9*clock.Since(c.ctx, c.begin)); err != nil {
			return err
		}
	}
	kind, isTask := c.proxy.tasks.find(c.Place)
	switch {
	case !isTask && c.fault.Kind == "":
		return nil
	case resp.StatusCode >= 300:
		if !isTask {
			c.spared("the provider refused")
		}
		return nil
	case resp.Header.Get("Content-Encoding") != "":
		return fmt.Errorf("answers in the encoding %q, which was not requested", resp.Header.Get("Content-Encoding"))
	case isTask:
		c.told.Faults = append(c.told.Faults, string(kind))
		return changeWhole(resp, func(b []byte) ([]byte, error) { return ended(b, kind) })
	}
	if t, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); t == "text/event-stream" {
		return c.changeStream(resp)
	}
	switch c.fault.Kind {
	case fault.StalledStream:
		return c.stall(resp)
	case fault.ErrorInStream:
		return c.replace(resp, wire.Broken)
	case fault.TaskFailed, fault.TaskEndless:
		return changeWhole(resp, c.remember)
	}
	return changeWhole(resp, c.spoil)
}

// changeWhole changes an answer without streaming.
func changeWhole(resp *http.Response, change func([]byte) ([]byte, error)) error {
	b, err := whole(resp)
	if err != nil {
		return err
	}
	if b, err = change(b); err != nil {
		return err
	}
	put(resp, bytes.NewReader(b), int64(len(b)))
	return nil
}

// remember stores the created task.
func (c *call) remember(b []byte) ([]byte, error) {
	if id := taskIn(b); id != "" {
		c.proxy.tasks.add(id, c.fault.Kind)
	} else {
		c.spared("the answer names no task")
	}
	return b, nil
}

// spoil applies the fault to a complete answer.
func (c *call) spoil(b []byte) ([]byte, error) {
	work, _ := c.proxy.cfg.Parts.Component(c.told.Part)
	b, err := spoiled(b, c.fault.Kind, work, c.seed)
	if errors.Is(err, errNothing) {
		c.spared(err.Error())
		err = nil
	}
	return b, err
}

// changeStream changes a streamed answer.
func (c *call) changeStream(resp *http.Response) error {
	resp.ContentLength = -1
	resp.Header.Del("Content-Length")
	body, events := resp.Body, bufio.NewReader(resp.Body)
	become := func(r io.Reader) {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{r, body}
	}
	switch c.fault.Kind {
	case fault.TruncatedStream:
		become(&broken{events: events, after: bytes.NewReader(nil)})
	case fault.StalledStream:
		become(&broken{events: events, after: c.silence()})
	case fault.ErrorInStream:
		b := c.AppendError([]byte("data: "), c.Refusal(wire.Broken))
		become(&broken{events: events, after: bytes.NewReader(append(b, "\n\n"...))})
	case fault.MalformedJSON, fault.WrongSchema, fault.LowConfidence, fault.EmptyContent:
		if c.Place.Dialect == wire.DashScopeNative {
			c.spared("a stream of this dialect is not rewritten")
			return nil
		}
		become(&later{make: func() ([]byte, error) {
			b, err := spoiledStream(events, c.fault.Kind, c.seed)
			if errors.Is(err, errNothing) {
				c.spared(err.Error())
				err = nil
			}
			return b, err
		}})
	default:
		c.spared("a stream has nothing that it changes")
	}
	return nil
}

// whole reads and closes the body.
func whole(resp *http.Response) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxChanged+1))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return nil, err
	}
	if len(b) > maxChanged {
		return nil, fmt.Errorf("the answer has more than %d bytes, which is too much to be changed", maxChanged)
	}
	return b, nil
}

// put replaces the body of an answer; size is in bytes.
func put(resp *http.Response, body io.Reader, size int64) {
	resp.Body, resp.ContentLength = io.NopCloser(body), size
	resp.Header.Set("Content-Length", strconv.FormatInt(size, 10))
}

// replace sends the provider's error instead of its answer.
func (c *call) replace(resp *http.Response, why wire.Reason) error {
	r := c.Refusal(why)
	b := c.AppendError(nil, r)
	err := resp.Body.Close()
	resp.StatusCode, resp.Status, c.told.Status = r.Status, "", r.Status
	resp.Header.Set("Content-Type", "application/json")
	put(resp, bytes.NewReader(b), int64(len(b)))
	return err
}

// stall sends half of an answer, then nothing.
func (c *call) stall(resp *http.Response) error {
	b, err := whole(resp)
	if err != nil {
		return err
	}
	put(resp, io.MultiReader(bytes.NewReader(b[:len(b)/2]), c.silence()), int64(len(b)))
	return nil
}

// silence returns a reader that blocks until the client disconnects or neverAnswer has passed.
func (c *call) silence() io.Reader {
	return readerFunc(func([]byte) (int, error) {
		if err := clock.Sleep(c.ctx, neverAnswer); err != nil {
			return 0, err
		}
		return 0, io.ErrUnexpectedEOF
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
