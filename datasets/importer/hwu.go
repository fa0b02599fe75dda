package importer

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// readHWU imports AnnotatedData/NLU-Data-Home-Domain-Annotated-All.csv of
// github.com/xliuhw/NLU-Evaluation-Data, whose fields are separated by semicolons. The label is
// scenario_intent. It rejects rows without a text. It also rejects rows whose status starts with
// IRR, because the publishers omit them as well. A stray quote is part of the text. Cases have no
// split.
func readHWU(j *job) error {
	paths, err := hwuFiles(j.Path)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := j.readHWUFile(path); err != nil {
			return err
		}
	}
	return nil
}

// foldText is the column of the text in a file of a fold.
const foldText = "answer_from_anno"

func (j *job) readHWUFile(path string) error {
	text, split := "answer_normalised", ""
	t := table{
		delimiter:  ';',
		lazyQuotes: true,
		required:   []string{"scenario", "intent"},
		choose: func(columns []string) error {
			switch {
			case slices.Contains(columns, text):
			case slices.Contains(columns, foldText):
				text, split = foldText, foldSplit(path)
			default:
				return fmt.Errorf("header: has no column %s or %s (it has %s)", quoted(text), quoted(foldText),
					shownColumns(columns))
			}
			return nil
		},
	}
	return j.eachRecord(path, t, func(at Position, r record) error {
		status, said := r.get("status"), r.get(text)
		switch {
		case strings.HasPrefix(status, "IRR"):
			return j.reject(at, fmt.Sprintf("status is %s, which the publishers leave out", quoted(status)))
		case strings.TrimSpace(said) == "" || said == "null":
			return j.reject(at, text+" is empty or null")
		case r.get("scenario") == "" || r.get("intent") == "":
			return j.reject(at, "scenario or intent is empty")
		}
		id := j.generatedID("hwu64-row", "", r.n)
		switch own := r.get("answerid"); {
		case text == foldText: // answerid is not unique in a fold
			id = j.generatedID("hwu64", strings.TrimPrefix(split+"-"+fileStem(path), "-"), r.n)
		case own != "":
			id = "hwu64-" + own
		}
		return j.add(row{
			place: at,
			id:    id,
			split: split,
			tags:  []tag{{"lang", "en"}, {"source", "xliuhw/NLU-Evaluation-Data"}, {"domain", r.get("scenario")}},
			turns: singleTurn(said, r.get("scenario")+"_"+r.get("intent")),
		})
	})
}

// hwuFiles returns the path of a CSV, or the CSV files of a fold, of its trainset or its testset.
func hwuFiles(path string) (paths []string, err error) {
	if !isFolder(path) {
		return []string{path}, nil
	}
	for _, part := range []string{"trainset", filepath.Join("testset", "csv"), "csv", "."} {
		folder := filepath.Join(path, part)
		if !isFolder(folder) {
			continue
		}
		more, err := filesIn(folder, func(name string) bool { return filepath.Ext(name) == ".csv" })
		if err != nil {
			return nil, err
		}
		paths = append(paths, more...)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: holds no trainset/*.csv or testset/csv/*.csv: name one folder KFold_N, or a CSV",
			oneLine(path))
	}
	return paths, nil
}

// foldSplit returns the split of a file in a fold, from the names of its directories; "": none.
func foldSplit(path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	folder := filepath.Dir(full)
	if filepath.Base(folder) == "csv" {
		folder = filepath.Dir(folder)
	}
	return map[string]string{"trainset": "train", "testset": "test"}[filepath.Base(folder)]
}

// fileStem returns the name of a file without directory and extension.
func fileStem(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}
