package importer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
)

// phrase is a sentence of the Snips dataset, split into pieces at its entities.
type phrase struct {
	Data []struct {
		Text string `json:"text"`
	} `json:"data"`
}

// readSnips imports 2017-06-custom-intent-engines of github.com/sonos/nlu-benchmark. There is a
// directory for each intent, with the files train_INTENT_full.json and validate_INTENT.json. A file
// is an object {INTENT: [{"data": [{"text": …}, …]}]}. The text of a case is all pieces, joined and
// trimmed. The validate files are the published test set. train_INTENT.json is a part of the full
// file and is ignored unless the user names it.
func readSnips(j *job) error {
	paths := []string{j.Path}
	if isFolder(j.Path) {
		var err error
		if paths, err = snipsFiles(j.Path); err != nil {
			return err
		}
	}
	for _, path := range paths {
		recode, err := j.snipsEncoding(path)
		if err != nil {
			return err
		}
		if err := j.readTree(path, recode, j.readSnipsIntents); err != nil {
			return err
		}
	}
	return nil
}

func (j *job) readSnipsIntents(t *jsonStream) error {
	split := splitOf(t.path)
	if split == "dev" { // validate_INTENT.json is the test set of the publication
		split = "test"
	}
	return t.object("the document", func(intent string) error {
		return t.list(intent, func(at Position, i int, value jsontext.Value) error {
			var p phrase
			if err := v2.Unmarshal(value, &p); err != nil {
				return j.reject(at, explain(err))
			}
			var text strings.Builder
			for _, piece := range p.Data {
				text.WriteString(piece.Text)
			}
			return j.add(row{
				place: at,
				id:    j.generatedID("snips", strings.TrimPrefix(split+"-"+intent, "-"), int64(i)),
				split: split,
				tags:  []tag{{"lang", "en"}, {"source", "sonos/nlu-benchmark"}},
				turns: singleTurn(strings.TrimSpace(text.String()), intent),
			})
		})
	})
}

// snipsFiles returns the files in the directory of one intent, or of all intents.
func snipsFiles(folder string) ([]string, error) {
	wanted := func(name string) bool {
		return strings.HasPrefix(name, "train_") && strings.HasSuffix(name, "_full.json") ||
			strings.HasPrefix(name, "validate_") && strings.HasSuffix(name, ".json")
	}
	paths, err := filesIn(folder, wanted)
	if err != nil || len(paths) > 0 {
		return paths, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fileError(folder, err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		more, err := filesIn(filepath.Join(folder, e.Name()), wanted)
		if err != nil {
			return nil, err
		}
		paths = append(paths, more...)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: holds no train_INTENT_full.json or validate_INTENT.json", oneLine(folder))
	}
	return paths, nil
}

// snipsEncoding returns a decoder for the file. A file that is not valid UTF-8 is in Latin-1. It is
// decoded as Windows-1252, which has the same letters, and quotes in place of control characters.
func (j *job) snipsEncoding(path string) (func(io.Reader) io.Reader, error) {
	in, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	in.left = int(^uint(0) >> 1) // no limit, because nothing that is read here is stored
	_, err = io.Copy(io.Discard, transform.NewReader(in, encoding.UTF8Validator))
	switch {
	case err == nil:
		return asIs, nil
	case !errors.Is(err, encoding.ErrInvalidUTF8):
		return nil, fileError(path, err)
	}
	j.note("%s: is not UTF-8, read as Latin-1", path)
	return func(r io.Reader) io.Reader { return transform.NewReader(r, charmap.Windows1252.NewDecoder()) }, nil
}
