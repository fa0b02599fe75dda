package intent

// searchRules are the groups of section 3 of the seed.
func (c *clause) searchRules() ruleSet {
	const asked = seek | seekSure | lookup | day | latest | live | hot | now | calendar | enSeek | enTopic | enSure
	if !c.has(asked) {
		return 0
	}
	return when(search1, c.asksToSearch()) | // 搜索/搜一下
		when(search2, c.then(day, news|weather)) | // 今天/明天/昨天 + 新闻/天气
		when(search3, c.then(today, happened)) | // 今天发生了什么
		when(search4, c.then(latest, news)) | // 最新/最近 + 新闻/资讯
		when(search5, c.then(live, info) && !c.has(works)) | // 实时 + 信息/数据
		when(search6, c.has(hot) && !c.has(works)) | // 热点/头条/热搜
		when(search7, c.looksUpOnline()) | // 联网搜/上网查
		when(search8, c.then(now, price|weather)) | // 现在的 + 价格/天气/汇率
		when(search9, c.datedEvent()) | // YYYY年MM月 + event
		when(search10, c.searchesInEnglish()) // search, latest
}

// asksToSearch: 搜一下 always asks; 搜索 when it opens the request.
func (c *clause) asksToSearch() bool {
	if c.has(seekSure) {
		return true
	}
	return c.has(seek) && c.opens(c.next(0, seek), opener|lead|can|with|net)
}

// looksUpOnline: the net and a verb of looking, small words between at most.
func (c *clause) looksUpOnline() bool {
	if !c.has(net) || !c.has(lookup) {
		return false
	}
	for i := c.next(0, lookup); i < c.n; i = c.next(i+1, lookup) {
		if c.hits[i].is&net != 0 || c.reaches(i, net, opener|lead|with|tail) {
			return true // 百度一下 is both
		}
	}
	return false
}

// datedEvent: four digits, 年, one or two, 月, and later an event.
func (c *clause) datedEvent() bool {
	if !c.has(calendar) || !c.has(event) {
		return false
	}
	for i := c.next(1, calendar); i < c.n; i = c.next(i+1, calendar) {
		year := c.hits[i-1]
		month := c.touch(i, calendar) && year.is&number != 0 && year.to-year.from == 4 &&
			c.touch(i+1, number) && c.touch(i+2, calendar) && c.end(i+1)-c.end(i) <= 2
		if month && c.next(i+3, event) < c.n {
			return true
		}
	}
	return false
}

// searchesInEnglish: search as a request, latest, and news or weather asked for.
func (c *clause) searchesInEnglish() bool {
	switch {
	case c.has(enSure):
		return true
	case c.has(enSeek) && c.seeksInEnglish():
		return true
	case !c.has(enTopic):
		return false
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
