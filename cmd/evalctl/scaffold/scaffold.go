// Package scaffold writes the files of a new evaluation: a suite, twenty cases, a prompt, and a CI
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

// Suite is the path of the suite file, relative to the directory that Write fills.
const Suite = "evals/suite.yaml"

// Workflow is the path of the GitHub Actions workflow, relative to the directory that Write fills.
const Workflow = ".github/workflows/evalctl.yml"

// gitignorePath is the only file that Write extends if it exists.
const gitignorePath = ".gitignore"

// targets lists the embedded template files and the paths that they are written to.
var targets = []struct{ file, path string }{
	{file: "suite.yaml", path: Suite},
	{file: "cases.jsonl", path: "evals/cases.jsonl"},
	{file: "labels.txt", path: "evals/labels.txt"},
	{file: "prompt.md", path: "evals/prompt.md"},
	{file: "workflow.yml", path: Workflow},
	{file: "gitignore", path: gitignorePath},
}

// Config configures where and how Write writes the files.
type Config struct {
	Dir string // directory to write to; it is created if necessary
	// OWNER/NAME of the GitHub repository from which the workflow builds evalctl; "": the user must
	// enter it in the workflow
	Sources string
	Force   bool // overwrite existing files
}

// emptyRepository is the line of the workflow template in which Write enters evalctl's repository.
const emptyRepository = `EVALCTL_REPOSITORY: ""`

// repository matches the full name of a GitHub repository, such as OWNER/NAME.
var repository = regexp.MustCompile(`^[A-Za-z0-9-]+/[A-Za-z0-9._-]+$`)

// CheckSources returns an error unless the repository name has the form OWNER/NAME.
func CheckSources(name string) error {
	if !repository.MatchString(name) {
		return fmt.Errorf("%q is not OWNER/NAME", name)
	}
	return nil
}

// Write writes all files or none, and returns the paths of the written files. It returns an error
// if a file exists, unless Force is set. An existing .gitignore is not replaced; Write adds the
// missing lines to it. It does not follow symbolic links below the directory.
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

// maxExisting is the maximum size of an existing file that Write reads, in bytes.
const maxExisting = 1 << 20

// withMissingLines returns the text have plus the lines of text that it lacks. It returns nil if it
// lacks none.
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
