package mocks

import (
	"net/http"
	"time"

	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// sendReply sends the answers to a request without streaming, as one JSON body. It first waits for
// the simulated time of their generation.
func (c *call) sendReply(b *wire.ChatBody, answers []model.Answer) {
	first, chunkDelay := c.sampleLatency()
	total := first + chunkDelay*time.Duration(c.maxChunks(answers)) + answers[0].Delay
	if c.fault.Kind == fault.ErrorInStream {
		if c.sleep(total) {
			c.refuse(wire.ServerError, "")
		}
		return
	}
	buf := getBuffer()
	defer putBuffer(buf)
	out := c.AppendChatAnswer(*buf, b, answers)
	*buf = out
	c.record(http.StatusOK)
	headersSent, ok := c.waitFirstToken(total, "application/json", "\n")
	if !ok {
		return
	}
	if !headersSent {
		c.writeHeader(http.StatusOK, "application/json")
	}
	if c.fault.Kind == fault.StalledStream {
		c.write(out[:len(out)/2])
		c.flush()
		c.hang()
		return
	}
	c.write(out)
}

// maxChunks returns the number of chunks of the longest answer. It determines the duration, because
// a provider generates all choices in parallel.
func (c *call) maxChunks(answers []model.Answer) (n int) {
	for _, a := range answers {
		n = max(n, c.chunkCount(a.Reasoning)+c.chunkCount(a.Content))
	}
	return n
}
