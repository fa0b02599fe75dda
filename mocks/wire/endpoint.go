package wire

import "evalctl/mocks/component"

// Endpoint is what a path is for.
type Endpoint int

// The endpoints.
const (
	Nowhere Endpoint = iota
	ChatCompletions
	TextGeneration // DashScope's own
	Embeddings
	Models
	ImagesSync
	ImagesTask
	ImagesEdit
	ImagesMessages // tasks that are asked for by messages
	TaskPoll
	TaskList
	TaskCancel
	Pictures
	Retrievals
)

// Method is the one that the endpoint takes.
func (e Endpoint) Method() string {
	switch e {
	case Models, TaskPoll, TaskList, Pictures:
		return "GET"
	}
	return "POST"
}

// Works tells whether a part of an agent has its work done there.
func (e Endpoint) Works() bool { return e != Nowhere && e != Models && e != Pictures }

// Component is the one that an endpoint always works for; empty: none.
func (e Endpoint) Component() component.Component {
	switch e {
	case Embeddings:
		return component.Embedding
	case Retrievals:
		return component.Recall
	case ImagesSync, ImagesTask, ImagesEdit, ImagesMessages:
		return component.Image
	case TaskPoll, TaskList, TaskCancel:
		return component.Poll
	}
	return ""
}
