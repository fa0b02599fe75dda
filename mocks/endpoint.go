package mocks

// endpoint is what a path is for.
type endpoint int

const (
	nowhere endpoint = iota
	chatCompletions
	embeddings
	models
	imagesSync
	imagesTask
	imagesEdit
	taskPoll
	taskCancel
	pictures
)

func (e endpoint) method() string {
	switch e {
	case models, taskPoll, pictures:
		return "GET"
	}
	return "POST"
}

// component is the one that an endpoint always works for; empty: none.
func (e endpoint) component() Component {
	switch e {
	case embeddings:
		return Embedding
	case imagesSync, imagesTask, imagesEdit:
		return Image
	case taskPoll, taskCancel:
		return Poll
	}
	return ""
}
