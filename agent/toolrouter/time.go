package toolrouter

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/toolrouter/nearday"
)

// zoneField is the field of a turn's state with the name of the user's time zone.
const zoneField = "time_zone"

// namedTimes are names of a time with a fixed offset from UTC, in hours.
var namedTimes = []struct {
	name   *regexp.Regexp
	offset int
}{
	{regexp.MustCompile(`(?i)北京[时時][间間]|\bbeijing time\b|\bchina standard time\b`), 8},
	{regexp.MustCompile(`(?i)世界[时時]|格林[威尼]治|协调[时時]|\b(?:utc|gmt)\b`), 0},
}

func (r *run) emitTime(ctx context.Context) error {
	r.emitChunk(ctx, timeAnswer(r.now(ctx), r.turn.Text))
	return nil
}

// now returns the current time in the zone that the text names, else in the user's time zone.
func (r *run) now(ctx context.Context) time.Time {
	now := clock.Now(ctx)
	if r.zone != nil {
		now = now.In(r.zone)
	}
	for _, t := range namedTimes {
		if _, offset := now.Zone(); t.name.MatchString(r.turn.Text) && offset != t.offset*3600 {
			return now.In(time.FixedZone("", t.offset*3600))
		}
	}
	return now
}

// readZone returns the time zone of a turn: that of its state, else fallback.
func readZone(state map[string]json.RawMessage, fallback *time.Location) (*time.Location, error) {
	raw, ok := state[zoneField]
	if !ok {
		return fallback, nil
	}
	zone, err := clock.ZoneFromJSON(raw)
	if err != nil {
		return nil, fmt.Errorf("state.%s: %w", zoneField, err)
	}
	return zone, nil
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
