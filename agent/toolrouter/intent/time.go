package intent

// asked is what a question for the time can ask for.
const asked = clock | date | weekday | dayName | stamp | zone

// timeRules are the questions for the time. A question that says
// «here and now» itself, 现在几点 or «what time is it», asks wherever it stands;
// a bare 星期几 or 时间戳 asks only in a clause of words that all belong to it.
func (c *clause) timeRules() ruleSet {
	if !c.has(asked) || c.left&place != 0 {
		return 0
	}
	bare := c.only(asked | now | sure | day | today | what | glue | intro | ask | small | opener | lead | can | tail | of | person)
	return when(timeClock, c.asksNow(clock)) | // 现在几点
		when(timeDate, c.asksNow(date) || bare && c.has(date) && c.has(now|day)) | // 今天几号
		when(timeWeekday, c.asksNow(weekday|dayName) || bare && c.has(weekday)) | // 星期几
		when(timeStamp, c.asksNow(stamp) || bare && c.asksValue(stamp)) | // 时间戳
		when(timeZone, c.asksNow(zone) || bare && c.asksValue(zone))
}

// asksValue: 什么是时间戳 asks what it means, 当前时间戳是什么 what it is now.
func (c *clause) asksValue(value class) bool {
	return c.has(value) && (!c.has(what) || c.has(now|today|person))
}

// asksNow tells whether value is asked of here and now in a complete question.
func (c *clause) asksNow(value class) bool {
	if !c.has(value) {
		return false
	}
	for i := c.next(0, value); i < c.n; i = c.next(i+1, value) {
		from, context := c.back(i)
		to := c.ahead(i)
		for j := i; j < to; j++ {
			context |= c.hits[j].is
		}
		if saysNow(c.hits[i].is, context) && c.mayBegin(from) && c.mayEnd(to) {
			return true
		}
	}
	return false
}

// saysNow tells whether a question for value names its moment, given all it
// says: the clock tells no time of tomorrow, and 今天几点 asks for a schedule.
func saysNow(value, context class) bool {
	switch {
	case value&clock != 0 && context&(day|today) == day:
		return false
	case value&dayName != 0:
		return context&(now|day) != 0 && context&ask != 0
	case value&sure != 0:
		return true
	case value&clock != 0:
		return context&now != 0
	}
	return context&(now|day) != 0
}

// back gives where the question for hit i begins, and what it says before i.
func (c *clause) back(i int) (from int, context class) {
	for ; c.follows(i, now|day|glue|ask|number); i-- {
		is := c.hits[i-1].is
		if is&(intro|opener) != 0 && is&(now|day) == 0 {
			break
		}
		context |= is
	}
	return i, context
}

// ahead gives the hit after the question for hit i: 今天几号, 星期几来着 is one.
func (c *clause) ahead(i int) int {
	i++
	for c.touch(i, now|day|glue|ask|tail|what|asked) {
		i++
	}
	return i
}

// mayBegin tells whether a question may begin at hit i: in 纽约现在几点 what
// stands before it says that it is not for here, in 怎么看现在几点 not for now.
func (c *clause) mayBegin(i int) bool {
	if c.hits[i].from == 0 {
		return true
	}
	if !c.follows(i, intro|opener|lead|tail|what|asked) {
		return false
	}
	for i--; ; i-- {
		if is := c.hits[i].is; is&(refuse|unable) != 0 || is&(howTo|what) == howTo {
			return false
		}
		if i == 0 || c.hits[i].from != c.end(i-1) {
			return true
		}
	}
}

// mayEnd tells whether a question may end before hit i. 今天几号线停运 goes on
// in words not known, as nothing does that has ended in 了 or 来着; to go on
// with a place or another verb spoils both.
func (c *clause) mayEnd(i int) bool {
	if c.end(i-1) == c.length {
		return true
	}
	for c.hits[i-1].is&glue != 0 {
		i-- // it belongs to what goes on: 现在几点了是这样的
	}
	ended := c.hits[i-1].is&tail != 0
	switch {
	case !c.touch(i, ^plain):
		return ended
	case c.hits[i].is&(intro|person) != 0:
		return true
	}
	return ended && c.hits[i].is&(place|enStop|howTo) == 0
}
