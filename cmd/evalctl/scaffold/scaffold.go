// Package scaffold writes the files of a new evaluation: a suite, twenty cases, a prompt or an agent,
// and a CI workflow that gates pull requests.
package scaffold

import (
	"bytes"
	"embed"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"evalctl/agent/file"
	"evalctl/eval/suggest"
)

//go:embed files
var files embed.FS

// SuiteFile is the path of the suite file, relative to the directory that Write fills.
const SuiteFile = "evals/suite.yaml"

// WorkflowFile is the path of the GitHub Actions workflow, relative to the directory that Write
// fills.
const WorkflowFile = ".github/workflows/evalctl.yml"

// gitignorePath is the only file that Write extends if it exists.
const gitignorePath = ".gitignore"

// templateFile is an embedded template and the path that it is written to.
type templateFile struct{ file, path string }

// commonFiles are the files of every starter.
var commonFiles = []templateFile{
	{file: "cases.jsonl", path: "evals/cases.jsonl"},
	{file: "labels.txt", path: "evals/labels.txt"},
	{file: "workflow.yml", path: WorkflowFile},
	{file: "gitignore", path: gitignorePath},
}

const (
	agentPath  = "evals/agent.py"
	promptPath = "evals/prompt.md"
)

// Starter is a kind of evaluation that Write creates. The workflow template uses its fields.
type Starter struct {
	Target    string // what the suite evaluates: http, exec or openai; "": a prompt with a simulated model
	Simulated bool   // the model is simulated
	Agent     string // path of the agent; "": there is none
	Start     string // command that starts the agent before a run; "": evalctl starts it, or there is none
	Key       string // environment variable with the API key; "": none is needed
	Args      string // flags of evalctl run that the suite needs; "": none

	files []templateFile // in addition to commonFiles
}

var starters = []Starter{
	{
		Simulated: true,
		files:     []templateFile{{file: "suite.yaml", path: SuiteFile}, {file: "prompt.md", path: promptPath}},
	},
	{
		Target: "http",
		Agent:  agentPath,
		Start:  "python3 " + agentPath,
		files:  []templateFile{{file: "http-suite.yaml", path: SuiteFile}, {file: "http-agent.py", path: agentPath}},
	},
	{
		Target: "exec",
		Agent:  agentPath,
		Args:   "--trust",
		files:  []templateFile{{file: "exec-suite.yaml", path: SuiteFile}, {file: "exec-agent.py", path: agentPath}},
	},
	{
		Target: "openai",
		Key:    "OPENAI_API_KEY",
		Args:   "--trust",
		files:  []templateFile{{file: "openai-suite.yaml", path: SuiteFile}, {file: "prompt.md", path: promptPath}},
	},
}

// Targets returns the possible values of Config.Target, except "".
func Targets() (names []string) {
	for _, s := range starters[1:] {
		names = append(names, s.Target)
	}
	return names
}

// FindStarter returns the starter for a target, or an error if the target is unknown.
func FindStarter(target string) (Starter, error) {
	for _, s := range starters {
		if s.Target == target {
			return s, nil
		}
	}
	return Starter{}, suggest.CheckKnown("target", target, Targets())
}

// Config configures where and how Write writes the files.
type Config struct {
	Dir    string // directory to write to; it is created if necessary
	Target string // one of Targets; "": a prompt with a simulated model
	// OWNER/NAME of the GitHub repository from which the workflow builds evalctl; "": the user must
	// enter it in the workflow
	SourceRepository string
	Force            bool // overwrite existing files
}

// emptyRepository is the line of the workflow template in which Write enters evalctl's repository.
const emptyRepository = `EVALCTL_REPOSITORY: ""`

// repository matches the full name of a GitHub repository, such as OWNER/NAME.
var repository = regexp.MustCompile(`^[A-Za-z0-9-]+/[A-Za-z0-9._-]+$`)

// CheckRepositoryName returns an error unless the repository name has the form OWNER/NAME.
func CheckRepositoryName(name string) error {
	if !repository.MatchString(name) {
		return fmt.Errorf("%q is not OWNER/NAME", name)
	}
	return nil
}

// Write writes all files or none, and returns the paths of the written files. It returns an error
// if a file exists, unless Force is set. An existing .gitignore is not replaced; Write adds the
// missing lines to it. It does not follow symbolic links below the directory.
func Write(cfg Config) (written []string, err error) {
	starter, err := FindStarter(cfg.Target)
	if err != nil {
		return nil, err
	}
	var texts []file.File
	for _, p := range slices.Concat(starter.files, commonFiles) {
		text, err := starter.fill(p.file)
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
		case cfg.SourceRepository != "":
			text = bytes.Replace(text, []byte(emptyRepository),
				fmt.Appendf(nil, "EVALCTL_REPOSITORY: %s", cfg.SourceRepository),
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

// fill returns the text of a template file. A workflow is filled with the fields of the starter.
func (s Starter) fill(name string) ([]byte, error) {
	text, err := files.ReadFile("files/" + name)
	if err != nil || name != "workflow.yml" {
		return text, err
	}
	t, err := template.New(name).Delims("[[", "]]").Parse(string(text))
	if err != nil {
		return nil, err
	}
	var filled bytes.Buffer
	err = t.Execute(&filled, s)
	return filled.Bytes(), err
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
