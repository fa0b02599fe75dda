// Package nearday recognizes names of days other than today, such as "tomorrow" or 后天. The tool
// router uses it to detect questions about these days and to answer with their dates.
package nearday

import (
	"slices"
	"strings"
	"time"

	"evalctl/agent/dates"
)

// ChineseDayNames returns the Chinese names of days near today, separated by spaces, for use in a
// word list. FindDay recognizes them all.
func ChineseDayNames() string {
	return "大后天 大後天 后天 後天 明天 明日 明早 明晚 明儿 明兒 大前天 前天 昨天 昨日 昨晚 昨夜 昨儿 昨兒"
}

// FindDay finds the first single day in a text that is not today and that can only be in the past or
// only in the future: tomorrow, 三天后, 2024-02-29, but not Friday. offset is its distance from today
// in days. Both are zero if the text contains none.
func FindDay(text string, now time.Time) (name string, offset int) {
	for _, span := range dates.Find(text, now).Spans {
		name := text[span.From:span.To]
		found := dates.Find(name, now)
		days := slices.Concat(found.Ranges, found.Upcoming)
		if len(days) != 1 || days[0].From != days[0].To || !found.HasPastExpression && len(found.Upcoming) == 0 {
			continue
		}
		if offset := int(days[0].From - dates.DayOf(now)); offset != 0 {
			return strings.TrimPrefix(name, "the "), offset
		}
	}
	return "", 0
}
