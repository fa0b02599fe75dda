package toolrouter

import (
	"context"
	"fmt"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/toolrouter/intent"
)

// tellTime answers from the clock, without a model. What a model took for a
// question of the time, and the rules do not, may be one of another place or
// day (纽约现在几点): then the answer says that it does not know these.
func (r *run) tellTime(ctx context.Context) error {
	r.say(ctx, timeAnswer(clock.Now(ctx), isChinese(r.turn.Text)))
	if _, plain := intent.Time(r.turn.Text); !plain {
		r.say(ctx, inLanguageOf(r.turn.Text, "这是本机时钟的时间，它答不了外地的时间和别的日子。",
			" That is the clock here, which knows no other place and no other day."))
	}
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
