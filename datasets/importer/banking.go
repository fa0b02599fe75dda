package importer

import "strings"

// readBanking imports train.csv and test.csv of banking_data in
// github.com/PolyAI-LDN/task-specific-datasets. The columns are text and category. The file name is
// the split. It ignores categories.json.
func readBanking(j *job) error {
	paths, err := filesAt(j.Path, func(name string) bool {
		split, isTable := strings.CutSuffix(name, ".csv")
		_, whole := splits[split] // whole is false for train_10.csv, which is a part of train.csv
		return isTable && whole
	}, "holds neither train.csv nor test.csv")
	if err != nil {
		return err
	}
	for _, path := range paths {
		split := splitOf(path)
		err := j.eachRecord(path, table{delimiter: ',', required: []string{"text", "category"}},
			func(at Position, r record) error {
				return j.add(row{
					place: at,
					id:    j.generatedID("banking77", split, r.n),
					split: split,
					tags:  []tag{{"lang", "en"}, {"source", "PolyAI/banking77"}},
					turns: singleTurn(r.get("text"), r.get("category")),
				})
			})
		if err != nil {
			return err
		}
	}
	return nil
}
