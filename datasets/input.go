package datasets

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/agent"
)

// input checks what the user sends in one turn.
func (s Schema) input(t *agent.Turn) error {
	if !s.Wordless && strings.TrimSpace(t.Text) == "" && len(t.Images) == 0 && len(t.Documents) == 0 {
		return wrong("text", "is empty")
	}
	if err := pictures(t.Images); err != nil {
		return err
	}
	if t.Mask != "" && !strings.HasPrefix(t.Mask, "data:image/") {
		return wrong("mask", "is no data:image URL")
	}
	if len(t.History) > maxHistory {
		return wrong("history", "has more than %d messages", maxHistory)
	}
	for i, m := range t.History {
		if err := message(m); err != nil {
			return within(fmt.Sprintf("history[%d]", i), err)
		}
	}
	for i, d := range t.Documents {
		if d.Name == "" {
			return wrong(fmt.Sprintf("documents[%d].name", i), "is missing")
		}
	}
	return s.options(t.Options)
}

// message checks one of the turns that went before.
func message(m agent.Message) error {
	if !slices.Contains([]string{"user", "assistant", "system"}, m.Role) {
		return wrong("role", "%s is none of user, assistant, system", plain(m.Role))
	}
	if m.Content == "" && len(m.Images) == 0 && m.GeneratedImageURL == "" {
		return wrong("content", "is empty")
	}
	if m.GeneratedImageURL != "" && !isPicture(m.GeneratedImageURL) {
		return wrong("generated_image_url", notPicture)
	}
	return pictures(m.Images)
}

const notPicture = "is no http, https or data:image URL"

func pictures(urls []string) error {
	for i, u := range urls {
		if !isPicture(u) {
			return wrong(fmt.Sprintf("images[%d]", i), notPicture)
		}
	}
	return nil
}

func isPicture(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "data:image/")
}
