package search

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"strings"
	"sync"

	"evalctl/agent/llm"
)

//go:embed prompts/*.txt
var files embed.FS

// Prompts are templates with {{.Query}} and {{.Now}}. Zero prompts are replaced by the shipped
// ones.
type Prompts struct {
	Extract llm.Prompt // requests the key facts, or nothing if there are none
	Digest  llm.Prompt // requests a summary
}

// places returns the values of the placeholders.
func places(query, now string) map[string]string {
	return map[string]string{"Query": query, "Now": now}
}

// ShippedPrompts returns the prompts that come with the package.
func ShippedPrompts() (Prompts, error) { return shipped() }

// Parsed once, because every trial creates a client.
var shipped = sync.OnceValues(func() (p Prompts, err error) {
	if p.Extract, err = llm.LoadPrompt(files, "prompts/extract.txt"); err != nil {
		return p, err
	}
	p.Digest, err = llm.LoadPrompt(files, "prompts/digest.txt")
	return p, err
})

// LoadPromptFile reads a prompt that replaces a shipped one.
func LoadPromptFile(path string) (llm.Prompt, error) {
	p, err := llm.LoadPromptFile(path)
	if err == nil {
		err = check(p)
	}
	return p, err
}

func (p Prompts) orShipped() (Prompts, error) {
	defaultValue, err := shipped()
	if err != nil {
		return p, err
	}
	p.Extract, p.Digest = cmp.Or(p.Extract, defaultValue.Extract), cmp.Or(p.Digest, defaultValue.Digest)
	return p, errors.Join(check(p.Extract), check(p.Digest))
}

// Hash is the version of the prompts. A different hash means a different run configuration.
func (p Prompts) Hash() string { return p.Extract.Hash + p.Digest.Hash }

// check rejects a prompt that would fail in every search or does not contain the query.
func check(p llm.Prompt) error {
	const mark = "\x00"
	text, err := p.Fill(places(mark, ""))
	if err == nil && !strings.Contains(text, mark) {
		err = fmt.Errorf("load prompt %s: it does not say what to look for", p.Name)
	}
	if err != nil {
		return fmt.Errorf("%w (a prompt has places for {{.Query}} and {{.Now}})", err)
	}
	return nil
}
