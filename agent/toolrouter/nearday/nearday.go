// Package nearday recognizes names of days near today, such as "tomorrow" or 后天. The tool router
// uses it to detect questions about these days and to answer with their dates.
package nearday

import "strings"

// days lists the names and their distance from today in days. A longer name is listed before a name
// that it contains.
var days = [...]struct {
	away         int
	han, english string
}{
	{away: 3, han: "大后天 大後天"},
	{away: 2, han: "后天 後天", english: "day after tomorrow"},
	{away: 1, han: "明天 明日 明早 明晚 明儿 明兒", english: "tomorrow"},
	{away: -3, han: "大前天"},
	{away: -2, han: "前天", english: "day before yesterday"},
	{away: -1, han: "昨天 昨日 昨晚 昨夜 昨儿 昨兒", english: "yesterday"},
}

// ChineseDayNames returns all Chinese names of days, separated by spaces, for use in a word list.
func ChineseDayNames() string {
	var names []string
	for _, d := range days {
		names = append(names, d.han)
	}
	return strings.Join(names, " ")
}

// FindDay finds the name of a day in a text in lower case. offset is the distance from today in
// days. Both are zero if the text contains none.
func FindDay(text string) (name string, offset int) {
	for _, d := range days {
		for name := range strings.FieldsSeq(d.han) {
			if strings.Contains(text, name) {
				return name, d.away
			}
		}
		if d.english != "" && strings.Contains(text, d.english) {
			return d.english, d.away
		}
	}
	return "", 0
}
