package toolrouter

import (
	"context"
	"fmt"
	"strings"
	"time"

	"evalctl/agent/clock"
)

// tellTime answers from the clock, without a model.
func (r *run) tellTime(ctx context.Context) error {
	r.say(ctx, timeAnswer(clock.Now(ctx), r.turn.Text))
	return nil
}

// timeAnswer tells time, date, weekday, zone and Unix timestamp of now, in
// now's own zone, and the date and weekday of the near day that text names.
func timeAnswer(now time.Time, text string) string {
	word, day := namedDay(now, strings.ToLower(text))
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

// nearDays are the days that are named by their distance from today, a name
// before those that it holds.
var nearDays = []struct {
	name string
	away int
}{
	{"大后天", 3}, {"大後天", 3}, {"后天", 2}, {"後天", 2}, {"明天", 1}, {"明日", 1}, {"明儿", 1},
	{"大前天", -3}, {"前天", -2}, {"昨天", -1}, {"昨日", -1},
	{"day after tomorrow", 2}, {"tomorrow", 1}, {"day before yesterday", -2}, {"yesterday", -1},
}

// namedDay finds the near day that text names, "" when it names none.
func namedDay(now time.Time, text string) (name string, day time.Time) {
	for _, d := range nearDays {
		if strings.Contains(text, d.name) {
			return d.name, now.AddDate(0, 0, d.away)
		}
	}
	return "", now
}

func weekday(t time.Time) string {
	return "星期" + [...]string{"日", "一", "二", "三", "四", "五", "六"}[t.Weekday()]
}

// zone is the zone's name, where it has one, with the offset from UTC.
func zone(t time.Time) string {
	offset := "UTC" + t.Format("-07:00")
	name, _ := t.Zone()
	if name == "" || name == "UTC" && t.Format("-07:00") != "+00:00" {
		return offset
	}
	return name + " (" + offset + ")"
}
