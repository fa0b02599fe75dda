package mocks

import "strings"

// Dialect is a provider's form of requests, answers and errors.
type Dialect string

// The dialects.
const (
	OpenAI    Dialect = "openai"
	DeepSeek  Dialect = "deepseek"
	DashScope Dialect = "dashscope" // compatible mode
	Native    Dialect = "dashscope-native"
	Ark       Dialect = "ark"
)

const (
	compatible  = "/compatible-mode/v1"
	aigc        = "/api/v1/services/aigc/"
	tasksPath   = "/api/v1/tasks/"
	arkPath     = "/api/v3"
	picturePath = "/pictures/"
)

// place is where a request goes; id is the last part of a task's or a
// picture's path.
type place struct {
	dialect  Dialect
	endpoint endpoint
	id       string
}

// locate finds the place of a path. DeepSeek's /v1 and /beta are known by its
// host name, as the paths alone are OpenAI's or nobody's.
func locate(host, path string) place {
	if strings.HasSuffix(host, "deepseek.com") {
		path = strings.TrimPrefix(strings.TrimPrefix(path, "/v1"), "/beta")
	}
	switch {
	case strings.HasPrefix(path, "/v1/"):
		return place{dialect: OpenAI, endpoint: openAIEndpoint(path[len("/v1"):])}
	case strings.HasPrefix(path, compatible+"/"):
		return place{dialect: DashScope, endpoint: openAIEndpoint(path[len(compatible):])}
	case strings.HasPrefix(path, arkPath+"/"):
		return place{dialect: Ark, endpoint: openAIEndpoint(path[len(arkPath):])}
	case strings.HasPrefix(path, "/api/v1/"):
		return locateNative(path)
	case strings.HasPrefix(path, picturePath):
		return place{dialect: Native, endpoint: pictures, id: path[len(picturePath):]}
	}
	e := openAIEndpoint(path)
	if e == embeddings { // DeepSeek has none
		e = nowhere
	}
	return place{dialect: DeepSeek, endpoint: e}
}

func openAIEndpoint(path string) endpoint {
	switch path {
	case "/chat/completions":
		return chatCompletions
	case "/embeddings":
		return embeddings
	case "/models":
		return models
	}
	return nowhere
}

func locateNative(path string) place {
	switch path {
	case aigc + "multimodal-generation/generation":
		return place{dialect: Native, endpoint: imagesSync}
	case aigc + "text2image/image-synthesis":
		return place{dialect: Native, endpoint: imagesTask}
	case aigc + "image2image/image-synthesis":
		return place{dialect: Native, endpoint: imagesEdit}
	}
	id, found := strings.CutPrefix(path, tasksPath)
	if !found || id == "" {
		return place{dialect: Native, endpoint: nowhere}
	}
	if id, found = strings.CutSuffix(id, "/cancel"); found && !strings.Contains(id, "/") {
		return place{dialect: Native, endpoint: taskCancel, id: id}
	}
	if strings.Contains(id, "/") {
		return place{dialect: Native, endpoint: nowhere}
	}
	return place{dialect: Native, endpoint: taskPoll, id: id}
}
