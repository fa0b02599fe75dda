package wire

import "evalctl/mocks/component"

// Endpoint is the operation that a path addresses.
type Endpoint int

const (
	UnknownEndpoint Endpoint = iota
	ChatCompletions
	TextGeneration // DashScope native
	Embeddings
	WebSearch
	Models
	ImagesSync
	ImagesTask
	ImagesEdit
	ImagesMessages // image tasks with messages instead of a prompt
	TaskPoll
	TaskList
	TaskCancel
	Images
	Retrievals
)

// Method returns the HTTP method of the endpoint.
func (e Endpoint) Method() string {
	switch e {
	case Models, TaskPoll, TaskList, Images:
		return "GET"
	}
	return "POST"
}

// HasComponent reports whether requests to the endpoint belong to a part of an agent.
func (e Endpoint) HasComponent() bool { return e != UnknownEndpoint && e != Models && e != Images }

// Component returns the role that always uses the endpoint; empty: not fixed.
func (e Endpoint) Component() component.Role {
	switch e {
	case Embeddings:
		return component.Embedding
	case Retrievals:
		return component.RoleRetrieval
	case ImagesSync, ImagesTask, ImagesEdit, ImagesMessages:
		return component.Image
	case TaskPoll, TaskList, TaskCancel:
		return component.Poll
	case WebSearch:
		return component.RoleSearchEngine
	}
	return ""
}
