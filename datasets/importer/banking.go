package importer

import "strings"

// readBanking reads train.csv and test.csv of banking_data in
// github.com/PolyAI-LDN/task-specific-datasets: a header, text and category. The file name is the
// split; categories.json is ignored.
func readBanking(j *job) error {
	paths, err := filesAt(j.Path, func(name string) bool {
		split, isTable := strings.CutSuffix(name, ".csv")
		_, whole := splits[split] // excludes train_10.csv, a part of train.csv
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
					id:    generatedID("banking77", split, r.n),
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
