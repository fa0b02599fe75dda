package wire

import "evalctl/mocks/component"

// Endpoint is the API operation that a URL path addresses, such as chat completions.
type Endpoint int

const (
	UnknownEndpoint Endpoint = iota // a path that the provider does not have
	ChatCompletions
	TextGeneration // DashScope's native chat format
	Embeddings
	WebSearch
	ModelList      // list of models
	ImagesSync     // image generation while the client waits
	ImagesTask     // creates an image task from a prompt
	ImagesEdit     // creates a task that edits an image
	ImagesMessages // creates an image task from messages instead of a prompt
	TaskPoll       // state of one task
	TaskList       // list of all tasks
	TaskCancel     // cancels a task
	ImageDownload  // download of a generated image
	Retrievals     // search for passages in documents
)

// HTTPMethod returns the HTTP method that the endpoint requires.
func (e Endpoint) HTTPMethod() string {
	switch e {
	case ModelList, TaskPoll, TaskList, ImageDownload:
		return "GET"
	}
	return "POST"
}

// IsComponentCall reports whether requests to the endpoint come from a component of an agent. It is
// false for lists of models and downloads of images.
func (e Endpoint) IsComponentCall() bool {
	return e != UnknownEndpoint && e != ModelList && e != ImageDownload
}

// Role returns the only role that calls the endpoint; empty: several roles do.
func (e Endpoint) Role() component.Role {
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
