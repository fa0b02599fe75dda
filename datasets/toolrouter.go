package datasets

// ToolRouter is the schema of the tool router's cases.
func ToolRouter(fault func(string) error) Schema {
	return Schema{
		Target:  "toolrouter",
		Label:   "route",
		Labels:  []string{"image_gen", "web_search", "time_query", "chat"},
		Options: []string{"agent", "image_gen", "web_search", "dashscope_key"},
		Fault:   fault,
	}
}
