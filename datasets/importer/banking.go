package importer

import (
	"fmt"
	"path/filepath"
)

// readBanking reads train.csv and test.csv of banking_data in
// github.com/PolyAI-LDN/task-specific-datasets: a header, text and category.
// The file's name gives the split; categories.json beside them is no data.
func readBanking(j *job) error {
	paths := []string{j.Path}
	if isFolder(j.Path) {
		var err error
		paths, err = filesIn(j.Path, func(name string) bool {
			_, whole := splits[stem(name)] // not train_10.csv, which is in train.csv too
			return whole && filepath.Ext(name) == ".csv"
		})
		if err != nil {
			return err
		}
		if len(paths) == 0 {
			return fmt.Errorf("%s: holds neither train.csv nor test.csv", plain(j.Path))
		}
	}
	for _, path := range paths {
		split := splitOf(path)
		err := j.eachRecord(path, table{delimiter: ',', needs: []string{"text", "category"}}, func(at Place, r record) error {
			return j.add(row{
				place: at,
				id:    numbered("banking77", split, r.n),
				split: split,
				tags:  []tag{{"lang", "en"}, {"source", "PolyAI/banking77"}},
				turns: say(r.get("text"), r.get("category")),
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// numbered makes an id where the publisher gives none.
func numbered(prefix, split string, n int64) string {
	if split == "" {
		return fmt.Sprintf("%s-%d", prefix, n)
	}
	return fmt.Sprintf("%s-%s-%d", prefix, split, n)
}
