package wire

import "strings"

// Dialect is a provider's form of requests, answers and errors.
type Dialect string

// The dialects.
const (
	Tavily          Dialect = "tavily"
	Bocha           Dialect = "bocha"
	OpenAI          Dialect = "openai"
	DeepSeek        Dialect = "deepseek"
	DashScope       Dialect = "dashscope" // compatible mode
	DashScopeNative Dialect = "dashscope-native"
	Ark             Dialect = "ark"
	RAGFlow         Dialect = "ragflow"
)

const (
	tavilyPath  = "/search"
	bochaPath   = "/v1/web-search"
	compatible  = "/compatible-mode/v1"
	aigc        = "/api/v1/services/aigc/"
	tasksPath   = "/api/v1/tasks/"
	arkPath     = "/api/v3"
	imagePath   = "/pictures/"
	ragFlowPath = "/api/v1/retrieval"
)

// Route is where a request goes; id is the last part of a task's or a
// picture's path.
type Route struct {
	Dialect  Dialect
	Endpoint Endpoint
	ID       string
}

// ParsePath finds the place of a path. DeepSeek's /v1 and /beta are known by its
// host name, as the paths alone are OpenAI's or nobody's.
func ParsePath(host, path string) Route {
	switch {
	case path == tavilyPath, strings.HasSuffix(host, "tavily.com"):
		return Route{Dialect: Tavily, Endpoint: webSearchIf(path == tavilyPath)}
	case path == bochaPath, strings.HasSuffix(host, "bochaai.com"), strings.HasSuffix(host, "bocha.cn"):
		return Route{Dialect: Bocha, Endpoint: webSearchIf(path == bochaPath)}
	}
	if strings.HasSuffix(host, "deepseek.com") {
		path = strings.TrimPrefix(strings.TrimPrefix(path, "/v1"), "/beta")
	}
	switch {
	case strings.HasPrefix(path, "/v1/"):
		return Route{Dialect: OpenAI, Endpoint: openAIEndpoint(path[len("/v1"):])}
	case strings.HasPrefix(path, compatible+"/"):
		return Route{Dialect: DashScope, Endpoint: openAIEndpoint(path[len(compatible):])}
	case strings.HasPrefix(path, arkPath+"/"):
		return Route{Dialect: Ark, Endpoint: openAIEndpoint(path[len(arkPath):])}
	case path == ragFlowPath: // before DashScope's, among which it stands
		return Route{Dialect: RAGFlow, Endpoint: Retrievals}
	case strings.HasPrefix(path, "/api/v1/"):
		return locateNative(path)
	case strings.HasPrefix(path, imagePath):
		return Route{Dialect: DashScopeNative, Endpoint: Images, ID: path[len(imagePath):]}
	}
	e := openAIEndpoint(path)
	if e == Embeddings { // DeepSeek has none
		e = UnknownEndpoint
	}
	return Route{Dialect: DeepSeek, Endpoint: e}
}

func webSearchIf(there bool) Endpoint {
	if there {
		return WebSearch
	}
	return UnknownEndpoint
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
	return UnknownEndpoint
}

func locateNative(path string) Route {
	switch path {
	case aigc + "text-generation/generation":
		return Route{Dialect: DashScopeNative, Endpoint: TextGeneration}
	case aigc + "multimodal-generation/generation":
		return Route{Dialect: DashScopeNative, Endpoint: ImagesSync}
	case aigc + "text2image/image-synthesis":
		return Route{Dialect: DashScopeNative, Endpoint: ImagesTask}
	case aigc + "image2image/image-synthesis":
		return Route{Dialect: DashScopeNative, Endpoint: ImagesEdit}
	case aigc + "image-generation/generation":
		return Route{Dialect: DashScopeNative, Endpoint: ImagesMessages}
	case strings.TrimSuffix(tasksPath, "/"):
		return Route{Dialect: DashScopeNative, Endpoint: TaskList}
	}
	id, found := strings.CutPrefix(path, tasksPath)
	if !found || id == "" {
		return Route{Dialect: DashScopeNative, Endpoint: UnknownEndpoint}
	}
	if id, found = strings.CutSuffix(id, "/cancel"); found && !strings.Contains(id, "/") {
		return Route{Dialect: DashScopeNative, Endpoint: TaskCancel, ID: id}
	}
	if strings.Contains(id, "/") {
		return Route{Dialect: DashScopeNative, Endpoint: UnknownEndpoint}
	}
	return Route{Dialect: DashScopeNative, Endpoint: TaskPoll, ID: id}
}
