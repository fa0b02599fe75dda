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

// Prompts are the templates of the search requests to a model. They may contain {{.Query}} and
// {{.Now}}. A zero prompt means the embedded one.
type Prompts struct {
	Extract  llm.Prompt // requests the key facts that answer the query
	Fallback llm.Prompt // requests a summary of current web pages, for SearchFallback
}

// placeholderValues returns the values of the placeholders in a prompt.
func placeholderValues(query, now string) map[string]string {
	return map[string]string{"Query": query, "Now": now}
}

// ShippedPrompts returns the prompts that are embedded in the binary.
func ShippedPrompts() (Prompts, error) { return shipped() }

// shipped loads the embedded prompts once, because every trial creates a client.
var shipped = sync.OnceValues(func() (p Prompts, err error) {
	if p.Extract, err = llm.LoadPrompt(files, "prompts/extract.txt"); err != nil {
		return p, err
	}
	p.Fallback, err = llm.LoadPrompt(files, "prompts/digest.txt")
	return p, err
})

// LoadPromptFile reads a prompt file that replaces an embedded prompt. It returns an error if the
// prompt does not contain the query.
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
	p.Extract, p.Fallback = cmp.Or(p.Extract, defaultValue.Extract), cmp.Or(p.Fallback, defaultValue.Fallback)
	return p, errors.Join(check(p.Extract), check(p.Fallback))
}

// Hash returns the version of the prompts. Runs with different versions are not comparable.
func (p Prompts) Hash() string { return p.Extract.Hash + p.Fallback.Hash }

// check returns an error if a prompt cannot be filled or does not contain the query.
func check(p llm.Prompt) error {
	const mark = "\x00"
	text, err := p.Fill(placeholderValues(mark, ""))
	if err == nil && !strings.Contains(text, mark) {
		err = fmt.Errorf("load prompt %s: it does not say what to look for", p.Name)
	}
	if err != nil {
		return fmt.Errorf("%w (a prompt has places for {{.Query}} and {{.Now}})", err)
	}
	return nil
}
