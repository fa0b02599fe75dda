package wire

import (
	"time"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// taskAnswer says how a task is.
type taskAnswer struct {
	RequestID string     `json:"request_id"`
	Output    taskOutput `json:"output"`
	Usage     any        `json:"usage,omitempty"`
}

// taskOutput is a task; it failed with a code, or has results, or choices where
// it was asked for by messages.
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

// AppendCreated answers that a task was created.
func (c *Call) AppendCreated(b []byte, id string) []byte {
	b = jsontext.AppendField(append(b, `{"output":{`...), "task_id", id)
	b = append(b, `,"task_status":"PENDING"},`...)
	return append(jsontext.AppendField(b, "request_id", c.requestID()), '}')
}

// AppendTask answers how a task is at now; nil is an unknown one.
func (c *Call) AppendTask(b []byte, k *Task, now time.Time) []byte {
	a := taskAnswer{RequestID: c.requestID(), Output: taskOutput{TaskID: c.Place.ID, Status: "UNKNOWN"}}
	out := &a.Output
	if k != nil {
		out.Status = k.status(now)
	}
	switch out.Status {
	case "PENDING":
		out.Submitted = beijingTime(k.created)
	case "RUNNING":
		out.Submitted, out.Scheduled = beijingTime(k.created), beijingTime(k.Scheduled)
		out.Metrics = &taskMetrics{Total: k.n}
	case "FAILED":
		failed := nativeError(Broken)
		out.Code, out.Message = failed.Code, failed.Message
	case "SUCCEEDED":
		out.Submitted, out.Scheduled, out.Ended = beijingTime(k.created), beijingTime(k.Scheduled), beijingTime(k.End)
		out.Metrics = &taskMetrics{Total: k.n, Succeeded: k.n}
		a.Usage = taskUsage{Images: k.n}
		if k.large == nil {
			out.Results = c.results(k)
			break
		}
		out.Choices, a.Usage = c.imageChoices(k.seed, k.n, k.End), k.large
	}
	return appendJSON(b, a)
}

// results are the pictures of a task that was asked for by a prompt, which is
// told as given and as improved.
func (c *Call) results(k *Task) (list []taskResult) {
	for i := range k.n {
		r := taskResult{OrigPrompt: k.prompt, URL: c.imageURL(k.seed, i, k.End)}
		if k.extend && k.prompt != "" {
			r.ActualPrompt = extended(k.prompt)
		}
		list = append(list, r)
	}
	return list
}

// extended is the prompt as the provider would improve it.
func extended(prompt string) string {
	if model.IsChinese(prompt) {
		return prompt + "，画面主体突出，光线自然柔和，细节清晰"
	}
	return prompt + ", prominent subject, soft natural light, fine detail"
}

// beijing is the zone of DashScope's times, which name none.
var beijing = time.FixedZone("CST", 8*60*60)

func beijingTime(t time.Time) string { return t.In(beijing).Format("2006-01-02 15:04:05.000") }

// AppendCanceled answers that a task was cancelled.
func (c *Call) AppendCanceled(b []byte) []byte {
	return append(jsontext.AppendField(append(b, '{'), "request_id", c.requestID()), '}')
}

// NotCanceled refuses to cancel a task that no longer waits.
func NotCanceled() *model.Refusal {
	return native(400, "UnsupportedOperation", "Failed to cancel the task, please confirm if the task is in PENDING status.")
}
