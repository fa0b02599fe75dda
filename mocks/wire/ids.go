package wire

import (
	"strconv"

	"evalctl/agent/clock"
	"evalctl/mocks/random"
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
	d := random.Rand{Seed: seed}
	x := d.Uint64()
	for i := range letters {
		if i%10 == 9 {
			x = d.Uint64()
		}
		b = append(b, base62[x%62])
		x /= 62
	}
	return b
}

// appendUUID appends a version 4 UUID derived from seed.
func appendUUID(b []byte, seed uint64) []byte {
	hi, lo := random.Mix(seed, 1), random.Mix(seed, 2)
	b = append(appendHex(b, hi>>32, 8), '-')
	b = append(appendHex(b, hi>>16&0xffff, 4), '-', '4')
	b = append(appendHex(b, hi&0xfff, 3), '-')
	b = append(appendHex(b, lo>>48&0x3fff|0x8000, 4), '-')
	return appendHex(b, lo&0xffffffffffff, 12)
}

// appendChatID appends the id of a chat answer in the provider's format.
func (c *Call) appendChatID(b []byte) []byte {
	switch c.Route.Dialect {
	case DeepSeek:
		return appendUUID(b, c.IDSeed)
	case DashScope:
		return appendUUID(append(b, "chatcmpl-"...), c.IDSeed)
	case Ark:
		return c.appendArkID(b)
	}
	return appendWord(append(b, "chatcmpl-"...), c.IDSeed, 29)
}

// appendArkID appends an id in Ark's format: "02", the time in milliseconds and 32 hexadecimal
// digits.
func (c *Call) appendArkID(b []byte) []byte {
	b = append(b, '0', '2')
	b = strconv.AppendInt(b, clock.Now(c.Request.Context()).UnixMilli(), 10)
	b = appendHex(b, random.Mix(c.IDSeed, 3), 16)
	return appendHex(b, random.Mix(c.IDSeed, 4), 16)
}

// requestID returns the id of the request that the provider sends in errors and headers.
func (c *Call) requestID() string {
	switch c.Route.Dialect {
	case OpenAI:
		return "req_" + string(appendHex(appendHex(nil, random.Mix(c.IDSeed, 5), 16), random.Mix(c.IDSeed, 6), 16))
	case Ark:
		return string(c.appendArkID(nil))
	}
	return string(appendUUID(nil, random.Mix(c.IDSeed, 5)))
}

// toolCallID returns the id of the i-th tool call in the provider's format.
func (c *Call) toolCallID(i int) string {
	seed := random.Mix(c.IDSeed, uint64(i)+10)
	switch c.Route.Dialect {
	case DeepSeek:
		b := append([]byte("call_0"), byte('0'+i%10), '_')
		return string(appendWord(b, seed, 24))
	case OpenAI:
		return string(appendWord([]byte("call_"), seed, 24))
	}
	return string(appendHex([]byte("call_"), seed, 16))
}
