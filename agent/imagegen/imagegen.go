// Package imagegen generates and edits images from prompts with the image models of DashScope. The
// service returns an image directly, or creates a task that is polled. Errors are *llm.Error.
package imagegen

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/secret"
)

// Defaults of Config. The asynchronous API does not support DefaultModel.
const (
	DefaultModel      = "qwen-image-max"
	defaultAsyncModel = "qwen-image-plus"
	DefaultEditModel  = "wanx2.1-imageedit"
	DefaultBaseURL    = "https://dashscope.aliyuncs.com"
	defaultSize       = "1328*1328"
	DefaultTimeout    = 60 * time.Second
)

// A task is polled 2, 4 … 120 s after its creation. A poll may take until the next one.
const (
	PollInterval = 2 * time.Second
	maxPolls     = 60
)

// promptPrefix is sent before every prompt for a new image.
const promptPrefix = "根据描述生成图片: "

// Doer sends HTTP requests: an http.Client, a mock or a cassette.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Config configures a Client.
type Config struct {
	Node      string // node name in traces; "": "image"
	Model     string // model of Generate; "": DefaultModel, or defaultAsyncModel if Async
	EditModel string // model of Edit; "": DefaultEditModel
	BaseURL   string // address without /api/v1; "": DefaultBaseURL
	APIKey    string // required at DefaultBaseURL
	Async     bool   // Generate creates a task and polls it, as Edit always does
	Size      string // W*H in pixels for Generate; "": 1328*1328

	HTTP    Doer          // nil: outbound.Default()
	Timeout time.Duration // per attempt and per poll; 0: DefaultTimeout
	Retries int           // of the first request, as in llm.Config; polls are not retried
	Seed    uint64        // of the random delays between retries

	secrets *secret.Set // API key and address, which a service may repeat in its answer
}

// Image is a generated or edited image. Its URL is valid for a day.
type Image struct {
	URL           string
	RevisedPrompt string // prompt as revised by the service; the original one if it reports none
	TaskID        string // id of the polled task; "": the image was returned directly
}

// Client generates and edits images. It is safe for concurrent use.
type Client struct {
	cfg      Config
	provider llm.Provider
}

var sizePattern = regexp.MustCompile(`^[1-9][0-9]{2,4}\*[1-9][0-9]{2,4}$`)

// New creates a client. Its errors name the invalid field of cfg.
func New(cfg Config) (*Client, error) {
	if cfg.APIKey == "" && cfg.BaseURL == "" {
		return nil, fmt.Errorf("imagegen.Config.APIKey: dashscope needs a key")
	}
	cfg.BaseURL = strings.TrimRight(cmp.Or(cfg.BaseURL, DefaultBaseURL), "/")
	if _, err := outbound.ParseURL(cfg.BaseURL); err != nil {
		return nil, fmt.Errorf("imagegen.Config.BaseURL: %q is not an http URL", secret.RedactURL(cfg.BaseURL))
	}
	cfg.Size = cmp.Or(cfg.Size, defaultSize)
	if !sizePattern.MatchString(cfg.Size) {
		return nil, fmt.Errorf("imagegen.Config.Size: %q is not W*H", cfg.Size)
	}
	model := DefaultModel
	if cfg.Async {
		model = defaultAsyncModel
	}
	cfg.Model = cmp.Or(cfg.Model, model)
	cfg.EditModel = cmp.Or(cfg.EditModel, DefaultEditModel)
	cfg.Node = cmp.Or(cfg.Node, "image")
	cfg.Timeout = cmp.Or(cfg.Timeout, DefaultTimeout)
	if cfg.HTTP == nil {
		cfg.HTTP = outbound.Default()
	}
	if err := cfg.policy(cfg.Model, cfg.Retries).Check("imagegen.Config"); err != nil {
		return nil, err
	}
	cfg.secrets = secret.NewSet(cfg.APIKey, cfg.BaseURL)
	p, _ := llm.LookupProvider("dashscope")
	return &Client{cfg: cfg, provider: p}, nil
}

func (cfg *Config) policy(model string, retries int) llm.CallPolicy {
	return llm.CallPolicy{
		Node:     cfg.Node,
		Provider: "dashscope",
		Model:    model,
		Timeout:  cfg.Timeout,
		Retries:  retries,
		Seed:     cfg.Seed,
		Secrets:  cfg.secrets,
	}
}
