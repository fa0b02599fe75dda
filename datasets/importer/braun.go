package importer

import (
	"strings"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// sentence is an element of the sentences of a corpus. Training is nil if the corpus has no splits.
type sentence struct {
	Text     string `json:"text"`
	Intent   string `json:"intent"`
	Training *bool  `json:"training"`
}

// readBraun imports github.com/sebischair/NLU-Evaluation-Corpora (Braun et al. 2017): a file such as
// ChatbotCorpus.json, or the directory of all corpora. A file is an object with the list sentences.
// training separates the train split from the test split.
func readBraun(j *job) error {
	paths, err := filesAt(j.Path, func(name string) bool { return strings.HasSuffix(name, "Corpus.json") },
		"holds no corpus, such as ChatbotCorpus.json")
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := j.readTree(path, asIs, j.readCorpus); err != nil {
			return err
		}
	}
	return nil
}

func (j *job) readCorpus(t *jsonStream) error {
	corpus := fileStem(t.path)
	found := false
	err := t.object("the document", func(name string) error {
		if name != "sentences" {
			return t.skip()
		}
		found = true
		return t.list(name, func(at Position, i int, value jsontext.Value) error {
			var s sentence
			if err := v2.Unmarshal(value, &s); err != nil {
				return j.reject(at, explain(err))
			}
			split := ""
			if s.Training != nil {
				split = map[bool]string{true: "train", false: "test"}[*s.Training]
			}
			return j.add(row{
				place: at,
				id:    j.generatedID("braun2017-"+corpus, split, int64(i)),
				split: split,
				tags:  []tag{{"lang", "en"}, {"source", "sebischair/NLU-Evaluation-Corpora"}, {"corpus", corpus}},
				turns: singleTurn(s.Text, s.Intent),
			})
		})
	})
	if err == nil && !found {
		err = &shapeError{"has no sentences"}
	}
	return err
}
