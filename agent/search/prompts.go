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

// Prompts are what the model is asked: templates with {{.Query}}, what to look
// for, and {{.Now}}. Zero ones stand for the shipped.
type Prompts struct {
	Extract llm.Prompt // wants the key facts, and nothing where there are none
	Digest  llm.Prompt // wants a summary
}

// places are what stands for a prompt's places.
func places(query, now string) map[string]string {
	return map[string]string{"Query": query, "Now": now}
}

// ShippedPrompts are the prompts that come with the package.
func ShippedPrompts() (Prompts, error) { return shipped() }

// The shipped prompts are parsed once: a client is made for every trial.
var shipped = sync.OnceValues(func() (p Prompts, err error) {
	if p.Extract, err = llm.LoadPrompt(files, "prompts/extract.txt"); err != nil {
		return p, err
	}
	p.Digest, err = llm.LoadPrompt(files, "prompts/digest.txt")
	return p, err
})

// LoadPromptFile reads a prompt that is to take a shipped one's place.
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

// Hash is the prompts' version: a run with another one is another run.
func (p Prompts) Hash() string { return p.Extract.Hash + p.Digest.Hash }

// check finds what would fail in every search, or would not say what to look for.
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
