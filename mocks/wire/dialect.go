package wire

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
	RAGFlow   Dialect = "ragflow"
)

const (
	compatible  = "/compatible-mode/v1"
	aigc        = "/api/v1/services/aigc/"
	tasksPath   = "/api/v1/tasks/"
	arkPath     = "/api/v3"
	picturePath = "/pictures/"
	ragFlowPath = "/api/v1/retrieval"
)

// Place is where a request goes; id is the last part of a task's or a
// picture's path.
type Place struct {
	Dialect  Dialect
	Endpoint Endpoint
	ID       string
}

// Locate finds the place of a path. DeepSeek's /v1 and /beta are known by its
// host name, as the paths alone are OpenAI's or nobody's.
func Locate(host, path string) Place {
	if strings.HasSuffix(host, "deepseek.com") {
		path = strings.TrimPrefix(strings.TrimPrefix(path, "/v1"), "/beta")
	}
	switch {
	case strings.HasPrefix(path, "/v1/"):
		return Place{Dialect: OpenAI, Endpoint: openAIEndpoint(path[len("/v1"):])}
	case strings.HasPrefix(path, compatible+"/"):
		return Place{Dialect: DashScope, Endpoint: openAIEndpoint(path[len(compatible):])}
	case strings.HasPrefix(path, arkPath+"/"):
		return Place{Dialect: Ark, Endpoint: openAIEndpoint(path[len(arkPath):])}
	case path == ragFlowPath: // before DashScope's, among which it stands
		return Place{Dialect: RAGFlow, Endpoint: Retrievals}
	case strings.HasPrefix(path, "/api/v1/"):
		return locateNative(path)
	case strings.HasPrefix(path, picturePath):
		return Place{Dialect: Native, Endpoint: Pictures, ID: path[len(picturePath):]}
	}
	e := openAIEndpoint(path)
	if e == Embeddings { // DeepSeek has none
		e = Nowhere
	}
	return Place{Dialect: DeepSeek, Endpoint: e}
}

func openAIEndpoint(path string) Endpoint {
	switch path {
	case "/chat/completions":
		return ChatCompletions
	case "/embeddings":
		return Embeddings
	case "/models":
		return Models
	}
	return Nowhere
}

func locateNative(path string) Place {
	switch path {
	case aigc + "text-generation/generation":
		return Place{Dialect: Native, Endpoint: TextGeneration}
	case aigc + "multimodal-generation/generation":
		return Place{Dialect: Native, Endpoint: ImagesSync}
	case aigc + "text2image/image-synthesis":
		return Place{Dialect: Native, Endpoint: ImagesTask}
	case aigc + "image2image/image-synthesis":
		return Place{Dialect: Native, Endpoint: ImagesEdit}
	case aigc + "image-generation/generation":
		return Place{Dialect: Native, Endpoint: ImagesMessages}
	case strings.TrimSuffix(tasksPath, "/"):
		return Place{Dialect: Native, Endpoint: TaskList}
	}
	id, found := strings.CutPrefix(path, tasksPath)
	if !found || id == "" {
		return Place{Dialect: Native, Endpoint: Nowhere}
	}
	if id, found = strings.CutSuffix(id, "/cancel"); found && !strings.Contains(id, "/") {
		return Place{Dialect: Native, Endpoint: TaskCancel, ID: id}
	}
	if strings.Contains(id, "/") {
		return Place{Dialect: Native, Endpoint: Nowhere}
	}
	return Place{Dialect: Native, Endpoint: TaskPoll, ID: id}
}
