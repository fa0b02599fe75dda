package importer

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// clincSplits maps the keys of a CLINC150 file to the splits of cases.
var clincSplits = map[string]string{
	"train": "train", "val": "dev", "test": "test",
	"oos_train": "train", "oos_val": "dev", "oos_test": "test",
}

// readClinc imports data_full.json, data_small.json, data_imbalanced.json or data_oos_plus.json of
// github.com/clinc/oos-eval. The file is an object of lists with elements [text, intent].
// Out-of-scope rows have the intent oos and get the tag oos. If there is a domains.json in the same
// directory, rows get the tag domain.
func readClinc(j *job) error {
	if isFolder(j.Path) {
		return fmt.Errorf("%s: is a folder: give one of its files, such as data_full.json (they overlap)",
			oneLine(j.Path))
	}
	domains, err := clincDomains(filepath.Join(filepath.Dir(j.Path), "domains.json"))
	if err != nil {
		return err
	}
	return j.readTree(j.Path, asIs, func(t *jsonStream) error {
		return t.object("the document", func(part string) error {
			split, ok := clincSplits[part]
			if !ok {
				return &shapeError{fmt.Sprintf("unknown part %s (known: %s)", quoted(part),
					strings.Join(slices.Sorted(maps.Keys(clincSplits)), ", "))}
			}
			return t.list(part, func(at Position, i int, value jsontext.Value) error {
				return j.addClinc(at, value, row{
					place: at,
					id:    fmt.Sprintf("clinc150-%s-%d", part, i),
					split: split,
					tags:  []tag{{"lang", "en"}, {"source", "clinc/oos-eval"}},
				}, strings.HasPrefix(part, "oos_"), domains)
			})
		})
	})
}

func (j *job) addClinc(at Position, value jsontext.Value, r row, oos bool, domains map[string]string) error {
	var pair []string
	if err := v2.Unmarshal(value, &pair); err != nil || len(pair) != 2 {
		return j.reject(at, "is not a pair of text and intent")
	}
	text, intent := pair[0], pair[1]
	if oos {
		if intent != "oos" {
			return j.reject(at, fmt.Sprintf("is out of scope, but its intent is %s, not oos", quoted(intent)))
		}
		r.tags = append(r.tags, tag{"oos", "yes"})
	}
	r.tags = append(r.tags, tag{"domain", domains[intent]})
	r.turns = singleTurn(text, intent)
	return j.add(r)
}

// clincDomains reads the domain of each intent; nil: the file does not exist.
func clincDomains(path string) (map[string]string, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	in, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var intents map[string][]string
	// the limit of the input is never raised, so its size is limited
	if err := v2.UnmarshalRead(in, &intents); err != nil {
		return nil, fmt.Errorf("%s: %s", oneLine(path), explain(err))
	}
	domains := map[string]string{}
	for domain, list := range intents {
		for _, intent := range list {
			domains[intent] = domain
		}
	}
	return domains, nil
}
