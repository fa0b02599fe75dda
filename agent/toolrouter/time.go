package toolrouter

import (
	"context"
	"fmt"
	"strings"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/toolrouter/nearday"
)

func (r *run) emitTime(ctx context.Context) error {
	r.emitChunk(ctx, timeAnswer(clock.Now(ctx), r.turn.Text))
	return nil
}

// timeAnswer returns the answer to a time question: time, date, weekday, time zone and Unix
// timestamp. If the text names a day near today, such as tomorrow, the answer also contains that
// day's date and weekday.
func timeAnswer(now time.Time, text string) string {
	word, away := nearday.FindDay(text, now)
	day := now.AddDate(0, 0, away)
	if isChinese(text) {
		answer := fmt.Sprintf("现在是 %s %s，%s，时区 %s，Unix 时间戳 %d。",
			chineseDate(now), now.Format("15:04:05"), weekday(now), zone(now), now.Unix())
		if word != "" {
			answer += fmt.Sprintf("%s是 %s，%s。", word, chineseDate(day), weekday(day))
		}
		return answer
	}
	answer := fmt.Sprintf("It is %s on %s, time zone %s, Unix timestamp %d.",
		now.Format("15:04:05"), now.Format(englishDate), zone(now), now.Unix())
	if word != "" {
		answer += fmt.Sprintf(" %s: %s.", strings.ToUpper(word[:1])+word[1:], day.Format(englishDate))
	}
	return answer
}

const englishDate = "Monday, 2 January 2006"

func chineseDate(t time.Time) string {
	return fmt.Sprintf("%d年%d月%d日", t.Year(), int(t.Month()), t.Day())
}

func weekday(t time.Time) string {
	return "星期" + [...]string{"日", "一", "二", "三", "四", "五", "六"}[t.Weekday()]
}

// zone returns the name of the time zone and its offset from UTC, or only the offset if it has no
// name.
func zone(t time.Time) string {
	offset := "UTC" + t.Format("-07:00")
	name, _ := t.Zone()
	if name == "" || name == "UTC" && t.Format("-07:00") != "+00:00" {
		return offset
	}
	return name + " (" + offset + ")"
}
