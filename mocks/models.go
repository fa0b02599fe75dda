package mocks

import "net/http"

// models lists the models of a dialect.
func (c *call) models() {
	list, owner := c.s.cfg.Models, "system"
	switch {
	case c.place.dialect == DeepSeek:
		list, owner = c.deepSeekModels(), "deepseek"
	case list != nil:
	case c.place.dialect == DashScope:
		list = []string{"qwen-plus", "qwen-max", "qwen-turbo", "qwen-vl-plus", "qwen-vl-max", "text-embedding-v4"}
	case c.place.dialect == Ark:
		list = []string{"doubao-seed-1-6-lite-251015", "doubao-1-5-pro-32k-250115"}
	default:
		list = []string{"gpt-4o", "gpt-4o-mini", "text-embedding-3-small", "text-embedding-3-large"}
	}
	b := []byte(`{"object":"list","data":[`)
	for i, m := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendField(append(b, '{'), "id", m)
		b = append(b, `,"object":"model"`...)
		if c.place.dialect != DeepSeek {
			b = append(b, `,"created":1700000000`...)
		}
		b = append(appendField(append(b, ','), "owned_by", owner), '}')
	}
	c.answer(http.StatusOK, append(b, ']', '}'))
}
