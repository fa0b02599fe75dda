package mocks

import (
	"net/http"
	"time"

	"evalctl/agent/clock"
)

// poll tells how a task is; an unknown one is no error but UNKNOWN.
func (c *call) poll() {
	c.count(Poll)
	if c.failed() {
		return
	}
	if first, _ := c.wait(); !c.sleep(first) {
		return
	}
	now := clock.Now(c.ctx)
	k, ok := c.s.tasks.find(c.place.id, now)
	o := appendField([]byte{'{'}, "request_id", c.requestID())
	o = appendField(append(o, `,"output":{`...), "task_id", c.place.id)
	status := "UNKNOWN"
	if ok {
		status = k.status(now)
	}
	o = appendField(append(o, ','), "task_status", status)
	switch status {
	case "PENDING":
		o = appendTime(o, "submit_time", k.created)
	case "RUNNING":
		o = appendTime(o, "submit_time", k.created)
		o = appendTime(o, "scheduled_time", k.scheduled)
		o = appendMetrics(o, k.n, 0)
	case "FAILED":
		o = appendField(append(o, ','), "code", "InternalError.Algo")
		o = appendField(append(o, ','), "message", "An internal error has occurred during execution, please try again later.")
	case "SUCCEEDED":
		o = c.appendResults(o, &k)
	}
	if status != "SUCCEEDED" {
		o = append(o, '}')
	}
	c.answer(http.StatusOK, append(o, '}'))
}

// appendResults also closes the output and adds the usage.
func (c *call) appendResults(o []byte, k *task) []byte {
	o = appendTime(o, "submit_time", k.created)
	o = appendTime(o, "scheduled_time", k.scheduled)
	o = appendTime(o, "end_time", k.end)
	o = append(o, `,"results":[`...)
	for i := range k.n {
		if i > 0 {
			o = append(o, ',')
		}
		o = k.appendPrompts(append(o, '{'))
		o = append(appendField(o, "url", c.pictureURL(k.seed, i, k.end)), '}')
	}
	o = appendMetrics(append(o, ']'), k.n, k.n)
	return append(appendNumber(append(o, `},"usage":{`...), "image_count", k.n), '}')
}

// appendPrompts writes the prompt as given and as improved, where it is told.
func (k *task) appendPrompts(o []byte) []byte {
	if k.prompt == "" {
		return o
	}
	o = append(appendField(o, "orig_prompt", k.prompt), ',')
	if k.extend {
		o = append(appendField(o, "actual_prompt", extended(k.prompt)), ',')
	}
	return o
}

// extended is the prompt as the provider would improve it.
func extended(prompt string) string {
	if isChinese(prompt) {
		return prompt + "，画面主体突出，光线自然柔和，细节清晰"
	}
	return prompt + ", prominent subject, soft natural light, fine detail"
}

func appendMetrics(o []byte, total, succeeded int) []byte {
	o = appendNumber(append(o, `,"task_metrics":{`...), "TOTAL", total)
	o = appendNumber(append(o, ','), "SUCCEEDED", succeeded)
	return append(o, `,"FAILED":0}`...)
}

// beijing is the zone of DashScope's times, which name none.
var beijing = time.FixedZone("CST", 8*60*60)

func appendTime(o []byte, key string, t time.Time) []byte {
	return appendField(append(o, ','), key, t.In(beijing).Format("2006-01-02 15:04:05.000"))
}

// cancel cancels a task that still waits.
func (c *call) cancel() {
	c.count(Poll)
	if c.failed() {
		return
	}
	if !c.s.tasks.cancel(c.place.id, clock.Now(c.ctx)) {
		c.send(*native(400, "UnsupportedOperation", "Failed to cancel the task, please confirm if the task is in PENDING status."))
		return
	}
	c.answer(http.StatusOK, append(appendField([]byte{'{'}, "request_id", c.requestID()), '}'))
}
