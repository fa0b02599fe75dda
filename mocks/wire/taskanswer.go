package wire

import (
	"time"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// AppendCreated answers that a task was created.
func (c *Call) AppendCreated(b []byte, id string) []byte {
	b = jsontext.AppendField(append(b, `{"output":{`...), "task_id", id)
	b = append(b, `,"task_status":"PENDING"},`...)
	return append(jsontext.AppendField(b, "request_id", c.requestID()), '}')
}

// AppendTask answers how a task is at now; nil is an unknown one.
func (c *Call) AppendTask(b []byte, k *Task, now time.Time) []byte {
	b = jsontext.AppendField(append(b, '{'), "request_id", c.requestID())
	b = jsontext.AppendField(append(b, `,"output":{`...), "task_id", c.Place.ID)
	status := "UNKNOWN"
	if k != nil {
		status = k.status(now)
	}
	b = jsontext.AppendField(append(b, ','), "task_status", status)
	switch status {
	case "PENDING":
		b = appendTime(b, "submit_time", k.created)
	case "RUNNING":
		b = appendTime(b, "submit_time", k.created)
		b = appendTime(b, "scheduled_time", k.Scheduled)
		b = appendMetrics(b, k.n, 0)
	case "FAILED":
		b = jsontext.AppendField(append(b, ','), "code", "InternalError.Algo")
		b = jsontext.AppendField(append(b, ','), "message", "An internal error has occurred during execution, please try again later.")
	case "SUCCEEDED":
		b = k.appendResults(b)
	}
	if status != "SUCCEEDED" {
		b = append(b, '}')
	}
	return append(b, '}')
}

// appendResults also closes the output and adds the usage.
func (k *Task) appendResults(o []byte) []byte {
	o = appendTime(o, "submit_time", k.created)
	o = appendTime(o, "scheduled_time", k.Scheduled)
	o = appendTime(o, "end_time", k.End)
	o = append(o, `,"results":[`...)
	for i := range k.n {
		if i > 0 {
			o = append(o, ',')
		}
		o = k.appendPrompts(append(o, '{'))
		o = append(jsontext.AppendField(o, "url", pictureURL(k.seed, i, k.End)), '}')
	}
	o = appendMetrics(append(o, ']'), k.n, k.n)
	return append(jsontext.AppendNumber(append(o, `},"usage":{`...), "image_count", k.n), '}')
}

// appendPrompts writes the prompt as given and as improved, where it is told.
func (k *Task) appendPrompts(o []byte) []byte {
	if k.prompt == "" {
		return o
	}
	o = append(jsontext.AppendField(o, "orig_prompt", k.prompt), ',')
	if k.extend {
		o = append(jsontext.AppendField(o, "actual_prompt", extended(k.prompt)), ',')
	}
	return o
}

// extended is the prompt as the provider would improve it.
func extended(prompt string) string {
	if model.IsChinese(prompt) {
		return prompt + "，画面主体突出，光线自然柔和，细节清晰"
	}
	return prompt + ", prominent subject, soft natural light, fine detail"
}

func appendMetrics(o []byte, total, succeeded int) []byte {
	o = jsontext.AppendNumber(append(o, `,"task_metrics":{`...), "TOTAL", total)
	o = jsontext.AppendNumber(append(o, ','), "SUCCEEDED", succeeded)
	return append(o, `,"FAILED":0}`...)
}

// beijing is the zone of DashScope's times, which name none.
var beijing = time.FixedZone("CST", 8*60*60)

func appendTime(o []byte, key string, t time.Time) []byte {
	return jsontext.AppendField(append(o, ','), key, t.In(beijing).Format("2006-01-02 15:04:05.000"))
}

// AppendCanceled answers that a task was cancelled.
func (c *Call) AppendCanceled(b []byte) []byte {
	return append(jsontext.AppendField(append(b, '{'), "request_id", c.requestID()), '}')
}

// NotCanceled refuses to cancel a task that no longer waits.
func NotCanceled() *model.Refusal {
	return native(400, "UnsupportedOperation", "Failed to cancel the task, please confirm if the task is in PENDING status.")
}
