package intent

// timeRules are the questions of section 7.1 of the seed. Places and festivals
// cannot all be listed, so it is the other way round: the whole clause must
// consist of words that a question for here and now is made of. 纽约现在几点 and
// 几点开会 fail on the word that is not known.
func (c *clause) timeRules() ruleSet {
	if c.has(place) && c.hits[0].is&place != 0 {
		return elsewhere
	}
	if !c.has(clock | date | weekday | dayName | stamp | zone) {
		return 0
	}
	const asked = clock | date | weekday | dayName | stamp | zone
	if !c.only(asked | now | sure | day | today | what | small | opener | lead | can | tail | of | person) {
		return 0
	}
	return when(timeClock, c.has(clock) && c.has(now|sure) && !c.ofAnotherDay()) |
		when(timeDate, c.has(date) && c.has(now|sure|day)) |
		when(timeWeekday, c.asksWeekday()) |
		when(timeStamp, c.asksValue(stamp)) |
		when(timeZone, c.asksValue(zone))
}

// ofAnotherDay: the clock tells no time of tomorrow.
func (c *clause) ofAnotherDay() bool { return c.has(day) && !c.has(today) }

// asksWeekday: 星期几, or whether today is 星期一.
func (c *clause) asksWeekday() bool {
	return c.has(weekday) || c.then(day|now, dayName) && c.hits[c.n-1].is&tail != 0
}

// asksValue: 什么是时间戳 asks what it means, 当前时间戳是什么 what it is now.
func (c *clause) asksValue(value class) bool {
	return c.has(value) && (!c.has(what) || c.has(now|today|person))
}
