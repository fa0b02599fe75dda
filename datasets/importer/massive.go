package importer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// utterance is a line of the MASSIVE dataset, as shown in the README of github.com/alexa/massive.
type utterance struct {
	ID        string `json:"id"`
	Locale    string `json:"locale"`
	Partition string `json:"partition"`
	Scenario  string `json:"scenario"`
	Intent    string `json:"intent"`
	Text      string `json:"utt"`
}

// readMassive imports MASSIVE: the file of one locale, such as data/zh-CN.jsonl, or all locales.
// The same ID occurs in every locale, so the case ID contains the locale.
func readMassive(j *job) error {
	paths, err := j.massiveFiles()
	if err != nil {
		return err
	}
	var others int64
	for _, path := range paths {
		err := eachObject(j, path, func(at Position, u utterance) error {
			if j.Options.Locale != "" && u.Locale != j.Options.Locale {
				others++
				return j.ctx.Err()
			}
			return j.addUtterance(at, u)
		})
		if err != nil {
			return err
		}
	}
	if others > 0 {
		j.note("%d rows are of another locale than %s, and left out", others, j.Options.Locale)
	}
	return nil
}

func (j *job) addUtterance(at Position, u utterance) error {
	split, ok := splits[u.Partition]
	switch {
	case !ok:
		return j.reject(at, fmt.Sprintf("partition %s is not train, dev or test", quoted(u.Partition)))
	case u.ID == "" || u.Locale == "":
		return j.reject(at, "id or locale is missing")
	}
	lang, _, _ := strings.Cut(u.Locale, "-")
	return j.add(row{
		place: at,
		id:    "massive-" + u.Locale + "-" + u.ID,
		split: split,
		tags:  []tag{{"lang", lang}, {"locale", u.Locale}, {"domain", u.Scenario}, {"source", "alexa/massive"}},
		turns: singleTurn(u.Text, u.Intent),
	})
}

// massiveFiles returns the JSON Lines files of the locales. They are in the given directory or in
// its subdirectory data.
func (j *job) massiveFiles() ([]string, error) {
	if !isFolder(j.Path) {
		return []string{j.Path}, nil
	}
	folder := j.Path
	if data := filepath.Join(folder, "data"); isFolder(data) {
		folder = data
	}
	if j.Options.Locale != "" && filepath.IsLocal(j.Options.Locale) {
		path := filepath.Join(folder, j.Options.Locale+".jsonl")
		if _, err := os.Stat(path); err == nil {
			return []string{path}, nil
		}
	}
	return filesAt(folder, func(name string) bool { return filepath.Ext(name) == ".jsonl" },
		"holds no file of a locale, such as zh-CN.jsonl")
}
