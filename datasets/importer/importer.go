// Package importer converts public datasets from their publishers' formats to evalctl's format for
// cases: one JSON object per line. The cases are for systems with free labels. A row that cannot be
// converted is rejected, with its position and a reason. Input is streamed. Memory grows only by
// two hashes per case, which detect duplicate IDs and texts with different labels.
package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Importer converts datasets of one format.
type Importer struct {
	Name            string   // name in evalctl dataset import NAME
	Summary         string   // one-line description of the dataset, for the list of importers
	PathHint        string   // description of the file or directory that the user must give
	Options         []string // names of the supported options: fields of Options in lower case
	RequiredOptions []string // names of the options that the user must set

	read func(*job) error
}

// All returns all importers.
func All() []Importer {
	return []Importer{
		{Name: "clinc150", Summary: "150 intents and out-of-scope questions",
			PathHint: "data_full.json or one of its variants", read: readClinc},
		{Name: "banking77", Summary: "77 intents of bank customers", PathHint: "train.csv, test.csv or their folder",
			read: readBanking},
		{Name: "hwu64", Summary: "home assistant, scenario and intent",
			PathHint: "a folder KFold_N, a CSV in it, or the annotated CSV",
			read:     readHWU},
		{Name: "massive", Summary: "60 intents in 51 languages", PathHint: "a locale's JSON Lines file or their folder",
			Options: []string{"locale"}, read: readMassive},
		{Name: "snips", Summary: "7 intents of a voice assistant",
			PathHint: "the folder of all intents, of one, or a JSON file", read: readSnips},
		{Name: "braun2017", Summary: "NLU-Evaluation-Corpora: chatbot, Ask Ubuntu, web applications",
			PathHint: "a corpus such as ChatbotCorpus.json, or their folder", read: readBraun},
		{Name: "bfcl", Summary: "which function to call, or none",
			PathHint: "a question file next to possible_answer, or their directory", read: readBFCL},
		{Name: "promptfoo", Summary: "tests of promptfoo with one expected label",
			PathHint: "tests or a config in YAML, JSON or CSV",
			Options:  []string{"text"}, read: readPromptfoo},
		{Name: "openai-evals", Summary: "samples of OpenAI Evals with an ideal answer", PathHint: "samples.jsonl",
			read: readEvals},
		{Name: "csv", Summary: "any table with a header", PathHint: "a CSV file",
			Options: []string{"text", "label", "id", "split", "delimiter"}, RequiredOptions: []string{"text", "label"},
			read: readColumns},
		{Name: "json", Summary: "any list of JSON objects, or JSON Lines",
			PathHint: "a .json or .jsonl file, or their folder",
			Options:  []string{"text-path", "label-path", "id-path", "split-path", "items-path"}, read: readJSON},
	}
}

// Find returns the importer with this name, such as clinc150. ok is false if there is none.
func Find(name string) (Importer, bool) {
	all := All()
	i := slices.IndexFunc(all, func(i Importer) bool { return i.Name == name })
	if i < 0 {
		return Importer{}, false
	}
	return all[i], true
}

// Import reads the dataset and writes its cases to c.Out. A row that cannot be converted is
// reported to c.Rejected and is not an error. Import returns an error if the dataset cannot be
// read, if writing fails, or if ctx ends.
func (i Importer) Import(ctx context.Context, c Config) (Summary, error) {
	if err := i.check(c.Options); err != nil {
		return Summary{}, err
	}
	j := newJob(ctx, i.Name, c)
	for part, path := range append([]string{c.Path}, c.MorePaths...) {
		if c.Options.SplitName == "" && isCaseFile(path) {
			return j.sum, fmt.Errorf(
				"%s: is JSON Lines with text and label and needs no import: evalctl run --dataset FILE", oneLine(path))
		}
		var err error
		if j.split, err = c.Options.constantSplit(path); err != nil {
			return j.sum, err
		}
		j.Path, j.part = path, part
		before := j.sum
		if err := i.read(j); err != nil {
			return j.sum, err
		}
		if j.sum.Cases == before.Cases {
			return j.sum, fmt.Errorf("%s: contains no case (rejected: %d)", oneLine(path),
				j.sum.Rejected-before.Rejected)
		}
	}
	return j.sum, nil
}

// isCaseFile reports whether a file already has evalctl's format for cases.
func isCaseFile(path string) bool {
	in, err := openFile(path)
	if err != nil {
		return false
	}
	defer in.Close()
	line, err := in.ReadSlice('\n')
	var c struct{ ID, Text, Label *string }
	return (err == nil || errors.Is(err, io.EOF)) && json.Unmarshal(line, &c) == nil &&
		c.ID != nil && c.Text != nil && c.Label != nil
}

// check returns an error if an option is not supported, or a required one is missing.
func (i Importer) check(o Options) error {
	given := o.given()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch {
		case given[name] != "" && !slices.Contains(i.Options, name):
			return &OptionError{name, fmt.Sprintf("means nothing to %s (%s)", i.Name, supportingImporters(name))}
		case given[name] == "" && slices.Contains(i.RequiredOptions, name):
			return &OptionError{name, "is required by " + i.Name}
		}
	}
	if _, err := o.delimiter(); err != nil {
		return &OptionError{"delimiter", err.Error()}
	}
	return nil
}

// supportingImporters names the importers that support an option, for an error message.
func supportingImporters(option string) string {
	var names []string
	for _, i := range All() {
		if slices.Contains(i.Options, option) {
			names = append(names, i.Name)
		}
	}
	return "it is for " + strings.Join(names, ", ")
}
