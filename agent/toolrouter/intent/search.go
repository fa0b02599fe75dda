package intent

// searchRules are the ten groups of search requests, in the order in which they are told.
func (c *clause) searchRules() ruleSet {
	const signs = seek | lookup | day | latest | live | hot | now | calendar | event | enSeek | enTopic
	if !c.has(signs) {
		return 0
	}
	return when(search1, c.asksToSearch()) | // 搜索/搜一下
		when(search2, c.then(day, news|weather)) | // 今天/明天/昨天 + 新闻/天气
		when(search3, c.then(today, happened)) | // 今天发生了什么
		when(search4, c.asksNews()) | // 最新/最近 + 新闻/资讯
		when(search5, c.then(live, info) && !c.has(works)) | // 实时 + 信息/数据
		when(search6, c.has(hot) && !c.has(works)) | // 热点/头条/热搜
		when(search7, c.looksUpOnline()) | // 联网搜/上网查
		when(search8, c.asksPrice()) | // 现在的 + 价格/天气/汇率
		when(search9, c.datedEvent()) | // YYYY年MM月 + event
		when(search10, c.searchesInEnglish()) // search, latest
}

// asksToSearch: 搜一下 always asks; 搜索 when it opens the request.
func (c *clause) asksToSearch() bool {
	if !c.has(seek) {
		return false
	}
	for i := c.next(0, seek); i < c.n; i = c.next(i+1, seek) {
		if c.hits[i].is&sure != 0 && !c.refused(i) || c.opens(i, opener|lead|can|with|net) {
			return true
		}
	}
	return false
}

// asksNews: not when someone's own, 她的消息, or none of it is wanted.
func (c *clause) asksNews() bool {
	if !c.then(latest, news) {
		return false
	}
	from := c.next(0, latest)
	i := c.next(from, news)
	return !c.reaches(i, person, of) && c.next(from, refuse) > i
}

// asksPrice: 现在的价格是399 tells it.
func (c *clause) asksPrice() bool {
	if !c.then(now, price|weather) {
		return false
	}
	from := c.next(0, now)
	i := c.next(from, price|weather)
	stated := c.touch(i+1, glue) && c.hits[i+1].to-c.hits[i+1].from == 1 && c.touch(i+2, number) // 多少一斤 asks
	return !c.refused(from) && !stated
}

// looksUpOnline: the net and a verb of looking. What stands between them may be
// anything in a request: 上网帮我把号码查出来, 网上的说法查一下.
func (c *clause) looksUpOnline() bool {
	if !c.has(net) || !c.has(lookup) {
		return false
	}
	from := c.next(0, net)
	if c.refused(from) {
		return false
	}
	for i := c.next(from, lookup); i < c.n; i = c.next(i+1, lookup) {
		switch {
		case c.hits[i].is&sure != 0, c.before(i, lead|can):
			return true
		case c.reaches(i, net, opener|with|tail):
			return true
		}
	}
	return false
}

// datedEvent: a month of a year, and then an event or a question. It may stand
// in the next clause. What a person did, or which weekday it was, is no event.
func (c *clause) datedEvent() bool {
	if !c.has(event|what) || c.has(weekday) {
		return false
	}
	from, signs := c.month(), event|what
	if from == 0 {
		if c.left&calendar == 0 {
			return false
		}
		signs = event
	}
	return c.next(from, signs) < c.n && c.next(from, person) == c.n
}

// month gives the hit after four digits, 年, one or two, and 月, or 0.
func (c *clause) month() int {
	if !c.has(calendar) {
		return 0
	}
	for i := c.next(1, calendar); i < c.n; i = c.next(i+1, calendar) {
		year := c.hits[i-1]
		if c.touch(i, calendar) && year.is&number != 0 && year.to-year.from == 4 &&
			c.touch(i+1, number) && c.touch(i+2, calendar) && c.end(i+1)-c.end(i) <= 2 {
			return i + 3
		}
	}
	return 0
}

// searchesInEnglish: search as a request, latest, and news or weather asked for.
func (c *clause) searchesInEnglish() bool {
	if c.has(enSeek) && c.seeksInEnglish() {
		return true
	}
	if !c.has(enTopic) {
		return false
	}
	for i := c.next(0, enTopic); i < c.n; i = c.next(i+1, enTopic) {
		if c.hits[i].is&sure != 0 {
			return true
		}
	}
	i := c.next(0, enTopic)
	if c.before(i, person) && !c.before(i, lead) {
		return false // «I like this weather» tells, «I want the news» asks
	}
	return c.has(enAsk|lead|now|day) || c.opens(i, opener|can|enArticle)
}

func (c *clause) seeksInEnglish() bool {
	i := c.next(0, enSeek)
	return c.opens(i, opener|lead|can|with) || c.follows(i, lead) && !c.before(i, howTo|refuse)
}
