package toolrouter

import (
	"context"
	"fmt"
	"time"

	"evalctl/agent/clock"
)

// tellTime answers from the clock, without a model.
func (r *run) tellTime(ctx context.Context) error {
	r.say(ctx, timeAnswer(clock.Now(ctx), isChinese(r.turn.Text)))
	return nil
}

// timeAnswer tells time, date, weekday, zone and Unix timestamp of now, in
// now's own zone.
func timeAnswer(now time.Time, chinese bool) string {
	if chinese {
		return fmt.Sprintf("现在是 %d年%d月%d日 %s，%s，时区 %s，Unix 时间戳 %d。",
			now.Year(), int(now.Month()), now.Day(), now.Format("15:04:05"), weekday(now), zone(now), now.Unix())
	}
	return fmt.Sprintf("It is %s on %s, time zone %s, Unix timestamp %d.",
		now.Format("15:04:05"), now.Format("Monday, 2 January 2006"), zone(now), now.Unix())
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
