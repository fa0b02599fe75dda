package wire

import "evalctl/mocks/component"

// Endpoint is what a path is for.
type Endpoint int

// The endpoints.
const (
	UnknownEndpoint Endpoint = iota
	ChatCompletions
	TextGeneration // DashScope's own
	Embeddings
	WebSearch
	Models
	ImagesSync
	ImagesTask
	ImagesEdit
	ImagesMessages // tasks that are asked for by messages
	TaskPoll
	TaskList
	TaskCancel
	Images
	Retrievals
)

// Method is the one that the endpoint takes.
func (e Endpoint) Method() string {
	switch e {
	case Models, TaskPoll, TaskList, Images:
		return "GET"
	}
	return "POST"
}

// HasComponent tells whether a part of an agent has its work done there.
func (e Endpoint) HasComponent() bool { return e != UnknownEndpoint && e != Models && e != Images }

// Component is the one that an endpoint always works for; empty: none.
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
