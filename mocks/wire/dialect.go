package wire

import "strings"

// Dialect identifies a provider's API: the format of its requests, answers and errors.
type Dialect string

const (
	Tavily          Dialect = "tavily" // web search API
	Bocha           Dialect = "bocha"  // web search API
	OpenAI          Dialect = "openai"
	DeepSeek        Dialect = "deepseek"
	DashScope       Dialect = "dashscope"        // OpenAI-compatible mode
	DashScopeNative Dialect = "dashscope-native" // DashScope's own format
	Ark             Dialect = "ark"
	RAGFlow         Dialect = "ragflow" // retrieval API
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

// Route is what the URL of a request addresses: the API, the endpoint, and the id of a task or an
// image if the path contains one.
type Route struct {
	Dialect  Dialect
	Endpoint Endpoint
	ID       string // id of the task or image in the path; empty: none
}

// ParsePath returns the route of a URL path. DeepSeek's paths under /v1 and /beta are recognized by
// the host name, because on other hosts the same paths belong to OpenAI.
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
	case path == ragFlowPath: // must precede DashScope, which has the same prefix
		return Route{Dialect: RAGFlow, Endpoint: Retrievals}
	case strings.HasPrefix(path, "/api/v1/"):
		return locateNative(path)
	case strings.HasPrefix(path, imagePath):
		return Route{Dialect: DashScopeNative, Endpoint: ImageDownload, ID: path[len(imagePath):]}
	}
	e := openAIEndpoint(path)
	if e == Embeddings { // DeepSeek has no embeddings
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
		return ModelList
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
