// Package nearday lists the names of days near today, such as "tomorrow". The rules detect
// questions about them, and the clock answers with their dates.
package nearday

import "strings"

// days lists a name before the names that it contains.
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

// ChineseDayNames returns the Chinese names, separated by spaces.
func ChineseDayNames() string {
	var names []string
	for _, d := range days {
		names = append(names, d.han)
	}
	return strings.Join(names, " ")
}

// FindDay returns the day name in text (lower case) and its distance from today in days. It returns
// "" if there is none.
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
