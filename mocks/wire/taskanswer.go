package wire

import (
	"time"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// taskAnswer is the answer to a request for the state of an image task.
type taskAnswer struct {
	RequestID string     `json:"request_id"`
	Output    taskOutput `json:"output"`
	Usage     any        `json:"usage,omitempty"`
}

// taskOutput is the state of an image task. A failed task has a code. A finished task has results,
// or choices if it was created from messages.
type taskOutput struct {
	TaskID    string        `json:"task_id"`
	Status    string        `json:"task_status"`
	Code      string        `json:"code,omitempty"`
	Message   string        `json:"message,omitempty"`
	Submitted string        `json:"submit_time,omitempty"`
	Scheduled string        `json:"scheduled_time,omitempty"`
	Ended     string        `json:"end_time,omitempty"`
	Choices   []imageChoice `json:"choices,omitempty"`
	Results   []taskResult  `json:"results,omitempty"`
	Metrics   *taskMetrics  `json:"task_metrics,omitempty"`
}

type taskResult struct {
	OrigPrompt   string `json:"orig_prompt,omitempty"`
	ActualPrompt string `json:"actual_prompt,omitempty"`
	URL          string `json:"url"`
}

type taskMetrics struct {
	Total     int `json:"TOTAL"`
	Succeeded int `json:"SUCCEEDED"`
	Failed    int `json:"FAILED"`
}

type taskUsage struct {
	Images int `json:"image_count"`
}

// AppendTaskCreated appends the answer to a request that has created an image task.
func (c *Call) AppendTaskCreated(b []byte, id string) []byte {
	b = jsontext.AppendStringField(append(b, `{"output":{`...), "task_id", id)
	b = append(b, `,"task_status":"PENDING"},`...)
	return append(jsontext.AppendStringField(b, "request_id", c.requestID()), '}')
}

// AppendTask appends the answer to a request for the state of an image task at the time now. If k
// is nil, the task is unknown.
func (c *Call) AppendTask(b []byte, k *Task, now time.Time) []byte {
	a := taskAnswer{RequestID: c.requestID(), Output: taskOutput{TaskID: c.Route.ID, Status: "UNKNOWN"}}
	out := &a.Output
	if k != nil {
		out.Status = k.status(now)
	}
	switch out.Status {
	case "PENDING":
		out.Submitted = beijingTime(k.created)
	case "RUNNING":
		out.Submitted, out.Scheduled = beijingTime(k.created), beijingTime(k.StartTime)
		out.Metrics = &taskMetrics{Total: k.n}
	case "FAILED":
		failed := nativeError(ServerError)
		out.Code, out.Message = failed.Code, failed.Message
	case "SUCCEEDED":
		out.Submitted, out.Scheduled, out.Ended = beijingTime(k.created), beijingTime(k.StartTime),
			beijingTime(k.EndTime)
		out.Metrics = &taskMetrics{Total: k.n, Succeeded: k.n}
		a.Usage = taskUsage{Images: k.n}
		if k.messageUsage == nil {
			out.Results = c.results(k)
			break
		}
		out.Choices, a.Usage = c.imageChoices(k.seed, k.n, k.EndTime), k.messageUsage
	}
	return appendJSON(b, a)
}

// results returns the images of a task that was created from a prompt. Each has the original prompt
// and the prompt as the provider has extended it.
func (c *Call) results(k *Task) (list []taskResult) {
	for i := range k.n {
		r := taskResult{OrigPrompt: k.prompt, URL: c.imageURL(k.seed, i, k.EndTime)}
		if k.extendPrompt && k.prompt != "" {
			r.ActualPrompt = extendPrompt(k.prompt)
		}
		list = append(list, r)
	}
	return list
}

// extendPrompt returns the prompt with an addition, as the provider's prompt extension would make.
func extendPrompt(prompt string) string {
	if model.IsChinese(prompt) {
		return prompt + "，画面主体突出，光线自然柔和，细节清晰"
	}
	return prompt + ", prominent subject, soft natural light, fine detail"
}

// beijing is the time zone of DashScope's timestamps, which contain no zone.
var beijing = time.FixedZone("CST", 8*60*60)

func beijingTime(t time.Time) string { return t.In(beijing).Format("2006-01-02 15:04:05.000") }

// AppendTaskCanceled appends the answer to a request that has canceled a task.
func (c *Call) AppendTaskCanceled(b []byte) []byte {
	return append(jsontext.AppendStringField(append(b, '{'), "request_id", c.requestID()), '}')
}

// NotCancelable returns the error response for canceling a task that is no longer pending.
func NotCancelable() *model.ErrorResponse {
	return nativeRefusalOf(400, "UnsupportedOperation",
		"Failed to cancel the task, please confirm if the task is in PENDING status.")
}
