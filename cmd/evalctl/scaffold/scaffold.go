// Package scaffold writes the beginning of somebody's own evaluation: a suite, twenty
// cases, a prompt, and a workflow that gates pull requests by them.
package scaffold

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed files
var files embed.FS

// Suite is the suite's file, from the folder that is begun.
const Suite = "evals/suite.yaml"

// Workflow is the workflow's, likewise.
const Workflow = ".github/workflows/evalctl.yml"

// ignoring is a file that others have, too: what it lacks is added to it.
const ignoring = ".gitignore"

// places says where each file goes.
var places = []struct{ file, path string }{
	{file: "suite.yaml", path: Suite},
	{file: "cases.jsonl", path: "evals/cases.jsonl"},
	{file: "labels.txt", path: "evals/labels.txt"},
	{file: "prompt.md", path: "evals/prompt.md"},
	{file: "workflow.yml", path: Workflow},
	{file: "gitignore", path: ignoring},
}

// Paths are the files that Write makes, from the folder.
func Paths() (list []string) {
	for _, p := range places {
		list = append(list, p.path)
	}
	return list
}

// Config says what is written.
type Config struct {
	Dir     string // is made where it is not there
	Sources string // OWNER/NAME of evalctl's, which the workflow builds; "": the workflow asks for it
	Force   bool   // overwrites what is there
}

// The workflow says in this line where evalctl's sources are.
const nowhere = `EVALCTL_REPOSITORY: ""`

// repository is a GitHub repository's name.
var repository = regexp.MustCompile(`^[A-Za-z0-9-]+/[A-Za-z0-9._-]+$`)

// CheckSources finds what is no OWNER/NAME.
func CheckSources(name string) error {
	if !repository.MatchString(name) {
		return fmt.Errorf("%q is no OWNER/NAME", name)
	}
	return nil
}

// Write writes all files and returns those that it wrote. Unless it is forced, it writes
// none where one is there already; a .gitignore keeps what it has, and gets the lines
// that it lacks.
func Write(cfg Config) (written []string, err error) {
	if err := free(cfg.Dir, cfg.Force); err != nil {
		return nil, err
	}
	for _, p := range places {
		text, err := files.ReadFile("files/" + p.file)
		if err != nil {
			return written, err
		}
		path := filepath.Join(cfg.Dir, p.path)
		if p.path == ignoring {
			text, err = added(path, string(text))
		}
		if cfg.Sources != "" {
			text = bytes.Replace(text, []byte(nowhere), fmt.Appendf(nil, "EVALCTL_REPOSITORY: %s", cfg.Sources), 1)
		}
		if err != nil {
			return written, err
		}
		if text == nil {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return written, err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return written, err
		}
		written = append(written, path)
	}
	return written, nil
}

// free finds what would be overwritten.
func free(dir string, force bool) error {
	if force {
		return nil
	}
	for _, p := range places {
		path := filepath.Join(dir, p.path)
		_, err := os.Lstat(path)
		switch {
		case err == nil && p.path != ignoring:
			return fmt.Errorf("%s is there already: --force overwrites it, and what else is written", path)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	return nil
}

// maxIgnoring bounds the .gitignore that is read, in bytes.
const maxIgnoring = 1 << 20

// added is a file with the lines of text that it lacks; nil: it lacks none.
func added(path, text string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []byte(text), nil
	case err != nil:
		return nil, err
	case info.Size() > maxIgnoring:
		return nil, fmt.Errorf("%s has %d bytes: more than %d", path, info.Size(), maxIgnoring)
	}
	have, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lacking := ""
	for line := range strings.Lines(text) {
		if !strings.Contains("\n"+string(have)+"\n", "\n"+line) {
			lacking += line
		}
	}
	if lacking == "" {
		return nil, nil
	}
	if len(have) > 0 && have[len(have)-1] != '\n' {
		lacking = "\n" + lacking
	}
	return append(have, lacking...), nil
}
