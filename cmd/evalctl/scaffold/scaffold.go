// Package scaffold writes the beginning of somebody's own evaluation: a suite, twenty
// cases, a prompt, and a workflow that gates pull requests by them.
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
		return fmt.Errorf("%q is not OWNER/NAME", name)
	}
	return nil
}

// Write writes all files, or none, and returns those that it wrote. Unless it is forced,
// it writes none where one is there already; a .gitignore keeps what it has, and gets the
// lines that it lacks. It follows no link below the folder.
func Write(cfg Config) (written []string, err error) {
	var texts []file.File
	for _, p := range places {
		text, err := files.ReadFile("files/" + p.file)
		if err != nil {
			return nil, err
		}
		have, err := file.ReadOptional(cfg.Dir, p.path, maxStanding)
		path := filepath.Join(cfg.Dir, p.path)
		switch {
		case err != nil:
			return nil, err
		case p.path == ignoring:
			text = added(have, text)
		case have != nil && !cfg.Force:
			return nil, fmt.Errorf("%s exists. To overwrite all files, use --force", path)
		case cfg.Sources != "":
			text = bytes.Replace(text, []byte(nowhere), fmt.Appendf(nil, "EVALCTL_REPOSITORY: %s", cfg.Sources), 1)
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

// maxStanding bounds what is read of a file that is there, in bytes.
const maxStanding = 1 << 20

// added is what there is with the lines of text that it lacks; nil: it lacks none.
func added(have, text []byte) []byte {
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
