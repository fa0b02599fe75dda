// Package imagegen makes pictures from words, and changes pictures by words,
// with DashScope's image models: in one exchange, or as a task that is polled
// until it is done. Failures are *llm.Error, as of all calls to the outside.
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

// What is used when the configuration names nothing else. The asynchronous
// endpoint does not serve DefaultModel.
const (
	DefaultModel      = "qwen-image-max"
	defaultAsyncModel = "qwen-image-plus"
	DefaultEditModel  = "wanx2.1-imageedit"
	DefaultBaseURL    = "https://dashscope.aliyuncs.com"
	defaultSize       = "1328*1328"
	DefaultTimeout    = 60 * time.Second
)

// Polling of a task: at 2, 4 … 120 s, each poll until the next one.
const (
	PollEvery = 2 * time.Second
	maxPolls  = 60
)

// promptPrefix stands before every prompt.
const promptPrefix = "根据描述生成图片: "

// Doer sends requests: an http.Client, a mock, a cassette.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Config says which model paints, and how.
type Config struct {
	Node      string // of the trace; "" is "image"
	Model     string // "" is DefaultModel, with Async defaultAsyncModel
	EditModel string // "" is DefaultEditModel
	BaseURL   string // host, without /api/v1; "" is DefaultBaseURL
	APIKey    string // needed at DefaultBaseURL
	Async     bool   // Generate makes a task and polls it, as Edit always does
	Size      string // W*H of what Generate makes; "" is defaultSize

	HTTP    Doer          // nil: outbound.Default()
	Timeout time.Duration // of each attempt and each poll; 0: DefaultTimeout
	Retries int           // of the creating call, as llm.Config's
	Seed    uint64        // of the jitter

	secrets *secret.Set // those above, which a service may echo
}

// Image is a picture made. URL is good for a day.
type Image struct {
	URL           string
	RevisedPrompt string // what the service made of the prompt; the prompt itself when it does not say
	TaskID        string // "" for one made in one exchange
}

// Client makes pictures. It is safe for concurrent use.
type Client struct {
	cfg      Config
	provider llm.Provider
}

var size = regexp.MustCompile(`^[1-9][0-9]{2,4}\*[1-9][0-9]{2,4}$`)

// New checks cfg; its errors name the field.
func New(cfg Config) (*Client, error) {
	if cfg.APIKey == "" && cfg.BaseURL == "" {
		return nil, fmt.Errorf("imagegen.Config.APIKey: dashscope needs a key")
	}
	cfg.BaseURL = strings.TrimRight(cmp.Or(cfg.BaseURL, DefaultBaseURL), "/")
	if _, err := outbound.ParseURL(cfg.BaseURL); err != nil {
		return nil, fmt.Errorf("imagegen.Config.BaseURL: %q is not an http URL", secret.RedactURL(cfg.BaseURL))
	}
	cfg.Size = cmp.Or(cfg.Size, defaultSize)
	if !size.MatchString(cfg.Size) {
		return nil, fmt.Errorf("imagegen.Config.Size: %q is not W*H", cfg.Size)
	}
	defaultValue := DefaultModel
	if cfg.Async {
		defaultValue = defaultAsyncModel
	}
	cfg.Model = cmp.Or(cfg.Model, defaultValue)
	cfg.EditModel = cmp.Or(cfg.EditModel, DefaultEditModel)
	cfg.Node = cmp.Or(cfg.Node, "image")
	cfg.Timeout = cmp.Or(cfg.Timeout, DefaultTimeout)
	if cfg.HTTP == nil {
		cfg.HTTP = outbound.Default()
	}
	if err := cfg.policy(cfg.Model, cfg.Retries).Check("imagegen.Config"); err != nil {
		return nil, err
	}
	cfg.secrets = secret.NewSecrets(cfg.APIKey, cfg.BaseURL)
	p, _ := llm.Lookup("dashscope")
	return &Client{cfg: cfg, provider: p}, nil
}

func (cfg *Config) policy(model string, retries int) llm.Policy {
	return llm.Policy{
		Node: cfg.Node, Provider: "dashscope", Model: model,
		Timeout: cfg.Timeout, Retries: retries, Seed: cfg.Seed, Secrets: cfg.secrets,
	}
}
