package wire

import (
	"net/url"
	"strconv"
	"time"

	"evalctl/mocks/model"
)

// taskPage is the answer to a request for the list of tasks: one page, newest first.
type taskPage struct {
	Total     int        `json:"total"`
	Data      []taskLine `json:"data"`
	TotalPage int        `json:"total_page"`
	PageNo    int        `json:"page_no"`
	PageSize  int        `json:"page_size"`
	RequestID string     `json:"request_id"`
}

// taskLine is one image task in DashScope's reply to a request that lists tasks. Times are in Unix
// milliseconds.
type taskLine struct {
	TaskID    string `json:"task_id"`
	Status    string `json:"status"`
	ModelName string `json:"model_name"`
	Region    string `json:"region"`
	RequestID string `json:"request_id"`
	Created   int64  `json:"gmt_create"`
	Started   int64  `json:"start_time,omitempty"`
	Ended     int64  `json:"end_time,omitempty"`
}

const (
	defaultPage = 10
	maxPage     = 100
)

// taskQuery contains the filters and the page of a request for the list of tasks.
type taskQuery struct {
	model, status string
	from, to      time.Time // range of the creation time; zero: no limit
	page, size    int
}

// AppendTasks appends the requested page of the list of tasks, or returns a refusal.
func (c *Call) AppendTasks(o []byte, tasks *Tasks, now time.Time) ([]byte, *model.ErrorResponse) {
	q, p := readTaskQuery(c.Request.URL.Query())
	if p != nil {
		return nil, p
	}
	page := taskPage{
		Data:      []taskLine{},
		PageNo:    q.page,
		PageSize:  q.size,
		RequestID: c.requestID(),
	}
	for _, k := range tasks.List(now) {
		line := k.line(now)
		if q.model != "" && q.model != line.ModelName || q.status != "" && q.status != line.Status ||
			!q.includes(k.created) {
			continue
		}
		if page.Total++; page.Total > (q.page-1)*q.size && len(page.Data) < q.size {
			page.Data = append(page.Data, line)
		}
	}
	page.TotalPage = (page.Total + q.size - 1) / q.size
	return appendJSON(o, page), nil
}

func (q *taskQuery) includes(t time.Time) bool {
	return (q.from.IsZero() || !t.Before(q.from)) && (q.to.IsZero() || !t.After(q.to))
}

func (k *Task) line(now time.Time) taskLine {
	l := taskLine{
		TaskID:    k.ID,
		Status:    k.status(now),
		ModelName: k.model,
		Region:    "cn-beijing",
		RequestID: k.requestID,
		Created:   k.created.UnixMilli(),
	}
	switch l.Status {
	case "SUCCEEDED", "FAILED":
		l.Started, l.Ended = k.StartTime.UnixMilli(), k.EndTime.UnixMilli()
	case "RUNNING":
		l.Started = k.StartTime.UnixMilli()
	}
	return l
}

func readTaskQuery(values url.Values) (q taskQuery, p *model.ErrorResponse) {
	q = taskQuery{
		model:  values.Get("model_name"),
		status: values.Get("status"),
		page:   1,
		size:   defaultPage,
	}
	for name, n := range map[string]*int{"page_no": &q.page, "page_size": &q.size} {
		text := values.Get(name)
		if text == "" {
			continue
		}
		given, err := strconv.Atoi(text)
		if err != nil || given < 1 || given > maxTasks || n == &q.size && given > maxPage {
			return q, badParameter(name + " is not valid: " + model.Excerpt(text))
		}
		*n = given
	}
	for name, t := range map[string]*time.Time{"start_time": &q.from, "end_time": &q.to} {
		text := values.Get(name)
		if text == "" {
			continue
		}
		given, err := time.ParseInLocation("20060102150405", text, beijing)
		if err != nil {
			return q, badParameter(name + " must be of the form YYYYMMDDhhmmss, got " + model.Excerpt(text))
		}
		*t = given
	}
	return q, nil
}
