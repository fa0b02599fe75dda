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

// Limits of the stored prompts.
const (
	maxPrompt     = 4 << 20  // bytes of a prompt
	maxPrompts    = 10_000   // number of prompts of a run
	maxPromptsSum = 64 << 20 // bytes of all prompts of a run
)

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

// ReadPrompts returns the texts of a run's prompts, by ID. It is empty for a run that stored none. It
// returns an error if the run has more than 10,000 prompts, or if they have more than 64 MiB together.
func ReadPrompts(dir string) (map[string]string, error) {
	files, _, err := PromptFiles(os.DirFS(dir))
	if err != nil {
		return nil, err
	}
	where := filepath.Join(dir, PromptsDir)
	if len(files) > maxPrompts {
		return nil, fmt.Errorf("%s: has %d prompts; at most %d are allowed", where, len(files), maxPrompts)
	}
	texts, sum := map[string]string{}, 0
	for _, name := range files {
		id := strings.TrimSuffix(path.Base(name), ".txt")
		if texts[id], err = ReadPrompt(dir, id); err != nil {
			return nil, err
		}
		if sum += len(texts[id]); sum > maxPromptsSum {
			return nil, fmt.Errorf("%s: has more than %d MiB of prompts", where, maxPromptsSum>>20)
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
