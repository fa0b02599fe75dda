package script

// file is the YAML format of a script.
type file struct {
	Components []struct {
		Match     fileMatch `yaml:"match"`
		Component string    `yaml:"component"`
	} `yaml:"components"`
	Rules []struct {
		Match  fileMatch  `yaml:"match"`
		Answer fileAnswer `yaml:"answer"`
	} `yaml:"rules"`
	Default *fileAnswer `yaml:"default"`
}

type fileMatch struct {
	Component string `yaml:"component"`
	Model     string `yaml:"model"`
	Text      string `yaml:"text"`
	Regex     string `yaml:"regex"`
	System    string `yaml:"system"`
	Nth       int    `yaml:"nth"`
}

type fileAnswer struct {
	Content      *string      `yaml:"content"`
	JSON         any          `yaml:"json"`
	Reasoning    string       `yaml:"reasoning_content"`
	ToolCalls    []fileCall   `yaml:"tool_calls"`
	FinishReason string       `yaml:"finish_reason"`
	Usage        *fileUsage   `yaml:"usage"`
	Delay        string       `yaml:"delay"`
	Error        *fileRefusal `yaml:"error"`
}

type fileCall struct {
	ID        string `yaml:"id"`
	Name      string `yaml:"name"`
	Arguments any    `yaml:"arguments"`
}

type fileUsage struct {
	Prompt     int `yaml:"prompt_tokens"`
	Completion int `yaml:"completion_tokens"`
	Reasoning  int `yaml:"reasoning_tokens"`
	Cached     int `yaml:"cached_tokens"`
}

type fileRefusal struct {
	Status     int    `yaml:"status"`
	Type       string `yaml:"type"`
	Code       string `yaml:"code"`
	Message    string `yaml:"message"`
	Param      string `yaml:"param"`
	RetryAfter string `yaml:"retry_after"`
}
