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

// mayChangeAnswer reports whether the provider's answer may have to be changed, so that it must not
// be compressed.
func (c *call) mayChangeAnswer() bool { return c.fault.Kind != "" || c.Route.Endpoint == wire.TaskPoll }

// changeAnswer injects the call's faults into the provider's answer.
func (c *call) changeAnswer(resp *http.Response) error {
	c.entry.Status = resp.StatusCode
	if c.slow.Kind != "" && c.slow.Delay == 0 { // makes the total ten times the provider's duration
		if err := clock.Sleep(c.ctx, 9*clock.Since(c.ctx, c.started)); err != nil {
			return err
		}
	}
	kind, isTask := c.proxy.tasks.find(c.Route)
	switch {
	case !isTask && c.fault.Kind == "":
		return nil
	case resp.StatusCode >= 300:
		if !isTask {
			c.noteNotApplied("the provider refused")
		}
		return nil
	case resp.Header.Get("Content-Encoding") != "":
		return fmt.Errorf("answers in the encoding %q, which was not requested", resp.Header.Get("Content-Encoding"))
	case isTask:
		c.entry.Faults = append(c.entry.Faults, string(kind))
		return changeWhole(resp, func(b []byte) ([]byte, error) { return setTaskState(b, kind) })
	}
	if t, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); t == "text/event-stream" {
		return c.changeStream(resp)
	}
	switch c.fault.Kind {
	case fault.StalledStream:
		return c.stallMidway(resp)
	case fault.ErrorInStream:
		return c.replaceByError(resp, wire.ServerError)
	case fault.TaskFailed, fault.TaskNeverEnds:
		return changeWhole(resp, c.storeTask)
	}
	return changeWhole(resp, c.corruptWhole)
}

// changeWhole replaces the body of an answer without streaming by the result of change.
func changeWhole(resp *http.Response, change func([]byte) ([]byte, error)) error {
	b, err := readBody(resp)
	if err != nil {
		return err
	}
	if b, err = change(b); err != nil {
		return err
	}
	setBody(resp, bytes.NewReader(b), int64(len(b)))
	return nil
}

// storeTask stores the id of the image task in an answer. Later polls of this task then return the
// fault.
func (c *call) storeTask(b []byte) ([]byte, error) {
	if id := taskID(b); id != "" {
		c.proxy.tasks.add(id, c.fault.Kind)
	} else {
		c.noteNotApplied("the answer names no task")
	}
	return b, nil
}

// corruptWhole applies the call's fault to the body of an answer without streaming.
func (c *call) corruptWhole(b []byte) ([]byte, error) {
	work, _ := c.proxy.cfg.Components.RoleOf(c.entry.Component)
	b, err := corruptAnswer(b, c.fault.Kind, work, c.seed)
	if errors.Is(err, errUnchanged) {
		c.noteNotApplied(err.Error())
		err = nil
	}
	return b, err
}

// changeStream applies the call's fault to a streamed answer.
func (c *call) changeStream(resp *http.Response) error {
	resp.ContentLength = -1
	resp.Header.Del("Content-Length")
	body, events := resp.Body, bufio.NewReader(resp.Body)
	replaceBody := func(r io.Reader) {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{r, body}
	}
	switch c.fault.Kind {
	case fault.TruncatedStream:
		replaceBody(&breakingStream{events: events, after: bytes.NewReader(nil)})
	case fault.StalledStream:
		replaceBody(&breakingStream{events: events, after: c.hangingReader()})
	case fault.ErrorInStream:
		b := c.AppendError([]byte("data: "), c.ErrorResponse(wire.ServerError))
		replaceBody(&breakingStream{events: events, after: bytes.NewReader(append(b, "\n\n"...))})
	case fault.MalformedJSON, fault.WrongSchema, fault.LowConfidence, fault.EmptyContent:
		if c.Route.Dialect == wire.DashScopeNative {
			c.noteNotApplied("a stream of this dialect is not rewritten")
			return nil
		}
		replaceBody(&lazyReader{make: func() ([]byte, error) {
			b, err := corruptStream(events, c.fault.Kind, c.seed)
			if errors.Is(err, errUnchanged) {
				c.noteNotApplied(err.Error())
				err = nil
			}
			return b, err
		}})
	default:
		c.noteNotApplied("a stream has nothing that it changes")
	}
	return nil
}

// readBody reads the whole body of an answer and closes it. An error reports a body that is too
// large to be changed.
func readBody(resp *http.Response) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxChanged+1))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return nil, err
	}
	if len(b) > maxChanged {
		return nil, fmt.Errorf("the answer has more than %d bytes, which is too much to be changed", maxChanged)
	}
	return b, nil
}

// setBody replaces the body of an answer. size is the length of the new body in bytes.
func setBody(resp *http.Response, body io.Reader, size int64) {
	resp.Body, resp.ContentLength = io.NopCloser(body), size
	resp.Header.Set("Content-Length", strconv.FormatInt(size, 10))
}

// replaceByError replaces the provider's answer by an error response in the format of the provider.
func (c *call) replaceByError(resp *http.Response, reason wire.ErrorReason) error {
	r := c.ErrorResponse(reason)
	b := c.AppendError(nil, r)
	err := resp.Body.Close()
	resp.StatusCode = r.Status
	resp.Status = ""
	c.entry.Status = r.Status
	resp.Header.Set("Content-Type", "application/json")
	setBody(resp, bytes.NewReader(b), int64(len(b)))
	return err
}

// stallMidway replaces the body of an answer by one that sends its first half and then blocks.
func (c *call) stallMidway(resp *http.Response) error {
	b, err := readBody(resp)
	if err != nil {
		return err
	}
	setBody(resp, io.MultiReader(bytes.NewReader(b[:len(b)/2]), c.hangingReader()), int64(len(b)))
	return nil
}

// hangingReader returns a reader that blocks until the client disconnects or neverAnswer has
// passed.
func (c *call) hangingReader() io.Reader {
	return readerFunc(func([]byte) (int, error) {
		if err := clock.Sleep(c.ctx, neverAnswer); err != nil {
			return 0, err
		}
		return 0, io.ErrUnexpectedEOF
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
