package mocks

import (
	"net/http"
	"strconv"
	"time"

	"evalctl/agent/clock"
)

const (
	hexDigits = "0123456789abcdef"
	base62    = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

func appendHex(b []byte, x uint64, digits int) []byte {
	for i := digits - 1; i >= 0; i-- {
		b = append(b, hexDigits[x>>(4*i)&15])
	}
	return b
}

func appendWord(b []byte, seed uint64, letters int) []byte {
	d := dice{state: seed}
	x := d.next()
	for i := range letters {
		if i%10 == 9 {
			x = d.next()
		}
		b = append(b, base62[x%62])
		x /= 62
	}
	return b
}

// appendUUID writes a version 4 UUID.
func appendUUID(b []byte, seed uint64) []byte {
	hi, lo := mix(seed, 1), mix(seed, 2)
	b = append(appendHex(b, hi>>32, 8), '-')
	b = append(appendHex(b, hi>>16&0xffff, 4), '-', '4')
	b = append(appendHex(b, hi&0xfff, 3), '-')
	b = append(appendHex(b, lo>>48&0x3fff|0x8000, 4), '-')
	return appendHex(b, lo&0xffffffffffff, 12)
}

// appendChatID writes the id of a chat answer as the dialect makes it.
func (c *call) appendChatID(b []byte) []byte {
	switch c.place.dialect {
	case DeepSeek:
		return appendUUID(b, c.id)
	case DashScope:
		return appendUUID(append(b, "chatcmpl-"...), c.id)
	case Ark:
		return c.appendArkID(b)
	}
	return appendWord(append(b, "chatcmpl-"...), c.id, 29)
}

// appendArkID writes 02, the time in milliseconds and a long hexadecimal.
func (c *call) appendArkID(b []byte) []byte {
	b = append(b, '0', '2')
	b = strconv.AppendInt(b, clock.Now(c.ctx).UnixMilli(), 10)
	b = appendHex(b, mix(c.id, 3), 16)
	return appendHex(b, mix(c.id, 4), 16)
}

// requestID is the id that errors and headers carry.
func (c *call) requestID() string {
	switch c.place.dialect {
	case OpenAI:
		return "req_" + string(appendHex(appendHex(nil, mix(c.id, 5), 16), mix(c.id, 6), 16))
	case Ark:
		return string(c.appendArkID(nil))
	}
	return string(appendUUID(nil, mix(c.id, 5)))
}

// providerHeaders sets the headers that a provider sends with every answer.
func (c *call) providerHeaders(h http.Header) {
	switch c.place.dialect {
	case OpenAI:
		c.openAIHeaders(h)
	case DashScope, Native:
		h["X-Request-Id"] = []string{c.requestID()}
	case Ark:
		if id := c.r.Header.Get("X-Client-Request-Id"); id != "" {
			h["X-Client-Request-Id"] = []string{id}
		}
	}
}

func (c *call) openAIHeaders(h http.Header) {
	v := [...]string{c.requestID(), "12", "2020-10-01", "org-mock", "10000", "2000000", "9999", "1999900", "6ms", "3ms"}
	h["X-Request-Id"] = v[0:1:1]
	h["Openai-Processing-Ms"] = v[1:2:2]
	h["Openai-Version"] = v[2:3:3]
	h["Openai-Organization"] = v[3:4:4]
	h["X-Ratelimit-Limit-Requests"] = v[4:5:5]
	h["X-Ratelimit-Limit-Tokens"] = v[5:6:6]
	if c.fault.Kind == RateLimited || c.fault.Kind == RateLimitedBare {
		v[6], v[8] = "0", c.retryAfter().String()
	}
	h["X-Ratelimit-Remaining-Requests"] = v[6:7:7]
	h["X-Ratelimit-Remaining-Tokens"] = v[7:8:8]
	h["X-Ratelimit-Reset-Requests"] = v[8:9:9]
	h["X-Ratelimit-Reset-Tokens"] = v[9:10:10]
}

// retryAfter is what a rate-limited client is told to wait.
func (c *call) retryAfter() time.Duration {
	if c.fault.Delay > 0 {
		return c.fault.Delay
	}
	return time.Second
}
