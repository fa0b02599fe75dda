package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"evalctl/agent/file"
)

// PromptsDir is the directory of a run with the texts of its prompts.
const PromptsDir = "prompts"

// maxPrompt limits the size of a stored prompt, in bytes.
const maxPrompt = 4 << 20

// PromptInfo names a prompt of a variant. Its text is in PromptsDir.
type PromptInfo struct {
	Suite   string `json:"suite"`
	Variant string `json:"variant"`
	Setting string `json:"setting"` // the setting that replaces the prompt
	File    string `json:"file"`    // name of the user's file; "": the prompt is built in
	ID      string `json:"id"`      // of the text, see eval.PromptID
}

var promptFile = regexp.MustCompile(`^[0-9a-f]{12}\.txt$`)

func promptPath(id string) string { return filepath.Join(PromptsDir, id+".txt") }

// WritePrompts writes the texts of a run's prompts, by ID.
func WritePrompts(dir string, texts map[string]string) error {
	if len(texts) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(dir, PromptsDir), 0o755); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		if err := file.ReplaceAtomic(filepath.Join(dir, promptPath(id)), []byte(texts[id]), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// ReadPrompt returns the text of a prompt. It returns fs.ErrNotExist for a run that stored none.
func ReadPrompt(dir, id string) (string, error) {
	if !promptFile.MatchString(id + ".txt") {
		return "", fmt.Errorf("%.40q is not the ID of a prompt", id)
	}
	b, err := ReadFile(dir, promptPath(id), maxPrompt)
	return string(b), err
}

// ReadPrompts returns the texts of a run's prompts, by ID. It is empty for a run that stored none.
func ReadPrompts(dir string) (map[string]string, error) {
	files, _, err := PromptFiles(os.DirFS(dir))
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, name := range files {
		id := strings.TrimSuffix(path.Base(name), ".txt")
		if texts[id], err = ReadPrompt(dir, id); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// PromptFiles lists the files in PromptsDir that a run wrote, relative to the run. others are the
// names of other files there.
func PromptFiles(run fs.FS) (files, others []string, err error) {
	entries, err := fs.ReadDir(run, PromptsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	for _, e := range entries {
		if name := PromptsDir + "/" + e.Name(); promptFile.MatchString(e.Name()) && e.Type().IsRegular() {
			files = append(files, name)
		} else {
			others = append(others, name)
		}
	}
	return files, others, err
}
