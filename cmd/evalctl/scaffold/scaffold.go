// Package scaffold writes the files of a new evaluation: a suite, twenty cases, a prompt, and a
// workflow that gates pull requests.
package scaffold

import (
	"bytes"
	"embed"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"evalctl/agent/file"
)

//go:embed files
var files embed.FS

// Suite is the path of the suite file, relative to the directory.
const Suite = "evals/suite.yaml"

// Workflow is the path of the workflow file, relative to the directory.
const Workflow = ".github/workflows/evalctl.yml"

// gitignorePath is a file that may exist already. Missing lines are added to it.
const gitignorePath = ".gitignore"

// targets maps the embedded files to their paths.
var targets = []struct{ file, path string }{
	{file: "suite.yaml", path: Suite},
	{file: "cases.jsonl", path: "evals/cases.jsonl"},
	{file: "labels.txt", path: "evals/labels.txt"},
	{file: "prompt.md", path: "evals/prompt.md"},
	{file: "workflow.yml", path: Workflow},
	{file: "gitignore", path: gitignorePath},
}

// Config describes what is written.
type Config struct {
	Dir string // created if it does not exist
	// OWNER/NAME of the evalctl repository that the workflow builds; "": the user must enter it in
	// the workflow
	Sources string
	Force   bool // overwrites existing files
}

// The line of the workflow with evalctl's repository.
const emptyRepository = `EVALCTL_REPOSITORY: ""`

// repository matches the name of a GitHub repository.
var repository = regexp.MustCompile(`^[A-Za-z0-9-]+/[A-Za-z0-9._-]+$`)

// CheckSources returns an error unless name has the form OWNER/NAME.
func CheckSources(name string) error {
	if !repository.MatchString(name) {
		return fmt.Errorf("%q is not OWNER/NAME", name)
	}
	return nil
}

// Write writes all files or none, and returns the paths of those it wrote. An existing file is an
// error unless Force is set. Missing lines are added to an existing .gitignore. Links below the
// directory are not followed.
func Write(cfg Config) (written []string, err error) {
	var texts []file.File
	for _, p := range targets {
		text, err := files.ReadFile("files/" + p.file)
		if err != nil {
			return nil, err
		}
		have, err := file.ReadOptional(cfg.Dir, p.path, maxExisting)
		path := filepath.Join(cfg.Dir, p.path)
		switch {
		case err != nil:
			return nil, err
		case p.path == gitignorePath:
			text = withMissingLines(have, text)
		case have != nil && !cfg.Force:
			return nil, fmt.Errorf("%s exists. To overwrite all files, use --force", path)
		case cfg.Sources != "":
			text = bytes.Replace(text, []byte(emptyRepository), fmt.Appendf(nil, "EVALCTL_REPOSITORY: %s", cfg.Sources),
				1)
		}
		if text != nil {
			texts, written = append(texts, file.File{Path: p.path, Text: text}), append(written, path)
		}
	}
	if err := file.WriteAll(cfg.Dir, texts); err != nil {
		return nil, err
	}
	return written, nil
}

// maxExisting limits the size of an existing file, in bytes.
const maxExisting = 1 << 20

// withMissingLines returns have plus the lines of text that it lacks, or nil if it lacks none.
func withMissingLines(have, text []byte) []byte {
	lacking := ""
	for line := range strings.Lines(string(text)) {
		if !strings.Contains("\n"+string(have)+"\n", "\n"+line) {
			lacking += line
		}
	}
	if lacking == "" {
		return nil
	}
	if len(have) > 0 && have[len(have)-1] != '\n' {
		lacking = "\n" + lacking
	}
	return append(have, lacking...)
}
