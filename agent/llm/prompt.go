package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"text/template"
	"unicode/utf8"

	"evalctl/agent/file"
)

// Prompt is the content of a prompt file. Its text may be a text/template.
type Prompt struct {
	Name string // file name without directory and extension
	Text string // content of the file, without a byte order mark
	Hash string // version of the prompt: the first 12 hex digits of the file's SHA-256

	tmpl *template.Template // the parsed template; nil if the text contains no actions
}

// LoadPrompt reads the prompt file name from fsys, such as an embed.FS.
func LoadPrompt(fsys fs.FS, name string) (Prompt, error) {
	raw, err := fs.ReadFile(fsys, name)
	if err != nil {
		return Prompt{}, fmt.Errorf("load prompt: %w", err)
	}
	return NewPrompt(name, raw)
}

// MaxPromptBytes limits the size of a prompt file, in bytes.
const MaxPromptBytes = 1 << 20

// LoadPromptFile reads a prompt from disk, for users who replace an embedded prompt.
func LoadPromptFile(path string) (Prompt, error) {
	raw, err := file.Read(path, MaxPromptBytes)
	if err != nil {
		return Prompt{}, fmt.Errorf("load prompt: %w", err)
	}
	return NewPrompt(filepath.ToSlash(path), raw)
}

// NewPrompt creates a prompt from raw, the content of a file. Errors name the file.
func NewPrompt(file string, raw []byte) (Prompt, error) {
	if !utf8.Valid(raw) {
		return Prompt{}, fmt.Errorf("load prompt %s: not UTF-8", file)
	}
	text := strings.TrimPrefix(string(raw), "\uFEFF")
	if blank(text) {
		return Prompt{}, fmt.Errorf("load prompt %s: empty", file)
	}
	sum := sha256.Sum256(raw)
	p := Prompt{Name: strings.TrimSuffix(path.Base(file), path.Ext(file)), Text: text,
		Hash: hex.EncodeToString(sum[:6])}
	if !strings.Contains(text, "{{") {
		return p, nil
	}
	t, err := template.New(path.Base(file)).Option("missingkey=error").Parse(text)
	if err != nil {
		return Prompt{}, fmt.Errorf("load prompt %s: %w", file, err)
	}
	if err := checkTemplate(t.Root, 0); err != nil {
		return Prompt{}, fmt.Errorf("load prompt %s: %w", file, err)
	}
	p.tmpl = t
	return p, nil
}

// Fill executes the template with data, a map or a struct, and returns the text. It returns an
// error if the template uses a name that data lacks.
func (p Prompt) Fill(data any) (string, error) {
	if p.tmpl == nil {
		return p.Text, nil
	}
	var b filled
	if err := p.tmpl.Execute(&b, data); err != nil {
		return "", fmt.Errorf("fill prompt %s: %w", p.Name, err)
	}
	return b.String(), nil
}

// maxFilled limits the size of a filled prompt, in bytes. A template can repeat a long text.
const maxFilled = 32 << 20

type filled struct{ bytes.Buffer }

func (f *filled) Write(p []byte) (int, error) {
	if f.Len()+len(p) > maxFilled {
		return 0, fmt.Errorf("is longer than %d MiB", maxFilled>>20)
	}
	return f.Buffer.Write(p)
}

// PromptTexts returns the texts of prompts that are not empty.
func PromptTexts[K comparable](prompts map[K]*Prompt) map[K]string {
	texts := map[K]string{}
	for name, p := range prompts {
		if p.Text != "" {
			texts[name] = p.Text
		}
	}
	return texts
}

// LoadPlainPromptFile reads a prompt that must not contain placeholders.
func LoadPlainPromptFile(path string) (Prompt, error) {
	p, err := LoadPromptFile(path)
	if err != nil {
		return p, err
	}
	if p.Text, err = p.Fill(map[string]string{}); err != nil {
		return p, fmt.Errorf("%w (this prompt has no places)", err)
	}
	return p, nil
}
